import { decideArtifact } from './artifact/artifact.decider.js';
import { contractOf } from './agent/contracts.js';
import type { Decision, DecisionContext, ObservedRecord, Step } from './decision.js';
import type { Observation } from './observation.js';
import { isParked, replacementAtHand, seekReplacement } from './reconciliation/reconciliation.js';
import { isAnswered, waitBehind } from './task/deferral.js';
import { decideDispatch, decideDispatchFailed, decideDispatchStarted, requestOf } from './task/dispatch.decider.js';
import { Draft } from './task/draft.js';
import { openUnit } from './task/evolve.js';
import { decideExchange, decideMessage, decideStreamClosed } from './task/exchange.decider.js';
import { decideNotFound, hasServiceIdentity, notFoundIn } from './task/not-found.decider.js';
import { decideCancel, decideOperator } from './task/operator.decider.js';
import { decideState } from './task/state.decider.js';
import { earliestTimer, fireTimer } from './task/timers.js';
import type { UnitEvent } from './task/unit-events.js';
import type { Policy } from './policy.js';
import type { Attempt, UnitRecord } from './task/unit.js';

/**
 * The ledger's decisions over one unit of work: an observation, a timer, a change of an agent. Pure, total, synchronous;
 * each decision has exactly one verdict. The order of judgement is that of RULES.md section 12.
 */

const step = (record: UnitRecord | null, decisions: readonly Decision[]): Step => ({
  record,
  decisions,
  dropInput: false,
});

/** Judges one observation of a unit. Undecodable, misrouted and null records never come here. */
export const observe = (record: UnitRecord | null, input: ObservedRecord, context: DecisionContext): Step => {
  const { observation } = input;
  if (record === null && !opensUnit(observation)) return step(null, [withoutRecord(input, context)]);
  const draft = record === null ? openDraft(input, context) : new Draft(record, context, input);
  const fingerprint = input.event && `${input.event.idHash}${input.event.contentHash}`;
  if (fingerprint !== undefined && draft.record.seenEvents.includes(fingerprint)) {
    draft.apply({ type: 'WordHeard', at: context.now });
    const reason = 'the same event of the same source again';
    return step(draft.record, [draft.conclude({ word: 'idempotent', rule: 'R17', reason })]);
  }
  if (input.event !== undefined && fingerprint !== undefined) {
    const { idHash } = input.event;
    const conflict = draft.record.seenEvents.some((seen) => seen.startsWith(idHash));
    draft.apply({ type: 'EventRemembered', fingerprint, conflict });
  }
  draft.apply({ type: 'WordHeard', at: context.now });
  draft.keepSoFar();
  const { deferral } = draft.record;
  const decision = deferral === undefined ? judge(draft, observation, false) : waitBehind(draft, input, deferral);
  // What nothing follows from opens no unit either.
  if (record === null && decision.judgement.word === 'ignored') return step(null, [{ ...decision, events: [] }]);
  return step(draft.record, [decision]);
};

const judge = (draft: Draft, observation: Observation, final: boolean): Decision => {
  switch (observation.type) {
    case 'DispatchObserved':
      return decideDispatch(draft, observation);
    case 'DispatchStarted':
      return decideDispatchStarted(draft, observation);
    case 'DispatchFailed':
      return decideDispatchFailed(draft, observation);
    case 'TaskStateObserved':
      return decideState(draft, observation, final);
    case 'ArtifactObserved':
      return decideArtifact(draft, observation, final);
    case 'MessageObserved':
      return decideMessage(draft, observation);
    case 'TaskNotFoundObserved':
      return decideNotFound(draft, observation);
    case 'ExchangeObserved':
      return decideExchange(draft, observation);
    case 'StreamClosed':
      return decideStreamClosed(draft, observation);
    case 'CancelRequested':
      return decideCancel(draft, observation);
    case 'OperatorDecided':
      return decideOperator(draft, observation);
  }
};

/** A dispatch opens a unit; so does a word of an agent, first seen in flight (R50). */
const opensUnit = ({ type }: Observation): boolean =>
  type === 'DispatchObserved' ||
  type === 'TaskStateObserved' ||
  type === 'ArtifactObserved' ||
  type === 'MessageObserved';

/** What is said about a unit that is not, or not any more, on record: it has no effect. */
const withoutRecord = (input: ObservedRecord, context: DecisionContext): Decision => {
  const { observation } = input;
  // A blank record, never kept: it lets the decision be concluded as every other.
  const draft = new Draft(openUnit(opening(input, UNKNOWN_REQUEST)), context, input);
  const lost = notFoundIn(observation);
  if (lost !== undefined && (lost.by === 'client' || hasServiceIdentity(draft, lost.agentId))) {
    const { agentId, serverTaskId } = lost;
    const reason = `no task ${serverTaskId} is bound to this unit`;
    return draft.conclude({ word: 'stale', rule: 'R28', reason, agentId, serverTaskId });
  }
  const reason = 'nothing is on record about this unit';
  const about = 'agentId' in observation ? { agentId: observation.agentId } : {};
  return draft.conclude({ word: 'ignored', rule: 'R50', reason, ...about });
};

type Request = ReturnType<typeof requestOf>;
const UNKNOWN_REQUEST: Request = { acceptedOutputModes: [], inputKept: false, continues: false };

const opening = (
  { observation, coordinates, time }: ObservedRecord,
  request: Request,
): UnitEvent & { type: 'UnitOpened' } => {
  const { tenant, correlationId } = observation;
  const principal = observation.type === 'DispatchObserved' ? observation.principal : undefined;
  return {
    type: 'UnitOpened',
    ...(tenant === undefined ? {} : { tenant }),
    correlationId,
    ...(principal === undefined ? {} : { principal }),
    born: `${coordinates.partition}/${coordinates.offset.toString()}`,
    ...request,
    at: time,
  };
};

const openDraft = (input: ObservedRecord, context: DecisionContext): Draft => {
  const { observation } = input;
  const agentId = 'agentId' in observation ? observation.agentId : undefined;
  const agent = contractOf(context.contracts, agentId ?? '');
  const skillId = agent.config?.defaultSkill;
  const request =
    observation.type === 'DispatchObserved'
      ? requestOf(agent, observation)
      : { ...UNKNOWN_REQUEST, ...(skillId === undefined ? {} : { skillId }) };
  const opened = opening(input, request);
  const draft = new Draft(openUnit(opened), context, input, [opened]);
  if (observation.type !== 'DispatchObserved' && agentId !== undefined)
    draft.apply({ type: 'AttemptBegun', attempt: seenAttempt(agentId, input.time) });
  return draft;
};

/** First seen in flight: an attempt that nobody dispatched through us (R50). */
const seenAttempt = (agentId: string, at: number): Attempt => ({
  number: 1,
  agentId,
  by: 'seen',
  status: 'bound',
  messageIds: [],
  dispatchedAt: at,
  state: null,
  ended: null,
  answered: false,
  closedByViolation: false,
  seen: [],
  cancelAsked: false,
});

/** Judges all that waited, in the original order, once and for good (R8). */
const judgeDeferred = (record: UnitRecord, context: DecisionContext): Step => {
  let current = record;
  const decisions: Decision[] = [];
  for (const [index, item] of (record.deferral?.queue ?? []).entries()) {
    const draft = new Draft(current, context, item);
    if (index === 0) draft.apply({ type: 'DeferralEnded' });
    decisions.push(judge(draft, item.observation, true));
    current = draft.record;
  }
  return step(current, decisions);
};

/** Whoever became able to take a lost unit over, also while it waited for evidence, is asked to (R35). */
const lookAgain = (record: UnitRecord, context: DecisionContext): Step => {
  const draft = new Draft(record, context);
  if (record.loss?.reexamineAt !== undefined || replacementAtHand(draft) === undefined) return step(record, []);
  seekReplacement(draft);
  const reason = 'somebody can take it over now';
  return step(draft.record, [draft.conclude({ word: 'decided', rule: 'R35', reason })]);
};

/** When the record wants to be woken, ms (R8, R35, R46, R52, R56, R60). */
export const dueAt = (record: UnitRecord, policy: Policy): number | undefined => earliestTimer(record, policy)?.due;

/** Fires everything that is due by `context.now`, earliest first. */
export const fireDue = (record: UnitRecord, context: Omit<DecisionContext, 'trigger'>): Step => {
  let current = record;
  let dropInput = false;
  const decisions: Decision[] = [];
  for (;;) {
    const next = earliestTimer(current, context.contracts.policy);
    if (next === undefined || next.due > context.now) return { record: current, decisions, dropInput };
    const fired: DecisionContext = { ...context, trigger: { kind: 'timer', ...next } };
    if (next.timer === 'deferral') {
      const judged = judgeDeferred(current, fired);
      const looked = lookAgain(judged.record ?? current, fired);
      decisions.push(...judged.decisions, ...looked.decisions);
      current = looked.record ?? current;
      continue;
    }
    const { decision, record: after } = fireTimer(current, next.timer, fired);
    decisions.push(decision);
    if (next.timer === 'input-retention') dropInput = true;
    if (next.timer === 'retention') return { record: null, decisions, dropInput };
    current = after;
  }
};

/**
 * Looks at a unit again after an agent or the policy changed: what it waits for may be answered (R8), or somebody may now
 * be able to take it over (R35). `rank` counts the units of this change that something followed for: beyond
 * `reexaminePerSecond` the next ones wait their turn, so that no agent is flooded.
 */
export const agentsChanged = (record: UnitRecord, context: DecisionContext, rank: number): Step => {
  const { deferral, loss } = record;
  if (deferral !== undefined) {
    const agent = contractOf(context.contracts, deferral.agentId);
    return isAnswered(deferral, agent) ? judgeDeferred(record, context) : step(record, []);
  }
  const draft = new Draft(record, context);
  if (loss?.reexamineAt !== undefined || replacementAtHand(draft) === undefined) return step(record, []);
  const turn = Math.floor(rank / context.contracts.policy.reexaminePerSecond);
  if (turn > 0) {
    draft.apply({ type: 'ReexaminationSet', at: context.now + turn * 1_000 });
    const reason = 'somebody can take it over now; waits its turn';
    return step(draft.record, [draft.conclude({ word: 'decided', rule: 'R35', reason })]);
  }
  return lookAgain(record, context);
};

/** Names under which a unit is found when an agent changes. */
export const indexesOf = (record: UnitRecord): readonly string[] => {
  if (record.deferral !== undefined) return [deferredIndex(record.deferral.agentId)];
  return isParked(record) ? [PARKED_INDEX] : [];
};

export const PARKED_INDEX = 'parked';
export const deferredIndex = (agentId: string): string => `deferred/${agentId}`;
