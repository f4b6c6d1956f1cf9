/** What must hold of every step of every history, written from the rules and not from the code. */
import { isDeepStrictEqual } from 'node:util';
import { contractOf, type AgentContract, type Contracts } from '../../../topology/agent/contracts.js';
import type { Command, Redispatch } from '../../../topology/command.js';
import type { Decision, Step } from '../../../topology/decision.js';
import { dueAt } from '../../../topology/ledger.decider.js';
import type { Observation } from '../../../topology/observation.js';
import { evolve, openUnit } from '../../../topology/task/evolve.js';
import type { UnitEvent } from '../../../topology/task/unit-events.js';
import type { UnitRecord } from '../../../topology/task/unit.js';
import { answer, type Asked, type OnStep } from './ledger.js';
import type { Tally } from './tally.js';

const TERMINAL: ReadonlySet<string | null> = new Set(['completed', 'failed', 'canceled', 'rejected']);

class Broken extends Error {
  override name = 'InvariantBroken';
}

function hold(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Broken(what);
}

const deepFreeze = (value: unknown): void => {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFreeze(inner);
};

/** Equal in all, identical in nothing. Not `structuredClone`: its copies have the prototypes of another realm under jest. */
const clone = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(clone) as T;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, clone(inner)])) as T;
};

const folded = (before: UnitRecord | null, events: readonly UnitEvent[]): UnitRecord | null =>
  events.reduce<UnitRecord | null>((record, event) => {
    if (record !== null) return evolve(record, event);
    return event.type === 'UnitOpened' ? openUnit(event) : null;
  }, before);

/** What the ledger has issued and counted in the life of one record, and over the whole history. */
type Life = {
  issued: Map<string, Command>;
  redispatches: number;
  queries: number;
  violations: number;
  conflicts: number;
};

/** Checks every step; one instance for one history. */
export const watching = (tally: Tally): OnStep => {
  const life: Life = { issued: new Map(), redispatches: 0, queries: 0, violations: 0, conflicts: 0 };
  return (before, asked, step) => {
    deepFreeze(step);
    hold(isDeepStrictEqual(answer(clone(before), asked), step), 'the same inputs give the same outputs');
    count(tally, asked, step);
    foldsToTheRecord(before, step);
    for (const event of step.decisions.flatMap(({ events }) => events)) {
      if (event.type === 'OperatorCalled') tally.add('mark', event.mark);
    }
    if (asked.kind === 'observation') oneVerdict(before, asked.input.observation, step);
    if (asked.kind === 'timers' && step.record !== null) {
      const due = dueAt(step.record, asked.context.contracts.policy);
      hold(due === undefined || due > asked.context.now, 'after the timers fired nothing is due');
    }
    neverLeavesTheEnd(before, asked, step);
    failsOnlyByWord(before, asked, step);
    repeatsChangeNothing(before, asked, step);
    isConsistent(step.record);
    countsMatch(before, step, life);
    let record = before;
    for (const decision of step.decisions) {
      record = folded(record, decision.events);
      isConsistent(record);
      commandsHaveCauses(asked, record, decision, life);
    }
  };
};

const count = (tally: Tally, asked: Asked, { decisions }: Step): void => {
  if (asked.kind === 'observation') tally.add('observation', asked.input.observation.type);
  for (const { judgement, grounds, commands, evidence } of decisions) {
    tally.add('verdict', judgement.word);
    tally.add('rule', judgement.rule);
    if (judgement.code !== undefined) tally.add('violation', judgement.code);
    if (judgement.contractError !== undefined) tally.add('contract error', judgement.contractError.code);
    if (grounds.trigger.kind === 'timer') tally.add('timer', grounds.trigger.timer);
    for (const command of commands) tally.add('command', command.type);
    for (const { kind } of evidence) tally.add('evidence', kind);
  }
};

const foldsToTheRecord = (before: UnitRecord | null, { record, decisions }: Step): void => {
  const events = decisions.flatMap((decision) => decision.events);
  const letGo = decisions.at(-1)?.judgement.rule === 'R56' && record === null;
  hold(letGo || isDeepStrictEqual(folded(before, events), record), 'folding the events gives the record');
};

/** One observation, one verdict; `decided` is for what nobody said. */
const oneVerdict = (before: UnitRecord | null, observation: Observation, { decisions }: Step): void => {
  hold(decisions.length === 1, 'exactly one verdict');
  const word = decisions[0]?.judgement.word;
  hold(word !== 'decided' && word !== 'quarantined', 'an observation is not `decided`');
  if (before?.deferral !== undefined)
    hold(word === 'deferred' || word === 'idempotent', 'a later word waits behind the deferred one');
  if (observation.type === 'TaskNotFoundObserved')
    hold(word !== 'accepted' && word !== 'violation', 'a TaskNotFound is neither accepted nor a violation');
};

const neverLeavesTheEnd = (before: UnitRecord | null, asked: Asked, { record, decisions }: Step): void => {
  if (before === null || !TERMINAL.has(before.state)) return;
  if (record === null) {
    hold(asked.kind === 'timers' && decisions.at(-1)?.judgement.rule === 'R56', 'only retention lets a record go');
    return;
  }
  const end = ({ state, decidedBy, cause, terminalAt }: UnitRecord) => ({ state, decidedBy, cause, terminalAt });
  hold(isDeepStrictEqual(end(before), end(record)), 'a terminal state never changes');
  hold(record.loss === undefined, 'what has ended is not indeterminate');
};

/** Trust by R42, read from the contracts anew. */
const mayTrust = ({ policy, agents }: Contracts): boolean => {
  const mesh = [...agents.values()].filter(({ removed }) => !removed);
  const providers = new Set(mesh.map(({ config, card }) => config?.provider ?? card?.terms.provider));
  return (
    policy.trust === 'homogeneous-durable' &&
    providers.size === 1 &&
    !providers.has(undefined) &&
    mesh.every(({ durable }) => durable)
  );
};

const failsOnlyByWord = (before: UnitRecord | null, asked: Asked, { record, decisions }: Step): void => {
  if (record === null || record.state === before?.state || (before === null && record.state === null)) return;
  const judged = decisions.flatMap(({ judgement }) =>
    judgement.word === 'accepted' || judgement.word === 'trusted-terminal' ? [judgement] : [],
  );
  hold(judged.length > 0, 'a state moves only where a word was accepted');
  const trusted = judged.some(({ word }) => word === 'trusted-terminal');
  if (trusted) hold(mayTrust(asked.context.contracts), 'trusted only where all are of one provider and durable');
  if (record.state === 'failed' && asked.kind === 'observation' && before?.deferral === undefined) {
    const { observation } = asked.input;
    const spoken = observation.type === 'TaskStateObserved' || observation.type === 'OperatorDecided';
    hold(
      spoken || (trusted && record.cause === 'task-not-found-trusted'),
      'a TaskNotFound is no failure without trust',
    );
  }
};

const repeatsChangeNothing = (before: UnitRecord | null, asked: Asked, { record, decisions }: Step): void => {
  if (before === null || asked.kind !== 'observation' || asked.input.event === undefined) return;
  const { idHash, contentHash } = asked.input.event;
  if (!before.seenEvents.includes(`${idHash}${contentHash}`)) return;
  hold(
    isDeepStrictEqual({ ...record, lastWordAt: 0 }, { ...before, lastWordAt: 0 }),
    'a redelivery changes nothing but the time of the last word',
  );
  hold(
    decisions.every(
      ({ judgement, commands, evidence }) => judgement.rule === 'R17' && commands.length + evidence.length === 0,
    ),
    'a redelivery leads to nothing',
  );
};

const isConsistent = (record: UnitRecord | null): void => {
  if (record === null) return;
  const { attempts, loss, decidedBy, state, marks } = record;
  const issued = attempts.filter(({ status }) => status === 'issued').map(({ number }) => number);
  hold(
    isDeepStrictEqual(issued, loss?.redispatch === undefined ? [] : [loss.redispatch.attempt]),
    'one open redispatch at most, and the loss knows it',
  );
  hold(
    attempts.every(({ number }, index) => number === index + 1),
    'attempts are numbered in order',
  );
  hold(
    record.serverTasks.every(({ agentId, attempt }) => attempts[attempt - 1]?.agentId === agentId),
    'a server task belongs to an attempt of its agent',
  );
  hold(
    new Set(record.serverTasks.map(({ agentId, id }) => `${agentId} ${id}`)).size === record.serverTasks.length,
    'a server task is bound once',
  );
  hold(
    new Set(record.artifacts.map(({ attempt, artifactId }) => `${attempt} ${artifactId}`)).size ===
      record.artifacts.length,
    'one artifact per attempt and ID',
  );
  if (decidedBy !== undefined)
    hold(attempts[decidedBy - 1]?.ended === state && TERMINAL.has(state), 'what decided has ended so');
  hold(
    TERMINAL.has(state) === (decidedBy !== undefined || record.cause !== undefined),
    'a terminal state has a reason',
  );
  hold(loss === undefined || !TERMINAL.has(state), 'what is lost has not ended');
  hold(
    new Set(marks).size === marks.length && new Set(loss?.contractErrors).size === (loss?.contractErrors.length ?? 0),
    'marks and contract errors once',
  );
  if (loss !== undefined)
    hold(
      loss.number === record.losses && attempts[loss.attempt - 1]?.agentId === loss.agentId,
      'the loss is the latest',
    );
};

const countsMatch = (before: UnitRecord | null, { record, decisions }: Step, life: Life): void => {
  if (before === null) Object.assign(life, { redispatches: 0, queries: 0, violations: 0, conflicts: 0 });
  if (record === null) return;
  for (const { commands, judgement, events } of decisions) {
    life.redispatches += commands.filter((command) => command.type === 'redispatch' && command.again === 'no').length;
    life.queries += commands.filter(({ type }) => type === 'query-task').length;
    life.violations += judgement.word === 'violation' ? 1 : 0;
    life.conflicts += events.filter((event) => event.type === 'EventRemembered' && event.conflict).length;
  }
  const { redispatches, queries, violations, conflicts } = life;
  hold(
    isDeepStrictEqual(record.counts, { violations, redispatches, queries, eventIdConflicts: conflicts }),
    'the counts are what was decided',
  );
  hold(record.violations.length === Math.min(violations, 100), 'the last hundred violations are kept');
};

/** Against the record right after the decision that issued them. */
const commandsHaveCauses = (
  asked: Asked,
  record: UnitRecord | null,
  { commands, judgement }: Decision,
  { issued }: Life,
): void => {
  for (const command of commands) {
    const earlier = issued.get(command.commandId);
    if (command.type === 'redispatch' && command.again !== 'no') {
      hold(
        earlier?.type === 'redispatch' && earlier.agentId === command.agentId && earlier.attempt === command.attempt,
        'issued again is what was issued',
      );
    } else hold(earlier === undefined, `command ID ${command.commandId} is new`);
    issued.set(command.commandId, command);
    if (command.type === 'refresh-card')
      hold(judgement.word === 'deferred', 'a card is asked for where a verdict waits for it');
    if (record === null || command.type === 'refresh-card') continue;
    const attempt = record.attempts.find((one) =>
      'attempt' in command ? one.number === command.attempt : one.agentId === command.agentId,
    );
    hold(attempt?.agentId === command.agentId, 'the command is about an attempt of that agent');
    if (command.type === 'query-task')
      hold(
        command.serverTaskId === undefined
          ? command.contextId !== undefined
          : record.serverTasks.some(({ id, agentId }) => id === command.serverTaskId && agentId === command.agentId),
        'a question is about a task or a context',
      );
    if (command.type === 'cancel-superseded') {
      hold(command.attempt !== record.decidedBy && attempt.cancelAsked, 'what decided is not told to stop');
      hold(
        record.serverTasks.some(({ id, attempt: number }) => id === command.serverTaskId && number === command.attempt),
        'a task of the attempt is told to stop',
      );
    }
    if (command.type === 'redispatch' && command.again === 'no')
      mayBeRedispatched(asked, record, command, judgement.rule === 'R61');
  }
};

/** A verified type inside a mode; the mesh knows no parameters. */
const inside = (type: string, modes: readonly string[]): boolean =>
  modes.some((mode) => mode === '*/*' || mode === type || (mode.endsWith('/*') && type.startsWith(mode.slice(0, -1))));

/** R33, read anew: the verified set, what the client takes, and a card in force that denies neither. */
const mayTakeOver = (agent: AgentContract, record: UnitRecord, { requiredState }: Redispatch): boolean => {
  const { card, verification, config, removed } = agent;
  const basis = verification?.states.get(requiredState);
  if (removed || card === undefined || basis === undefined || basis === 'assumed') return false;
  if (config?.tenants !== undefined && !config.tenants.includes(record.tenant ?? '')) return false;
  const states = card.terms.states ?? config?.configuredStates;
  if (states !== undefined && !states.includes(requiredState)) return false;
  const loss = record.lostBy.find(({ agentId }) => agentId === agent.agentId);
  if (loss !== undefined && (verification?.revision ?? -1n) <= loss.agentsOffset) return false;
  if (record.acceptedOutputModes.length === 0) return true;
  const skill = card.terms.skills.find(({ id }) => id === record.skillId);
  const own = skill?.outputModes ?? [];
  const union = [
    ...card.terms.defaultOutputModes,
    ...card.terms.skills.flatMap(({ outputModes }) => outputModes ?? []),
  ];
  const advertised = skill === undefined ? union : own.length > 0 ? own : card.terms.defaultOutputModes;
  return (verification?.modes ?? []).some(
    (mode) => !mode.includes('*') && inside(mode, record.acceptedOutputModes) && inside(mode, advertised),
  );
};

const mayBeRedispatched = (asked: Asked, record: UnitRecord, command: Redispatch, byOperator: boolean): void => {
  const { contracts } = asked.context;
  const { loss } = record;
  hold(record.inputKept && !record.inputDropped, 'what is sent again was kept');
  if (loss !== undefined)
    hold(
      loss.redispatch?.commandId === command.commandId && loss.number === command.loss,
      'a redispatch answers the loss that stands',
    );
  if (byOperator) return;
  hold(!record.continues, 'what continues other work is not sent again by itself');
  hold(
    record.attempts.filter(({ status }) => status !== 'void').length <= contracts.policy.maxAttempts,
    'no more attempts than allowed',
  );
  const target = command.considered.find(({ agentId }) => agentId === command.agentId);
  hold(target?.lacks.length === 0, 'a target lacks nothing');
  hold(
    mayTakeOver(contractOf(contracts, command.agentId), record, command),
    'a target is verified for what is required',
  );
  const failed = record.attempts
    .filter(({ status, answersLoss }) => status === 'failed' && answersLoss === command.loss)
    .map(({ agentId }) => agentId);
  hold(!failed.includes(command.agentId), 'an agent whose dispatch failed is out for this loss');
  const able = command.considered
    .filter(({ agentId }) => !failed.includes(agentId) && mayTakeOver(contractOf(contracts, agentId), record, command))
    .map(({ agentId }) => agentId);
  const lost = (agentId: string): number => (record.lostBy.some((one) => one.agentId === agentId) ? 1 : 0);
  const rank = (agentId: string): number =>
    contracts.policy.preference.includes(agentId) ? contracts.policy.preference.indexOf(agentId) : 99;
  const [first] = able.sort((a, b) => lost(a) - lost(b) || rank(a) - rank(b) || (a < b ? -1 : 1));
  hold(first === command.agentId, 'the first in order is chosen');
  const recovery = contractOf(contracts, command.lostBy).config?.recovery ?? contracts.policy.recovery;
  const grouped = contracts.policy.substitutionGroups.some((group) => group.includes(command.lostBy));
  const effective = recovery ?? (grouped ? 'always' : 'manual');
  hold(effective !== 'off', 'with recovery off nothing is sent by itself');
  hold((command.awaits === 'operator') === (effective === 'manual'), 'with manual recovery the operator is asked');
};
