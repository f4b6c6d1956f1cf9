import { setTimeout as delay } from 'node:timers/promises';
import type { CoordinatorCalls, FindCoordinator } from '../kafkajs-internals.js';

type Coordinator = CoordinatorCalls & { isConnected(): boolean };

/** The part of a producer's cluster that is corrected. */
export type CoordinatorFinder = { findGroupCoordinator(options: FindCoordinator): Promise<Coordinator> };

/** What the broker says and kafkajs knows, against what kafkajs's own retry in `sendOffsets` waits for. */
const NAMES_AWAITED: Readonly<Record<string, string>> = {
  GROUP_LOAD_IN_PROGRESS: 'COORDINATOR_LOAD_IN_PROGRESS',
  GROUP_COORDINATOR_NOT_AVAILABLE: 'COORDINATOR_NOT_AVAILABLE',
  NOT_COORDINATOR_FOR_GROUP: 'NOT_COORDINATOR',
};

/** How long a finished transaction may take to be written out before the next one gives up, ms. */
const SETTLING_LIMIT_MS = 10_000;

/**
 * Corrects what a producer's cluster does with coordinators; for a cluster that serves one transactional producer.
 *
 * - kafkajs asks for the coordinator before each of its four requests, nine round trips a transaction instead of five.
 *   Here an answer is kept until a request to that coordinator fails.
 * - Its retry of TxnOffsetCommit waits for error names that its own table does not have, so it never happens.
 * - A broker that still writes out the last transaction refuses the next (CONCURRENT_TRANSACTIONS). kafkajs then fetches
 *   metadata and backs off; waiting a millisecond or two on the spot is what it takes.
 */
export function keepCoordinators(cluster: CoordinatorFinder): void {
  const kept = new Map<string, Coordinator>();
  const find = cluster.findGroupCoordinator.bind(cluster);
  cluster.findGroupCoordinator = async (wanted: FindCoordinator) => {
    const key = `${wanted.coordinatorType ?? 0}:${wanted.groupId}`;
    const known = kept.get(key);
    if (known?.isConnected() === true) return known;
    const coordinator = watched(await find(wanted), () => kept.delete(key));
    kept.set(key, coordinator);
    return coordinator;
  };
}

function watched(coordinator: Coordinator, onFailure: () => void): Coordinator {
  const watch =
    <Request>(call: (request: Request) => Promise<unknown>) =>
    async (request: Request): Promise<unknown> => {
      try {
        return await call(request);
      } catch (error) {
        onFailure();
        throw error;
      }
    };
  return {
    isConnected: () => coordinator.isConnected(),
    initProducerId: watch((request) => coordinator.initProducerId(request)),
    addPartitionsToTxn: watch((request) => onceSettled(() => coordinator.addPartitionsToTxn(request))),
    addOffsetsToTxn: watch((request) => onceSettled(() => coordinator.addOffsetsToTxn(request))),
    txnOffsetCommit: watch(async (request) => {
      try {
        return await coordinator.txnOffsetCommit(request);
      } catch (error) {
        throw renamed(error);
      }
    }),
    endTxn: watch((request) => coordinator.endTxn(request)),
  };
}

/** Both requests it is used for were refused as a whole, so that asking again changes nothing that happened. */
async function onceSettled(ask: () => Promise<unknown>): Promise<unknown> {
  const deadline = performance.now() + SETTLING_LIMIT_MS;
  for (let wait = 1; ; wait = Math.min(wait * 2, 20)) {
    try {
      return await ask();
    } catch (error) {
      if (typeOf(error) !== 'CONCURRENT_TRANSACTIONS' || performance.now() > deadline) throw error;
      await delay(wait);
    }
  }
}

function renamed(error: unknown): unknown {
  const name = NAMES_AWAITED[typeOf(error) ?? ''];
  return name === undefined ? error : Object.assign(error as Error, { type: name });
}

function typeOf(error: unknown): string | undefined {
  const { type } = error as { type?: unknown };
  return typeof type === 'string' ? type : undefined;
}
