/** Generated histories of one unit in a mesh, step by step; every step is checked by whoever listens. */
import fc from 'fast-check';
import type { ObservedRecord, Step } from '../../../topology/decision.js';
import type { Observation } from '../../../topology/observation.js';
import { Ledger, START, type Asked, type OnStep } from './ledger.js';
import { randomAgentRecord, randomMesh } from './mesh.js';
import { Choices } from './random.js';
import type { Tally } from './tally.js';
import { randomWord, WORDS } from './words.js';

/** `nothing` comes first: a failing history shrinks to the steps that matter. */
const KINDS = ['nothing', ...WORDS, 'agent-word', 'clock', 'repeat'] as const;
export type StepKind = (typeof KINDS)[number];

/** A step: what kind of thing happens, and a number from which its particulars are chosen. */
export type HistoryStep = readonly [StepKind, number];
export type History = { readonly mesh: number; readonly steps: readonly HistoryStep[] };

const WEIGHTS: Readonly<Record<StepKind, number>> = {
  nothing: 1,
  dispatch: 4,
  redispatched: 5,
  'dispatch-started': 2,
  'dispatch-failed': 3,
  state: 30,
  artifact: 9,
  message: 1,
  'not-found': 13,
  exchange: 4,
  'stream-closed': 3,
  cancel: 1,
  operator: 3,
  'agent-word': 10,
  clock: 6,
  repeat: 3,
};

const step: fc.Arbitrary<HistoryStep> = fc.tuple(
  fc.oneof(
    { withCrossShrink: true },
    ...KINDS.map((kind) => ({ weight: WEIGHTS[kind], arbitrary: fc.constant(kind) })),
  ),
  fc.noBias(fc.nat()),
);

export const histories = (minLength: number, maxLength: number): fc.Arbitrary<History> =>
  fc.record({ mesh: fc.noBias(fc.nat()), steps: fc.array(step, { minLength, maxLength, size: 'max' }) });

const DAY = 86_400_000;
const JUMPS = [1_000, 6_000, 31_000, 61_000, 16 * 60_000, 61 * 60_000, 8 * DAY, 31 * DAY] as const;

type Remembered = { readonly observation: Observation; readonly event: NonNullable<ObservedRecord['event']> };

const text = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? `${inner.toString()}n` : inner));

type Trace = (() => string)[];

/** Plays a history; `onStep` sees each step with what it was asked. What fails is told with all that led to it. */
export const play = (history: History, onStep: OnStep, tally: Tally): void => {
  const { policy, records } = randomMesh(new Choices(history.mesh), START);
  const trace: Trace = [policy, ...records].map((said) => () => text(said));
  try {
    run(history, new Ledger(records, policy, traced(trace, onStep)), trace, tally);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'unknown';
    throw new Error(
      `${reason}, after\n${trace
        .map((line) => line())
        .filter((line) => line !== '')
        .join('\n')}`,
      { cause },
    );
  }
};

const traced =
  (trace: Trace, onStep: OnStep): OnStep =>
  (before, asked, step) => {
    trace.push(() => told(asked, step));
    onStep(before, asked, step);
  };

const told = (asked: Asked, { decisions }: Step): string => {
  const words = decisions.map(({ judgement }) => `${judgement.word} ${judgement.rule}: ${judgement.reason}`);
  const what =
    asked.kind === 'observation' ? `${text(asked.input.observation)} ${text(asked.input.event ?? null)}` : asked.kind;
  return words.length === 0 ? '' : `${asked.context.now} ${what} -> ${words.join(' | ')}`;
};

const run = ({ mesh, steps }: History, ledger: Ledger, trace: Trace, tally: Tally): void => {
  const choices = new Choices(mesh + 1);
  const remembered: Remembered[] = [];
  const observe = (observation: Observation, choose: Choices): void => {
    const event = { idHash: `id-${String(remembered.length).padStart(6, '0')}`, contentHash: 'content-0' };
    const after = choose.pick([1, 1, 1, 10, 500, 2_000]);
    if (choose.chance(30)) {
      ledger.observe(observation, { after });
      return;
    }
    remembered.push({ observation, event });
    ledger.observe(observation, { after, event });
  };
  // Nearly every unit begins with a dispatch; one that does not was first seen in flight (R50).
  if (choices.chance(92)) observe(randomWord('dispatch', choices, null), choices);

  for (const [kind, seed] of steps) {
    const choose = new Choices(seed);
    switch (kind) {
      case 'nothing':
        break;
      case 'agent-word': {
        const record = randomAgentRecord(choose, ledger.now, (id) => ledger.agent(id), tally);
        if (record === undefined) break;
        trace.push(() => text(record));
        ledger.rank = choose.chance(50) ? choose.below(8) : 0;
        ledger.tell(record);
        break;
      }
      case 'clock':
        ledger.wait(JUMPS[choose.below(choose.chance(85) ? 6 : JUMPS.length)] ?? 1);
        break;
      case 'repeat': {
        const again = choose.any(remembered);
        const other = choose.chance(25) ? { contentHash: 'content-1' } : {};
        if (again !== undefined) ledger.observe(again.observation, { event: { ...again.event, ...other } });
        break;
      }
      default:
        observe(randomWord(kind, choose, ledger.record), choose);
    }
  }
};
