import type { TaskState } from './task/task-state.js';

/** What real traffic says about an agent; the verifier folds it into the contracts (R10). */
export type Evidence = {
  readonly agentId: string;
  readonly tenant?: string;
  readonly correlationId: string;
  readonly serverTaskId: string;
} & (
  | { readonly kind: 'state-reobserved'; readonly state: TaskState }
  | { readonly kind: 'task-lost'; readonly state: TaskState | null }
);
