import { setTimeout as delay } from 'node:timers/promises';
import { HoldfastError } from '../../infra/errors.js';
import type { Logger } from '../../infra/telemetry/logger.js';
import type { WireObservation } from '../../topology/a2a/exchange.js';
import type { Coordinates } from '../../topology/kit/coordinates.js';
import { recordKey } from '../../topology/kit/record-key.js';
import type { LedgerEntry } from '../../topology/ledger-records.js';
import type { Observation, SpokenObservation } from '../../topology/observation.js';
import type { ArtifactDigests } from '../gateway/artifact-digest.js';
import type { EventLog } from '../mesh/event-log.js';
import { taskIndex } from '../mesh/mesh.js';
import type { TopicTable } from '../mesh/topic-table.js';

export type Heard = Observation | WireObservation;

const AGAIN_AFTER_MS = 1_000;

/**
 * Where the dispatcher writes down what it did and heard. It insists: what an agent said cannot be had a second time, so
 * while the log is away the answer that it was taken from waits.
 */
export class ResultLog {
  readonly #log: Pick<EventLog, 'observe'>;
  readonly #ledger: Pick<TopicTable<LedgerEntry>, 'find'>;
  readonly #logger: Logger;

  constructor(log: Pick<EventLog, 'observe'>, ledger: Pick<TopicTable<LedgerEntry>, 'find'>, logger: Logger) {
    this.#log = log;
    this.#ledger = ledger;
    this.#logger = logger;
  }

  /**
   * Writes observations, those of one answer under the same `digests` (R23). Resolves with their coordinates.
   * @throws HoldfastError the log is away and `stop` aborted
   */
  async write(heard: readonly Heard[], digests: ArtifactDigests, stop: AbortSignal): Promise<readonly Coordinates[]> {
    const observations: Observation[] = [];
    for (const one of heard) {
      const bare = 'content' in one ? digests.take(one) : one;
      observations.push('via' in bare ? await this.#bound(bare) : bare);
    }
    if (observations.length === 0) return [];
    for (;;) {
      try {
        return await this.#log.observe(observations);
      } catch (error) {
        if (!(error instanceof HoldfastError && error.retryable) || stop.aborted) throw error;
        this.#logger.warn({ err: error }, 'results cannot be written; trying again');
        await delay(AGAIN_AFTER_MS, undefined, { signal: stop });
      }
    }
  }

  /** A server task ID that belongs to another unit is said to: the unit's own task of the ledger cannot see it (R54). */
  async #bound<Spoken extends SpokenObservation>(spoken: Spoken): Promise<Spoken> {
    const { tenant, agentId, serverTaskId, correlationId } = spoken;
    const owners = await this.#ledger.find(taskIndex(agentId, tenant, serverTaskId));
    const [owner] = owners;
    return owner === undefined || owners.includes(recordKey(tenant, correlationId))
      ? spoken
      : { ...spoken, boundTo: owner };
  }
}
