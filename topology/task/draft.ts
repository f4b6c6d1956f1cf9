import type { AgentContract } from '../agent/contracts.js';
import { contractOf } from '../agent/contracts.js';
import type { Command, QueryReason } from '../command.js';
import type { Decision, DecisionContext, ObservedRecord, Wait } from '../decision.js';
import type { Evidence } from '../evidence.js';
import { recordKey, type RecordKey } from '../kit/record-key.js';
import type { Judgement } from '../verdict.js';
import type { ViolationCode } from '../vocabulary.js';
import { evolve } from './evolve.js';
import type { UnitEvent } from './unit-events.js';
import { contextOf, currentAttempt, type Attempt, type ServerTask, type UnitRecord } from './unit.js';

/**
 * A decision in the making: the record as it stands after the events so far. Local to one call of a decider, so the
 * decider is pure from the outside: folding `events` over the record it began with gives `record`.
 */
export class Draft {
  record: UnitRecord;
  readonly context: DecisionContext;
  /** The observation judged; absent for a decision without one. */
  readonly input: ObservedRecord | undefined;
  private readonly events: UnitEvent[] = [];
  private readonly commands: Command[] = [];
  private readonly evidence: Evidence[] = [];
  private readonly waits: { agentId: string; awaits: 'card' | 'verification'; wait: Wait }[] = [];
  private contractError: Judgement['contractError'];
  private checkpoint: { readonly record: UnitRecord; readonly events: number };

  constructor(record: UnitRecord, context: DecisionContext, input?: ObservedRecord, opened: readonly UnitEvent[] = []) {
    this.record = record;
    this.context = context;
    this.input = input;
    this.events.push(...opened);
    this.checkpoint = { record, events: this.events.length };
  }

  /** What was applied so far stays, even if the judgement that follows is put off. */
  keepSoFar(): void {
    this.checkpoint = { record: this.record, events: this.events.length };
  }

  /** Puts the judgement off: nothing of it has happened, so that it can be made later as if for the first time (R8). */
  putOff(): void {
    this.record = this.checkpoint.record;
    this.events.length = this.checkpoint.events;
    this.commands.length = 0;
    this.evidence.length = 0;
    this.contractError = undefined;
  }

  get key(): RecordKey {
    return recordKey(this.record.tenant, this.record.correlationId);
  }

  /** When the observation was appended; the decision's own time without one. What "seen at" and "news" count from. */
  get observedAt(): number {
    return this.input?.time ?? this.context.now;
  }

  agent(agentId: string): AgentContract {
    return contractOf(this.context.contracts, agentId);
  }

  apply(event: UnitEvent): void {
    this.record = evolve(this.record, event);
    this.events.push(event);
  }

  command(command: Command): void {
    this.commands.push(command);
  }

  witness(evidence: Evidence): void {
    this.evidence.push(evidence);
  }

  wait(agentId: string, awaits: 'card' | 'verification', wait: Wait): void {
    this.waits.push({ agentId, awaits, wait });
  }

  raise(contractError: NonNullable<Judgement['contractError']>): void {
    this.apply({ type: 'ContractErrorRaised', code: contractError.code });
    this.contractError = contractError;
  }

  /** Common part of every command about this unit. */
  get unit(): { readonly tenant?: string; readonly correlationId: string } {
    const { tenant, correlationId } = this.record;
    return { ...(tenant === undefined ? {} : { tenant }), correlationId };
  }

  /** Injective text of a cause: the unit's birth makes it unique even where the correlation ID is used anew (R40). */
  commandId(type: Command['type'], ordinal: string): string {
    return `${type}:${ordinal}@${this.record.born}:${this.key}`;
  }

  /** Asks the agent of an attempt for a task of it, or, without one, searches by the attempt's context (R32, R46, R52). */
  query(attempt: Attempt, task: ServerTask | undefined, reason: QueryReason): void {
    const contextId = contextOf(this.record, attempt);
    if (task === undefined && contextId === undefined) return;
    const commandId = this.commandId('query-task', String(this.record.counts.queries + 1));
    this.apply({ type: 'TaskQueried' });
    this.command({
      type: 'query-task',
      commandId,
      ...this.unit,
      agentId: attempt.agentId,
      ...(task === undefined ? {} : { serverTaskId: task.id }),
      ...(task !== undefined || contextId === undefined ? {} : { contextId }),
      reason,
    });
  }

  /** Records a violation; the last valid state does not move (R13). */
  violate(code: ViolationCode): void {
    const at = this.input?.coordinates;
    this.apply({
      type: 'ViolationFound',
      violation: { code, partition: at?.partition ?? -1, offset: at?.offset ?? -1n, at: this.context.now },
    });
  }

  /** Closes the decision with its one verdict. `about` names the agent whose contracts were judged by. */
  conclude(judgement: Omit<Judgement, 'contractError'>, about?: string): Decision {
    const agentId = about ?? judgement.agentId ?? currentAttempt(this.record)?.agentId;
    const { card, verification } = agentId === undefined ? {} : this.agent(agentId);
    const { contracts, trigger, now } = this.context;
    return {
      judgement: {
        ...judgement,
        ...(agentId === undefined ? {} : { agentId }),
        ...(this.contractError === undefined ? {} : { contractError: this.contractError }),
      },
      grounds: {
        trigger,
        ...(this.input === undefined ? {} : { cause: this.input.coordinates, inputSha256: this.input.inputSha256 }),
        agentsOffset: contracts.offset,
        ...(card === undefined ? {} : { cardHash: card.hash }),
        ...(verification === undefined ? {} : { verificationRevision: verification.revision }),
        policyVersion: contracts.policyVersion,
        decidedAt: now,
      },
      events: this.events,
      commands: this.commands,
      evidence: this.evidence,
      waits: this.waits,
    };
  }
}
