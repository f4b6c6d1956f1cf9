import type { CanaryConfig } from '../../infra/config/config.js';
import type { AgentVerified, VerifiedState } from '../../topology/agent/agent-records.js';
import type { AgentContract } from '../../topology/agent/contracts.js';
import { isInside, isWildcard, parseMediaType } from '../../topology/artifact/media-type.js';
import { STATE_CLASS, TASK_STATES, type TaskState } from '../../topology/task/task-state.js';
import type { Transcript } from './transcript.js';

/** A canary that was put to an agent, and what was seen of it. */
export type CanaryOutcome = { readonly canary: CanaryConfig; readonly transcript: Transcript };

/** What a probe showed, as an `AgentVerified` says it. */
export type Findings = Pick<AgentVerified, 'states' | 'refuted' | 'modes' | 'reobservable' | 'durable'>;

/**
 * What the canaries of one probe prove together (R9, R43). `undefined`: nothing may be concluded, because one of them came
 * to no end, or the agent took none of them.
 *
 * - `working` is proven where it was seen, `submitted` by a task that was begun.
 * - A state in which a task stays (interrupted, terminal) is proven where a fresh client view showed it again with the
 *   same artifacts, and refuted where it did not.
 * - The state that a canary was to force is refuted where the task came to an end without it.
 * - A task that the agent does not know any more withdraws `reobservable` and `durable`, as in real traffic (R10). That it is
 *   seen again proves `reobservable` alone: a fresh connection says nothing about a restart (R9).
 * - A mode is proven by an artifact of that type. What was not seen is not verified.
 */
export const conclude = (
  outcomes: readonly CanaryOutcome[],
  agent: AgentContract,
  now: number,
): Findings | undefined => {
  const ends = outcomes.map(({ transcript }) => transcript.end);
  if (ends.some((end) => end === undefined || end === 'unfinished' || end === 'unreached')) return undefined;
  if (ends.every((end) => end === 'refused')) return undefined;
  const checks = outcomes.flatMap(({ transcript }) => transcript.checks);
  const refuted = new Set([
    ...checks.filter(({ state, found }) => found !== 'same' && !isActive(state)).map(({ state }) => state),
    ...outcomes.flatMap(neverShown),
  ]);
  const probed = new Set(outcomes.flatMap(({ transcript }) => provenBy(transcript)));
  const states = TASK_STATES.filter((state) => !refuted.has(state)).flatMap((state): readonly VerifiedState[] => {
    if (probed.has(state)) return [{ state, basis: 'probed' }];
    return isStillObserved(agent, state, now) ? [{ state, basis: 'observed' }] : [];
  });
  return {
    states,
    refuted: TASK_STATES.filter((state) => refuted.has(state)),
    modes: [...new Set(outcomes.flatMap(emittedModes))].sort(),
    ...(checks.length === 0 ? {} : { reobservable: checks.every(({ found }) => found === 'same') }),
    ...(checks.some(({ found }) => found === 'not-found') ? { durable: false } : {}),
  };
};

const isActive = (state: TaskState): boolean => STATE_CLASS[state] === 'active';

const provenBy = ({ taskId, states, checks }: Transcript): readonly TaskState[] => [
  ...(taskId === undefined ? [] : (['submitted'] as const)),
  ...states.filter(isActive),
  ...checks.filter(({ found }) => found === 'same').map(({ state }) => state),
];

const neverShown = ({ canary: { state }, transcript }: CanaryOutcome): readonly TaskState[] => {
  const { end, states, taskId } = transcript;
  const shown = state === undefined || states.includes(state) || (state === 'submitted' && taskId !== undefined);
  return shown || end === 'refused' || end === 'lost' ? [] : [state];
};

/**
 * What real traffic confirmed under this very card is no probe's business (R10); a changed card, or the end of the
 * verification that it was added to, ends it.
 */
const isStillObserved = ({ verification, card }: AgentContract, state: TaskState, now: number): boolean =>
  verification?.states.get(state) === 'observed' &&
  verification.cardHash === card?.hash &&
  now < verification.expiresAt;

/**
 * The types that were emitted. Where one is what the canary asked for, that is what it proves: the mode as it is
 * advertised, whatever parameters came with it (R19).
 */
const emittedModes = ({ canary, transcript }: CanaryOutcome): readonly string[] => {
  const wanted = canary.mode === undefined ? undefined : parseMediaType(canary.mode);
  return transcript.emitted.flatMap((type) => {
    const media = parseMediaType(type);
    if (media === undefined || isWildcard(media)) return [];
    return [canary.mode !== undefined && wanted !== undefined && isInside(media, wanted) ? canary.mode : type];
  });
};
