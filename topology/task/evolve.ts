import { keepArtifact } from './kept-artifacts.js';
import { isTerminal } from './task-state.js';
import type { UnitEvent } from './unit-events.js';
import type { Attempt, Loss, ServerTask, UnitRecord } from './unit.js';

/** Bounds of what a record remembers (R17, R47, R56). */
export const EVENTS_REMEMBERED = 1_000;
export const VIOLATIONS_KEPT = 100;
export const SEEN_KEPT = 100;
export const VOID_ATTEMPTS_KEPT = 20;

/** The first event of a record is always `UnitOpened`. */
export const openUnit = (event: UnitEvent & { type: 'UnitOpened' }): UnitRecord => ({
  ...(event.tenant === undefined ? {} : { tenant: event.tenant }),
  correlationId: event.correlationId,
  ...(event.principal === undefined ? {} : { principal: event.principal }),
  born: event.born,
  ...(event.skillId === undefined ? {} : { skillId: event.skillId }),
  acceptedOutputModes: event.acceptedOutputModes,
  inputKept: event.inputKept,
  continues: event.continues,
  state: null,
  attempts: [],
  serverTasks: [],
  artifacts: [],
  losses: 0,
  lostBy: [],
  newsAt: event.at,
  silenceAsked: false,
  marks: [],
  seenEvents: [],
  violations: [],
  counts: { violations: 0, redispatches: 0, queries: 0, eventIdConflicts: 0 },
  lastWordAt: event.at,
  inputDropped: false,
});

const change = (record: UnitRecord, number: number, changed: Partial<Attempt>): UnitRecord => ({
  ...record,
  attempts: record.attempts.map((attempt) => (attempt.number === number ? { ...attempt, ...changed } : attempt)),
});

const changeTask = (record: UnitRecord, agentId: string, id: string, changed: Partial<ServerTask>): UnitRecord => ({
  ...record,
  serverTasks: record.serverTasks.map((task): ServerTask =>
    task.agentId === agentId && task.id === id ? { ...task, ...changed } : task,
  ),
});

const changeLoss = (record: UnitRecord, changed: (loss: Loss) => Loss): UnitRecord =>
  record.loss === undefined ? record : { ...record, loss: changed(record.loss) };

const keepLast = <T>(list: readonly T[], added: readonly T[], bound: number): readonly T[] =>
  added.length === 0 ? list : [...list, ...added].slice(-bound);

/**
 * Attempts that were void before anything came of them say nothing more. All but the latest are let go, so that a task
 * that is lost and found again and again does not fill its record.
 */
const forgetVoid = ({ attempts, serverTasks }: UnitRecord): readonly Attempt[] => {
  const empty = attempts.filter(
    ({ status, number }) => status === 'void' && !serverTasks.some(({ attempt }) => attempt === number),
  );
  const forgotten = new Set(empty.slice(0, -VOID_ATTEMPTS_KEPT));
  return forgotten.size === 0 ? attempts : attempts.filter((attempt) => !forgotten.has(attempt));
};

const leaveLoss = ({ loss: _, ...record }: UnitRecord): UnitRecord => ({
  ...record,
  marks: [],
});

const withoutRedispatch = ({ redispatch: _, ...loss }: Loss): Loss => loss;

/** Applies one event. Total and pure: replaying a unit's events always gives the same record. */
export const evolve = (record: UnitRecord, event: UnitEvent): UnitRecord => {
  switch (event.type) {
    case 'UnitOpened':
      return openUnit(event);
    case 'UnitDecided':
      return {
        ...leaveLoss(record),
        state: event.state,
        cause: event.cause,
        terminalAt: event.at,
      };
    case 'RequestReplaced': {
      const { type: _, ...request } = event;
      return { ...record, ...request };
    }
    case 'AttemptBegun':
      return { ...record, attempts: [...forgetVoid(record), event.attempt] };
    case 'AttemptBound':
      return change(record, event.number, { status: 'bound', dispatchedAt: event.at });
    case 'AttemptFailed':
      return change(record, event.number, {
        status: 'failed',
        ...(event.answersLoss === undefined ? {} : { answersLoss: event.answersLoss }),
      });
    case 'AttemptVoided':
      return change(record, event.number, { status: 'void' });
    case 'AttemptEnded':
      return change(record, event.number, { ended: event.state });
    case 'AttemptAnswered':
      return change(record, event.number, { answered: true });
    case 'AttemptClosedByViolation':
      return change(record, event.number, { closedByViolation: true });
    case 'MessageSent':
      return {
        ...record,
        attempts: record.attempts.map((a) =>
          a.number === event.number ? { ...a, messageIds: [...a.messageIds, event.messageId] } : a,
        ),
      };
    case 'ContextGiven':
      return change(record, event.number, { contextId: event.contextId });
    case 'ContextLearned':
      return changeTask(record, event.agentId, event.id, { contextId: event.contextId });
    case 'SendOutcomeLost':
      return change(record, event.number, { sendUnknownAt: event.at });
    case 'CancelAsked':
      return change(record, event.number, { cancelAsked: true });
    case 'ServerTaskBound':
      return {
        ...record,
        serverTasks: [
          ...record.serverTasks.filter((task) => task.agentId !== event.agentId || task.id !== event.id),
          {
            agentId: event.agentId,
            id: event.id,
            attempt: event.number,
            lost: false,
            ...(event.contextId === undefined ? {} : { contextId: event.contextId }),
          },
        ],
      };
    case 'ServerTaskLost':
      return changeTask(record, event.agentId, event.id, { lost: true });
    case 'ServerTaskFound':
      return changeTask(record, event.agentId, event.id, { lost: false });
    case 'StateSeen':
      return {
        ...record,
        attempts: record.attempts.map((a) =>
          a.number === event.number ? { ...a, seenAt: event.at, seen: keepLast(a.seen, event.marks, SEEN_KEPT) } : a,
        ),
      };
    case 'MarkRemembered':
      return {
        ...record,
        attempts: record.attempts.map((a) =>
          a.number === event.number ? { ...a, seen: keepLast(a.seen, [event.mark], SEEN_KEPT) } : a,
        ),
      };
    case 'StateAccepted':
      return acceptState(record, event);
    case 'NewsSeen':
      return {
        ...record,
        newsAt: event.at,
        silenceAsked: false,
        marks: record.marks.filter((mark) => mark !== 'stalled'),
      };
    case 'ArtifactKept':
      return { ...record, artifacts: keepArtifact(record, event.artifact) };
    case 'ViolationFound':
      return {
        ...record,
        violations: keepLast(record.violations, [event.violation], VIOLATIONS_KEPT),
        counts: { ...record.counts, violations: record.counts.violations + 1 },
      };
    case 'LossBegan':
      return {
        ...record,
        losses: event.loss.number,
        loss: event.loss,
        marks: [],
        lostBy: event.lost
          ? [
              ...record.lostBy.filter(({ agentId }) => agentId !== event.loss.agentId),
              { agentId: event.loss.agentId, agentsOffset: event.agentsOffset },
            ]
          : record.lostBy,
      };
    case 'LossLeft':
      return leaveLoss(record);
    case 'LossHeld':
      return changeLoss(record, (loss) => ({ ...loss, held: true }));
    case 'ReexaminationSet':
      return changeLoss(record, (loss) => ({ ...loss, reexamineAt: event.at }));
    case 'ReexaminationDone':
      return changeLoss(record, ({ reexamineAt: _, ...loss }) => loss);
    case 'RedispatchIssued':
      return {
        ...changeLoss(record, ({ reexamineAt: _, ...loss }) => ({ ...loss, redispatch: event.redispatch })),
        marks: record.marks.filter((mark) => mark !== 'no-candidate'),
        counts: { ...record.counts, redispatches: record.counts.redispatches + 1 },
      };
    case 'RedispatchRepeated':
      return changeLoss(record, (loss) =>
        loss.redispatch === undefined
          ? loss
          : { ...loss, redispatch: { ...loss.redispatch, issuedAt: event.at, awaitsApproval: event.awaitsApproval } },
      );
    case 'RedispatchClosed':
      return changeLoss(record, withoutRedispatch);
    case 'ContractErrorRaised':
      return changeLoss(record, (loss) => ({ ...loss, contractErrors: [...loss.contractErrors, event.code] }));
    case 'OperatorCalled':
      return record.marks.includes(event.mark) ? record : { ...record, marks: [...record.marks, event.mark] };
    case 'SilenceAsked':
      return { ...record, silenceAsked: true };
    case 'TaskQueried':
      return { ...record, counts: { ...record.counts, queries: record.counts.queries + 1 } };
    case 'ObservationDeferred':
      return {
        ...record,
        deferral:
          record.deferral === undefined
            ? { ...event.deferral, queue: [event.item] }
            : { ...record.deferral, queue: [...record.deferral.queue, event.item] },
      };
    case 'DeferralEnded': {
      const { deferral: _, ...rest } = record;
      return rest;
    }
    case 'EventRemembered':
      return {
        ...record,
        seenEvents: keepLast(record.seenEvents, [event.fingerprint], EVENTS_REMEMBERED),
        counts: {
          ...record.counts,
          eventIdConflicts: record.counts.eventIdConflicts + (event.conflict ? 1 : 0),
        },
      };
    case 'WordHeard':
      return { ...record, lastWordAt: event.at };
    case 'InputDropped':
      return { ...record, inputDropped: true };
  }
};

const acceptState = (record: UnitRecord, event: UnitEvent & { type: 'StateAccepted' }): UnitRecord => {
  const terminal = isTerminal(event.state);
  return {
    ...change(record, event.number, {
      state: event.state,
      closedByViolation: false,
      ...(terminal ? { ended: event.state } : {}),
    }),
    state: event.state,
    ...(terminal ? { decidedBy: event.number, terminalAt: event.at } : {}),
  };
};
