import { advertisedStates, type AgentContract } from '../agent/contracts.js';
import type { Decision } from '../decision.js';
import type { TaskStateObserved } from '../observation.js';
import type { Policy } from '../policy.js';
import { finish, leaveLoss } from '../reconciliation/reconciliation.js';
import type { Judgement } from '../verdict.js';
import type { ViolationCode } from '../vocabulary.js';
import { deferOr } from './deferral.js';
import type { Draft } from './draft.js';
import { bindSpeaker, identify, isDecidedByOther, revive, stopSpeaker } from './speaker.js';
import { isTerminal, readTaskState, type TaskState } from './task-state.js';
import { currentAttempt, type Attempt } from './unit.js';

/** A word in judgement: the observation, whose it is, and the state that it names. */
type Word = {
  readonly seen: TaskStateObserved;
  readonly attempt: Attempt;
  readonly state: TaskState;
};

/**
 * Judges a state (RULES.md section 12, order 3): another Holdfast's word, identity, missing or unknown, snapshot seen,
 * unit decided, advertised, verified, superseded, late push, repeated or accepted.
 */
export const decideState = (draft: Draft, seen: TaskStateObserved, final: boolean): Decision => {
  const read = readTaskState(seen.state);
  const about = { agentId: seen.agentId, serverTaskId: seen.serverTaskId };
  if (read.kind === 'unspecified' && seen.lifecycleReason !== undefined)
    return draft.conclude({ word: 'ignored', rule: 'R2', reason: "another Holdfast's word about the task", ...about });

  const speaker = identify(draft.record, draft.key, seen);
  if (speaker.kind === 'conflict') {
    draft.violate('task-identity-conflict');
    const judgement = {
      word: 'violation',
      code: 'task-identity-conflict',
      rule: 'R54',
      reason: speaker.reason,
    } as const;
    return draft.conclude({ ...judgement, ...about });
  }
  const attempt = bindSpeaker(draft, seen, speaker.attempt);
  if (read.kind !== 'state') {
    const code = read.kind === 'missing' ? 'state-missing' : 'unknown-state';
    draft.violate(code);
    const reason = read.kind === 'missing' ? 'the message names no state' : `no state is called ${seen.state ?? ''}`;
    return draft.conclude({ word: 'violation', code, rule: 'R3', reason, attempt: attempt.number, ...about });
  }
  const word = { seen, attempt, state: read.state };
  const conclude = (judgement: Omit<Judgement, 'contractError'>): Decision =>
    draft.conclude({ ...about, attempt: attempt.number, ...judgement });
  const news = takeNote(draft, word);
  return (
    snapshotSeen(draft, word, news, conclude) ??
    unitDecided(draft, word, conclude) ??
    contractBroken(draft, word, news, final, conclude) ??
    superseded(draft, word, conclude) ??
    latePush(draft, word, conclude) ??
    repeatedOrAccepted(draft, word, news, conclude)
  );
};

type Conclude = (judgement: Omit<Judgement, 'contractError'>) => Decision;

type Notes = { readonly repeated: boolean; readonly news: boolean };

/** Remembers that a state of the attempt was seen, and tells whether snapshot, timestamp and message are new (R46, R47). */
const takeNote = (draft: Draft, { seen, attempt, state }: Word): Notes => {
  const { statusTimestamp, messageId } = seen;
  const snapshot = statusTimestamp === undefined ? [] : [`s:${state}@${statusTimestamp}`];
  const words = [
    ...(statusTimestamp === undefined ? [] : [`t:${statusTimestamp}`]),
    ...(messageId === undefined ? [] : [`m:${messageId}`]),
  ];
  const unseen = [...snapshot, ...words].filter((mark) => !attempt.seen.includes(mark));
  draft.apply({ type: 'StateSeen', number: attempt.number, at: draft.observedAt, marks: unseen });
  // A push may have been sent before the task was lost (R36).
  if (seen.via !== 'push') revive(draft, attempt);
  return {
    repeated: snapshot.some((mark) => attempt.seen.includes(mark)),
    news: words.some((mark) => unseen.includes(mark)),
  };
};

const isCurrent = (draft: Draft, attempt: Attempt): boolean => currentAttempt(draft.record)?.number === attempt.number;

const noteNews = (draft: Draft, attempt: Attempt, news: boolean): void => {
  if (news && isCurrent(draft, attempt)) draft.apply({ type: 'NewsSeen', at: draft.observedAt });
};

/** A follow-up stream repeats the old snapshot first: no step back, not even after the end (R47). */
const snapshotSeen = (
  draft: Draft,
  { seen, attempt, state }: Word,
  notes: Notes,
  conclude: Conclude,
): Decision | undefined => {
  // While lost, the same snapshot in answer to a new question is the task's return, and is judged as such (R36). A push
  // answers nothing.
  const returns = draft.record.loss?.attempt === attempt.number && seen.via !== 'push';
  if (!notes.repeated || returns) return undefined;
  noteNews(draft, attempt, notes.news);
  return conclude({ word: 'idempotent', rule: 'R47', reason: `the snapshot ${state} was seen before` });
};

/** The unit has its terminal state: it never changes, by whatever road and from whatever attempt (R14, R38). */
const unitDecided = (draft: Draft, { attempt, state }: Word, conclude: Conclude): Decision | undefined => {
  const { record } = draft;
  if (!isTerminal(record.state)) return undefined;
  if (state === record.state) {
    if (attempt.ended === null) draft.apply({ type: 'AttemptEnded', number: attempt.number, state });
    return conclude({ word: 'idempotent', rule: 'R14', reason: `the unit is ${state} already` });
  }
  const other = isDecidedByOther(record, attempt);
  if (other && !isTerminal(state)) {
    stopSpeaker(draft, attempt);
    return conclude({
      word: 'stale',
      rule: 'R38',
      reason: `attempt ${attempt.number} still says ${state}, but the unit is ${record.state ?? 'open'}`,
    });
  }
  if (other && attempt.ended === null) draft.apply({ type: 'AttemptEnded', number: attempt.number, state });
  if (other && state === 'canceled' && attempt.cancelAsked)
    return conclude({ word: 'idempotent', rule: 'R38', reason: 'it was told to stop, and did' });
  draft.violate('terminal-change');
  return conclude({
    word: 'violation',
    code: 'terminal-change',
    rule: 'R14',
    reason: `the unit is ${record.state ?? 'open'}; ${state} cannot follow`,
  });
};

/** Advertised and verified, by the card and the verification in force (R13). A refused end is an end all the same (R48). */
const contractBroken = (
  draft: Draft,
  { attempt, state, seen }: Word,
  notes: Notes,
  final: boolean,
  conclude: Conclude,
): Decision | undefined => {
  const agent = draft.agent(seen.agentId);
  const code = stateRefusal(agent, state, draft.context.contracts.policy);
  if (code === undefined) return undefined;
  const deferred = deferOr(draft, seen.agentId, code, final);
  if (deferred !== undefined) return deferred;
  draft.violate(code);
  // Refused as it is, a timestamp or message not seen before shows that the agent is at work (R46).
  noteNews(draft, attempt, notes.news);
  if (isTerminal(state) && isCurrent(draft, attempt)) {
    // It spoke its last word: whatever it was thought to have lost, nobody else repeats the work (R48).
    leaveLoss(draft);
    draft.apply({ type: 'AttemptClosedByViolation', number: attempt.number });
  }
  const { source } = advertisedStates(agent);
  return conclude({
    word: 'violation',
    code,
    rule: isTerminal(state) ? 'R48' : 'R13',
    reason:
      code === 'state-not-advertised'
        ? `${seen.agentId} does not advertise ${state} (${source})`
        : `${seen.agentId} advertises ${state}, but it was never verified`,
  });
};

/** Why an agent may not be in this state; `undefined`: it may (R12, R13). */
export const stateRefusal = (agent: AgentContract, state: TaskState, { assume }: Policy): ViolationCode | undefined => {
  if (!advertisedStates(agent).states.includes(state)) return 'state-not-advertised';
  const { verification } = agent;
  if (verification === undefined || verification.states.has(state)) return undefined;
  return assume.includes(state) && !verification.refuted.includes(state) ? undefined : 'state-not-verified';
};

/** An attempt that a later one replaced, or that was void before it spoke: only its `completed` decides (R38, R60). */
const superseded = (draft: Draft, { attempt, state }: Word, conclude: Conclude): Decision | undefined => {
  if (isCurrent(draft, attempt)) return undefined;
  if (state === 'completed' && attempt.ended !== null) {
    // It would decide the unit, against what the attempt itself had said to be final.
    draft.violate('terminal-change');
    const reason = `attempt ${attempt.number} had ended as ${attempt.ended}; ${state} cannot follow`;
    return conclude({ word: 'violation', code: 'terminal-change', rule: 'R14', reason });
  }
  if (state === 'completed') {
    draft.apply({ type: 'StateAccepted', number: attempt.number, state, at: draft.observedAt });
    finish(draft);
    return conclude({ word: 'accepted', rule: 'R38', reason: `superseded attempt ${attempt.number} completed first` });
  }
  if (isTerminal(state) && attempt.ended === null) draft.apply({ type: 'AttemptEnded', number: attempt.number, state });
  else if (attempt.status === 'void') stopSpeaker(draft, attempt);
  const why = attempt.status === 'void' ? 'its redispatch was void' : 'it was superseded';
  const rule = attempt.status === 'void' ? 'R60' : 'R38';
  return conclude({ word: 'stale', rule, reason: `attempt ${attempt.number} says ${state}, but ${why}` });
};

/** A push may have been on its way before the task was lost: unless terminal it proves nothing (R36). */
const latePush = (draft: Draft, { seen, state, attempt }: Word, conclude: Conclude): Decision | undefined => {
  if (draft.record.loss === undefined || seen.via !== 'push' || isTerminal(state)) return undefined;
  const reason = `the push may be older than the loss of attempt ${attempt.number}`;
  return conclude({ word: 'stale', rule: 'R36', reason });
};

const repeatedOrAccepted = (draft: Draft, word: Word, notes: Notes, conclude: Conclude): Decision => {
  const { attempt, state, seen } = word;
  const { loss } = draft.record;
  if (seen.via === 'poll' && attempt.state === state) witnessReobserved(draft, word);
  if (loss === undefined && attempt.state === state) {
    noteNews(draft, attempt, notes.news);
    return conclude({ word: 'idempotent', rule: 'R15', reason: `the unit is ${state} already` });
  }
  leaveLoss(draft);
  draft.apply({ type: 'StateAccepted', number: attempt.number, state, at: draft.observedAt });
  draft.apply({ type: 'NewsSeen', at: draft.observedAt });
  if (isTerminal(state)) finish(draft);
  return loss === undefined
    ? conclude({ word: 'accepted', rule: 'R15', reason: `${seen.agentId} is at ${state}` })
    : conclude({ word: 'accepted', rule: 'R36', reason: `the lost task of ${seen.agentId} reappeared as ${state}` });
};

/** Seen, and seen again by an independent question: confirmed, where the contracts do not say so yet (R10). */
const witnessReobserved = (draft: Draft, { seen, state }: Word): void => {
  const agent = draft.agent(seen.agentId);
  const basis = agent.verification?.states.get(state);
  if (agent.reobservable && basis !== undefined && basis !== 'assumed') return;
  const { agentId, serverTaskId } = seen;
  draft.witness({ kind: 'state-reobserved', ...draft.unit, agentId, serverTaskId, state });
};
