/** A process to run under the supervisor; `name` tells it from the others of the same backend. */
export type ProcessSpec = {
  readonly name: string;
  readonly command: readonly string[];
  readonly cwd: string;
  /** Standard output and error are appended here. */
  readonly logFile: string;
};

/** What a parent orders. `keep`: go on when the parent ends. `end`: stop everything, remove the directory, exit. */
export type SupervisorOrder =
  | { readonly type: 'start'; readonly spec: ProcessSpec }
  | { readonly type: 'signal'; readonly name: string; readonly signal: NodeJS.Signals }
  | { readonly type: 'keep' }
  | { readonly type: 'end' };

/** What the supervisor tells. `exited` also reports a process that could not be started (code 127). */
export type SupervisorReport =
  | { readonly type: 'started'; readonly name: string; readonly pid: number }
  | { readonly type: 'exited'; readonly name: string; readonly how: string }
  | { readonly type: 'kept' };

/** Both ends are this code, so a message with a known `type` is one of ours. */
export function isOrder(message: unknown): message is SupervisorOrder {
  return hasType(message, ['start', 'signal', 'keep', 'end']);
}

/** See `isOrder`. */
export function isReport(message: unknown): message is SupervisorReport {
  return hasType(message, ['started', 'exited', 'kept']);
}

function hasType(message: unknown, types: readonly string[]): boolean {
  return (
    typeof message === 'object' &&
    message !== null &&
    'type' in message &&
    typeof message.type === 'string' &&
    types.includes(message.type)
  );
}
