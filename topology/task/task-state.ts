/** The eight canonical task states of A2A (R1), in the order of the specification's enum. */
export const TASK_STATES = [
  'submitted',
  'working',
  'input-required',
  'auth-required',
  'completed',
  'failed',
  'canceled',
  'rejected',
] as const;
export type TaskState = (typeof TASK_STATES)[number];

type StateClass = 'active' | 'interrupted' | 'terminal';

/** What kind of state it is (R1). A table, so that tests can walk the whole of it. */
export const STATE_CLASS = {
  submitted: 'active',
  working: 'active',
  'input-required': 'interrupted',
  'auth-required': 'interrupted',
  completed: 'terminal',
  failed: 'terminal',
  canceled: 'terminal',
  rejected: 'terminal',
} as const satisfies Record<TaskState, StateClass>;

export const isTerminal = (state: TaskState | null): boolean => state !== null && STATE_CLASS[state] === 'terminal';
export const isInterrupted = (state: TaskState | null): boolean =>
  state !== null && STATE_CLASS[state] === 'interrupted';

/** Every official spelling: the 0.3 words, the 1.0 enum names, and the two-L form of the 0.3 REST/gRPC enum (R1). */
const SPELLINGS: ReadonlyMap<string, TaskState> = new Map([
  ...TASK_STATES.flatMap((state): [string, TaskState][] => [
    [state, state],
    [`TASK_STATE_${state.toUpperCase().replace('-', '_')}`, state],
  ]),
  ['TASK_STATE_CANCELLED', 'canceled'],
]);

export const STATE_SPELLINGS: readonly string[] = [...SPELLINGS.keys()];

const UNSPECIFIED: ReadonlySet<string> = new Set(['TASK_STATE_UNSPECIFIED', 'unknown']);

export type ReadState =
  | { readonly kind: 'state'; readonly state: TaskState }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unspecified' }
  | { readonly kind: 'unknown'; readonly spelling: string };

/** Reads a state as it stood on the wire. Nothing is guessed: no default, no folding of case (R3). */
export const readTaskState = (wire: string | null | undefined): ReadState => {
  if (wire === undefined || wire === null || wire === '') return { kind: 'missing' };
  const state = SPELLINGS.get(wire);
  if (state !== undefined) return { kind: 'state', state };
  return UNSPECIFIED.has(wire) ? { kind: 'unspecified' } : { kind: 'unknown', spelling: wire };
};
