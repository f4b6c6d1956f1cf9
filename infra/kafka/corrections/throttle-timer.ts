type RequestQueue = {
  throttledUntil: number;
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  readonly pending: readonly unknown[];
  checkPendingRequests(): void;
  scheduleCheckPendingRequests(): void;
};

const CHECK_INTERVAL_MS = 10;

/**
 * kafkajs sets a timer after every answer, for "throttled until" minus now: minus the epoch when nothing is throttled.
 * Node runs that at once, and from version 24 on warns of it. With nothing pending there is nothing to check.
 */
export function correctThrottleTimer(require: NodeJS.Require): void {
  const { prototype } = require('kafkajs/src/network/requestQueue') as { prototype: RequestQueue };
  prototype.scheduleCheckPendingRequests = function (this: RequestQueue): void {
    if (this.throttleCheckTimeoutId !== null || this.pending.length === 0) return;
    const wait = this.throttledUntil - Date.now();
    this.throttleCheckTimeoutId = setTimeout(
      () => {
        this.throttleCheckTimeoutId = null;
        this.checkPendingRequests();
      },
      wait > 0 ? wait : CHECK_INTERVAL_MS,
    );
  };
}
