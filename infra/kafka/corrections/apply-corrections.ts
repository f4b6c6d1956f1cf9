import { correctConnectionRefusals } from './connection-refusals.js';
import { correctGrouping } from './linear-grouping.js';
import { correctRefusals } from './named-refusals.js';
import { correctProduceEncoding } from './produce-encoding.js';
import { correctSwallowedFailures } from './swallowed-failures.js';
import { correctThrottleTimer } from './throttle-timer.js';

/**
 * Applies every correction that changes kafkajs itself, before the parts that captured the originals are loaded.
 *
 * What is wrong in kafkajs but not met here needs no correction: records are read by `log-fetcher.ts`, not by its
 * consumer (aborted records that leak, empty batches it never gets past, offsets it resets and commits), and a producer
 * is thrown away after the first unknown outcome (sequence numbers it takes back, states it cannot leave).
 */
export function applyCorrections(require: NodeJS.Require): void {
  correctConnectionRefusals(require);
  correctGrouping(require);
  correctProduceEncoding(require);
  correctRefusals(require);
  correctSwallowedFailures(require);
  correctThrottleTimer(require);
}
