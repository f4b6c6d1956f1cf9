import { HoldfastError } from '../errors.js';
import type { PartitionRef } from './ports.js';

/**
 * Failures of the stream runtime and of the ports under it. What each leads to is decided in `failure-policy.ts` by its
 * code, nowhere else. Adapters throw `FencedError`, `BrokerError`, `OffsetLostError`, `TopicMissingError`,
 * `StoreLockedError` and `StoreFailedError`, with the library's error as `cause`.
 */

const at = ({ topic, partition }: PartitionRef): string => `${topic}/${partition}`;

/** Another owner holds the lock of this transactional ID. Nothing of the running transaction becomes visible. */
export class FencedError extends HoldfastError {
  readonly transactionalId: string;

  constructor(transactionalId: string, cause?: unknown) {
    super(`another owner has taken the transactional ID ${transactionalId}`, {
      code: 'HOLDFAST_STREAM_FENCED',
      retryable: false,
      cause,
    });
    this.transactionalId = transactionalId;
  }
}

/** A call to the broker failed; whether it took effect is unknown. */
export class BrokerError extends HoldfastError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'HOLDFAST_STREAM_BROKER', retryable: true, cause });
  }
}

/** Records that had to be read are gone from the log. Going on would skip them silently, so nothing goes on. */
export class OffsetLostError extends HoldfastError {
  readonly partition: PartitionRef;

  constructor(partition: PartitionRef, wanted: bigint, low: bigint) {
    super(
      `${at(partition)} begins at offset ${low.toString()}, but offset ${wanted.toString()} has not been read yet`,
      {
        code: 'HOLDFAST_STREAM_OFFSET_LOST',
        retryable: false,
      },
    );
    this.partition = partition;
  }
}

export class TopicMissingError extends HoldfastError {
  readonly topics: readonly string[];

  constructor(topics: readonly string[], cause?: unknown) {
    super(`the broker has no topic ${topics.join(', ')} ("holdfast topics create" makes those of Holdfast)`, {
      code: 'HOLDFAST_STREAM_TOPIC_MISSING',
      retryable: false,
      cause,
    });
    this.topics = topics;
  }
}

/** Another process, or another task of this one, has the store open. */
export class StoreLockedError extends HoldfastError {
  constructor(name: string, cause?: unknown) {
    super(`store ${name} is open in another process: stop that one, or give this one another name (instanceId)`, {
      code: 'HOLDFAST_STREAM_STORE_LOCKED',
      retryable: true,
      cause,
    });
  }
}

/** The store cannot be trusted any more: wipe it and restore it from the changelog. */
export class StoreFailedError extends HoldfastError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'HOLDFAST_STREAM_STORE_FAILED', retryable: true, cause });
  }
}

/** The topics of an application do not fit together, or not any more. */
export class PartitionsUnequalError extends HoldfastError {
  constructor(counts: ReadonlyMap<string, number>, expected: string) {
    super(
      `${expected}; found ${[...counts].map(([topic, count]) => `${topic}: ${count}`).join(', ')}. ` +
        'Partitions are fixed for the life of an application: keys would move between them',
      { code: 'HOLDFAST_STREAM_PARTITIONS_UNEQUAL', retryable: false },
    );
  }
}

/** The changelog or the store holds what no version of this application wrote. A fault of the machine, not of the data. */
export class TaskCorruptedError extends HoldfastError {
  readonly partition: PartitionRef;

  constructor(partition: PartitionRef, key: string, detail: string) {
    super(`${at(partition)} holds an unreadable record under key ${JSON.stringify(key)}: ${detail}`, {
      code: 'HOLDFAST_STREAM_TASK_CORRUPTED',
      retryable: false,
    });
    this.partition = partition;
  }
}

/** A partition has written outputs, but its changelog is empty: starting would decide everything a second time. */
export class StateLostError extends HoldfastError {
  readonly partition: PartitionRef;

  constructor(changelog: PartitionRef, evidence: PartitionRef) {
    super(`${at(changelog)} is empty although ${at(evidence)} has been written to: the changelog was deleted`, {
      code: 'HOLDFAST_STREAM_STATE_LOST',
      retryable: false,
    });
    this.partition = changelog;
  }
}

/** The processor broke its contract; the same input would break it again. */
export class ProcessorFaultError extends HoldfastError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'HOLDFAST_STREAM_PROCESSOR_FAULT', retryable: false, cause });
  }
}

/** The broker acknowledged a batch under an offset it had given out before: acknowledged records are missing. */
export class BaseOffsetError extends HoldfastError {
  readonly partition: PartitionRef;

  constructor(partition: PartitionRef, base: bigint, floor: bigint) {
    super(`${at(partition)} acknowledged a batch at offset ${base.toString()}, below ${floor.toString()}`, {
      code: 'HOLDFAST_STREAM_BASE_OFFSET',
      retryable: false,
    });
    this.partition = partition;
  }
}

/** Fenced without a rebalance that explains it: another application uses the same application ID. */
export class RepeatedlyFencedError extends HoldfastError {
  constructor(transactionalId: string, detail: string, cause?: unknown) {
    super(`${transactionalId} was fenced ${detail}: does another application use this application ID?`, {
      code: 'HOLDFAST_STREAM_REPEATEDLY_FENCED',
      retryable: false,
      cause,
    });
  }
}

/** The membership of the consumer group ended and will not come back by itself. */
export class MembershipLostError extends HoldfastError {
  constructor(groupId: string, cause?: unknown) {
    const why = cause instanceof Error ? `: ${cause.message}` : '';
    super(`the membership of group ${groupId} has ended${why}`, {
      code: 'HOLDFAST_STREAM_MEMBERSHIP_LOST',
      retryable: false,
      cause,
    });
  }
}

/** The topology is not one that can run. */
export class TopologyInvalidError extends HoldfastError {
  readonly faults: readonly string[];

  constructor(applicationId: string, faults: readonly string[]) {
    super(`topology ${applicationId} does not hold together: ${faults.join('; ')}`, {
      code: 'HOLDFAST_STREAM_TOPOLOGY_INVALID',
      retryable: false,
    });
    this.faults = faults;
  }
}
