import type { Producer, Transaction } from 'kafkajs';
import type { HoldfastError } from '../errors.js';
import type { NewRecord, PartitionRef, Position, TransactionalProducer } from '../streams/ports.js';
import { keepCoordinators } from './corrections/cached-coordinators.js';
import { corrected } from './corrected-kafkajs.js';
import { BaseOffsetError, BrokerError } from '../streams/errors.js';
import { RecordTooLargeError, translate } from './kafka-errors.js';
import type { KafkaConnection, KafkaLogger } from './kafka-config.js';
import { groupedBy } from './grouped.js';
import { createCluster } from './open-cluster.js';
import { sending } from './produce-batch.js';
import { keyOf } from './topic-metadata.js';

/** `groupId`: the group whose offsets the transactions carry. */
type Lock = { readonly transactionalId: string; readonly groupId: string };

type BaseOffset = PartitionRef & { readonly baseOffset: bigint };
type SendResult = Awaited<ReturnType<Transaction['sendBatch']>>;

/** Longer than any transaction of ours and than a request may take; a dead writer holds readers up no longer. */
const TRANSACTION_TIMEOUT_MS = 15_000;

/** Short first waits: the broker refuses for milliseconds while it settles a transaction. About three seconds in all. */
const RETRY = { initialRetryTime: 5, maxRetryTime: 300, factor: 0.2, multiplier: 2, retries: 15 };

/** How long `close` waits for an answer that may never come. */
const CLOSE_LIMIT_MS = 2_000;

/**
 * Takes the lock of `transactionalId` and opens a producer that holds it (algorithm A2).
 * @throws FencedError, BrokerError
 */
export async function fenceTransactionalId(
  connection: KafkaConnection,
  logger: KafkaLogger,
  options: Lock,
): Promise<TransactionalProducer> {
  const { internals } = corrected();
  const { cluster, logger: kafkaLogger } = createCluster(connection, logger, { retry: RETRY, maxInFlightRequests: 1 });
  keepCoordinators(cluster);
  const producer = internals.createProducer({
    cluster,
    logger: kafkaLogger,
    retry: RETRY,
    idempotent: true,
    transactionalId: options.transactionalId,
    transactionTimeout: TRANSACTION_TIMEOUT_MS,
    createPartitioner:
      () =>
      ({ message }) =>
        message.partition,
  });
  try {
    await producer.connect();
    // The first call asks for the producer ID; the transaction it begins is local until something is sent in it.
    const first = await producer.transaction();
    return new HeldProducer(producer, first, options);
  } catch (error) {
    void disconnect(producer);
    throw translate(`taking the lock of ${options.transactionalId}`, error, options.transactionalId);
  }
}

class HeldProducer implements TransactionalProducer {
  readonly #producer: Producer;
  readonly #lock: Lock;
  readonly #ends = new Map<string, bigint>();
  #begun: Transaction | undefined;
  #busy = false;
  #dead: HoldfastError | undefined;

  constructor(producer: Producer, begun: Transaction, lock: Lock) {
    this.#producer = producer;
    this.#begun = begun;
    this.#lock = lock;
  }

  readonly commit: TransactionalProducer['commit'] = async ({ records, positions }) => {
    if (this.#dead !== undefined) {
      throw new BrokerError(`the producer is dead: ${this.#dead.message}`, this.#dead);
    }
    if (this.#busy) throw this.#die(new BrokerError('two commits at a time on one producer'));
    // Kafka knows no empty transaction, and kafkajs would call one committed without asking.
    if (records.length === 0 && positions.length === 0) return [];
    this.#busy = true;
    try {
      return await this.#commit(records, positions);
    } catch (error) {
      const failure = translate('committing a transaction', error, this.#lock.transactionalId);
      throw this.#die(failure instanceof RecordTooLargeError ? naming(records, failure) : failure);
    } finally {
      this.#busy = false;
    }
  };

  readonly close = async (): Promise<void> => {
    this.#dead ??= new BrokerError('the producer was closed');
    await disconnect(this.#producer);
  };

  async #commit(records: readonly NewRecord[], positions: readonly Position[]): Promise<BaseOffset[]> {
    const transaction = this.#begun ?? (await this.#producer.transaction());
    this.#begun = undefined;
    const sent = records.length === 0 ? [] : await transaction.sendBatch(sending(records));
    const baseOffsets = this.#checked(records, sent);
    if (positions.length > 0) {
      await transaction.sendOffsets({ consumerGroupId: this.#lock.groupId, topics: offsetsByTopic(positions) });
    }
    if (this.#dead !== undefined) throw this.#dead;
    await transaction.commit();
    return baseOffsets;
  }

  /** Every partition acknowledged once, and past everything acknowledged before: else a batch was taken for an older one. */
  #checked(records: readonly NewRecord[], sent: SendResult): BaseOffset[] {
    const counts = groupedBy(records, keyOf);
    const acknowledged = new Map(sent.map((ack) => [`${ack.topicName}/${ack.partition}`, ack.baseOffset]));
    return [...counts].map(([key, of]) => {
      const [{ topic, partition }] = of as [NewRecord];
      const baseOffset = BigInt(acknowledged.get(key) ?? -1);
      const floor = this.#ends.get(key) ?? 0n;
      if (baseOffset < floor) {
        throw new BaseOffsetError({ topic, partition }, baseOffset, floor);
      }
      this.#ends.set(key, baseOffset + BigInt(of.length));
      return { topic, partition, baseOffset };
    });
  }

  #die(error: HoldfastError): HoldfastError {
    this.#dead ??= error;
    return this.#dead;
  }
}

/** The broker does not say which batch it refused. */
function naming(records: readonly NewRecord[], cause: RecordTooLargeError): RecordTooLargeError {
  const sizes = [...groupedBy(records, keyOf)].map(
    ([key, of]) => [key, of.reduce((sum, { value }) => sum + (value?.length ?? 0), 0)] as const,
  );
  const [largest, bytes] = sizes.reduce((most, one) => (one[1] > most[1] ? one : most));
  return new RecordTooLargeError(
    `a topic takes no batch as large as what is to be written; the largest one, for ${largest}, has ${bytes} bytes. ` +
      'Raise max.message.bytes of the topic ("holdfast topics check" tells what it should be): what waits then goes on by itself',
    cause,
  );
}

function offsetsByTopic(
  positions: readonly Position[],
): { topic: string; partitions: { partition: number; offset: string }[] }[] {
  return [...groupedBy(positions, ({ topic }) => topic)].map(([topic, of]) => ({
    topic,
    partitions: of.map(({ partition, offset }) => ({ partition, offset: offset.toString() })),
  }));
}

/** kafkajs waits for the answers outstanding before it closes its sockets; one that was lost would hold it for long. */
async function disconnect(producer: Producer): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CLOSE_LIMIT_MS);
  });
  await Promise.race([producer.disconnect().catch(() => undefined), limit]);
  clearTimeout(timer);
}
