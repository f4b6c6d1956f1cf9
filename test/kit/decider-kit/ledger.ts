/** A ledger of one unit, driven by hand: the pure decider, and around it what a stream task keeps. */
import type { AgentRecord } from '../../../topology/agent/agent-records.js';
import { contractOf, foldContracts, type AgentContract, type Contracts } from '../../../topology/agent/contracts.js';
import type { Decision, DecisionContext, ObservedRecord, Step, Waits } from '../../../topology/decision.js';
import {
  agentsChanged,
  deferredIndex,
  fireDue,
  indexesOf,
  observe,
  PARKED_INDEX,
} from '../../../topology/ledger.decider.js';
import type { Observation } from '../../../topology/observation.js';
import type { Policy } from '../../../topology/policy.js';
import { currentAttempt, type Attempt, type UnitRecord } from '../../../topology/task/unit.js';
import { contractsFrom, policyChanged, policyOf } from './agents.js';

export const START = 1_000_000;

export type EventIdentity = NonNullable<ObservedRecord['event']>;

/** One step as it was asked for, so that a test can ask again. */
export type Asked =
  | { readonly kind: 'observation'; readonly input: ObservedRecord; readonly context: DecisionContext }
  | { readonly kind: 'timers'; readonly context: Omit<DecisionContext, 'trigger'> }
  | { readonly kind: 'agents'; readonly context: DecisionContext; readonly rank: number };

export const answer = (before: UnitRecord | null, asked: Asked): Step => {
  if (asked.kind === 'observation') return observe(before, asked.input, asked.context);
  if (before === null) return { record: null, decisions: [], dropInput: false };
  return asked.kind === 'timers' ? fireDue(before, asked.context) : agentsChanged(before, asked.context, asked.rank);
};

export type OnStep = (before: UnitRecord | null, asked: Asked, step: Step) => void;

export class Ledger {
  record: UnitRecord | null = null;
  contracts: Contracts;
  waits: Waits = new Map();
  now = START;
  offset = 0n;
  /** How many other units were released before this one by a change of an agent (R35). */
  rank = 0;
  readonly partition: number = 0;
  private readonly onStep: OnStep | undefined;

  constructor(records: readonly AgentRecord[], policy: Partial<Policy> = {}, onStep?: OnStep) {
    this.contracts = contractsFrom([policyChanged(policyOf(policy)), ...records]);
    this.onStep = onStep;
  }

  /** Judges an observation `after` ms, which is appended at that time. */
  observe(observation: Observation, { after = 1, event }: { after?: number; event?: EventIdentity } = {}): Decision {
    this.wait(after);
    const coordinates = { topic: 'a2a.task-events.v1', partition: this.partition, offset: this.offset };
    this.offset += 1n;
    const input: ObservedRecord = {
      observation,
      coordinates,
      time: this.now,
      inputSha256: `sha-${coordinates.offset.toString()}`,
      ...(event === undefined ? {} : { event }),
    };
    const { decisions } = this.take({ kind: 'observation', input, context: this.context({ kind: 'observation' }) });
    const [decision] = decisions;
    if (decision === undefined || decisions.length > 1) throw new Error(`${decisions.length} decisions`);
    return decision;
  }

  /** Several at once, where only the end matters. */
  given(...observations: readonly Observation[]): this {
    for (const observation of observations) this.observe(observation);
    return this;
  }

  /** A record of the agents topic: folded, then the unit is looked at again where it is indexed for it. */
  tell(...records: readonly AgentRecord[]): readonly Decision[] {
    return records.flatMap((record) => {
      this.contracts = foldContracts(this.contracts, record, this.contracts.offset + 1n, this.now);
      const wanted = new Set([PARKED_INDEX, 'agentId' in record ? deferredIndex(record.agentId) : '']);
      if (this.record === null || !indexesOf(this.record).some((index) => wanted.has(index))) return [];
      if (record.type === 'GapObserved') return [];
      const context = this.context({ kind: 'agents', offset: this.contracts.offset });
      return this.take({ kind: 'agents', context, rank: this.rank }).decisions;
    });
  }

  policy(rest: Partial<Policy>): readonly Decision[] {
    return this.tell(policyChanged({ ...this.contracts.policy, ...rest }, `v${this.contracts.offset.toString()}`));
  }

  /** Lets time pass; what falls due is decided. */
  wait(ms: number): readonly Decision[] {
    this.now += ms;
    if (this.record === null) return [];
    const { now, contracts, waits } = this;
    return this.take({ kind: 'timers', context: { now, contracts, waits } }).decisions;
  }

  /** The record, which the test knows to be there. */
  get unit(): UnitRecord {
    if (this.record === null) throw new Error('no record');
    return this.record;
  }

  get current(): Attempt | undefined {
    return this.record === null ? undefined : currentAttempt(this.record);
  }

  agent(agentId: string): AgentContract {
    return contractOf(this.contracts, agentId);
  }

  private context(trigger: DecisionContext['trigger']): DecisionContext {
    const { now, contracts, waits } = this;
    return { now, contracts, waits, trigger };
  }

  private take(asked: Asked): Step {
    const before = this.record;
    const step = answer(before, asked);
    this.record = step.record;
    const waits = new Map(this.waits);
    for (const decision of step.decisions)
      for (const { agentId, awaits, wait } of decision.waits)
        waits.set(agentId, { ...waits.get(agentId), [awaits]: wait });
    this.waits = waits;
    this.onStep?.(before, asked, step);
    return step;
  }
}

/** `word`, or `word code`: what a test says about a decision where only that matters. */
export const wordOf = ({ judgement: { word, code } }: Decision): string =>
  code === undefined ? word : `${word} ${code}`;

/** Commands in short: type, target, and task or attempt. */
export const commandsOf = ({ commands }: Decision): readonly string[] =>
  commands.map((command) => {
    switch (command.type) {
      case 'redispatch': {
        const again = command.again === 'no' ? '' : ` again ${command.again}`;
        return `redispatch ${command.agentId} #${command.attempt}${command.awaits === undefined ? '' : ' awaits'}${again}`;
      }
      case 'query-task':
        return `query-task ${command.agentId} ${command.serverTaskId ?? `context ${command.contextId ?? ''}`}`;
      case 'cancel-superseded':
        return `cancel-superseded ${command.agentId} ${command.serverTaskId}`;
      case 'refresh-card':
        return `refresh-card ${command.agentId}`;
    }
  });
