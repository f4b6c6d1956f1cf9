import { randomUUID } from 'node:crypto';
import type { KafkaConnection, KafkaLogger } from '../../infra/kafka/kafka-config.js';
import { KafkaAdmin } from '../../infra/kafka/kafka-admin.js';
import { createKafkaStreamClients } from '../../infra/kafka/kafka-stream-clients.js';
import type {
  Fetched,
  LogReader,
  LogRecord,
  NewRecord,
  PartitionRef,
  StreamClients,
} from '../../infra/streams/ports.js';

/** The brokers the suite runs against. A tier that cannot run fails. */
export function testBrokers(): string[] {
  const brokers = process.env.HOLDFAST_KAFKA_BROKERS;
  if (brokers === undefined || brokers === '')
    throw new Error('HOLDFAST_KAFKA_BROKERS names no broker to test against');
  return brokers.split(',');
}

export const silent: KafkaLogger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

export const testConnection = (more: Partial<KafkaConnection> = {}): KafkaConnection => ({
  brokers: testBrokers(),
  clientId: 'holdfast-test',
  ...more,
});

/** Topics of one test file, under names of their own, and what was opened; `clean` removes both. */
export class KafkaFixture {
  readonly prefix = `test-${randomUUID().slice(0, 8)}-`;
  readonly admin = new KafkaAdmin(testConnection(), silent);
  readonly #opened: StreamClients[] = [];
  #topics = 0;

  async topic(partitions = 1, config: Readonly<Record<string, string>> = {}): Promise<string> {
    this.#topics += 1;
    const name = `${this.prefix}${this.#topics}`;
    await this.admin.createTopics([{ name, partitions, config }]);
    return name;
  }

  /** A name nobody else uses: a group, a transactional ID. */
  name(what: string): string {
    this.#topics += 1;
    return `${this.prefix}${what}-${this.#topics}`;
  }

  clients(groupId: string, connection = testConnection()): StreamClients {
    const times = { sessionMs: 6_000, rebalanceMs: 10_000, heartbeatMs: 300 };
    const clients = createKafkaStreamClients({ connection, logger: silent, groupId, times });
    this.#opened.push(clients);
    return clients;
  }

  async clean(): Promise<void> {
    await Promise.all(this.#opened.map((clients) => clients.close()));
    await this.admin.deleteTopics(this.prefix);
    await this.admin.close();
  }
}

export const record = (
  at: PartitionRef,
  key: string | null,
  value: string | null,
  headers: Record<string, string> = {},
): NewRecord => ({
  topic: at.topic,
  partition: at.partition,
  key: key === null ? null : Buffer.from(key),
  value: value === null ? null : Buffer.from(value),
  headers: Object.fromEntries(Object.entries(headers).map(([name, header]) => [name, Buffer.from(header)])),
});

const text = (bytes: Uint8Array | null): string | null => (bytes === null ? null : Buffer.from(bytes).toString());

export const readable = ({ offset, key, value }: LogRecord): string =>
  `${offset.toString()} ${text(key)}=${text(value)}`;

/** Everything readable of a partition up to its end, and the places the reading stood at. */
export async function readAll(
  reader: LogReader,
  at: PartitionRef,
): Promise<{ records: string[]; fetched: Fetched[]; end: bigint }> {
  const [bounds] = await reader.bounds([at]);
  if (bounds === undefined) throw new Error('no bounds');
  const fetched: Fetched[] = [];
  await reader.read(at, { from: bounds.low, to: bounds.end }, (some) => {
    fetched.push(some);
    return Promise.resolve();
  });
  return { records: fetched.flatMap(({ records }) => records.map(readable)), fetched, end: bounds.end };
}

/** Polls until `probe` returns something, or the deadline has passed. */
export async function eventually<Found>(
  probe: () => Found | undefined | Promise<Found | undefined>,
  what: string,
  within = 30_000,
): Promise<Found> {
  const deadline = performance.now() + within;
  for (;;) {
    const found = await probe();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(`did not happen within ${within} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The error a promise rejects with. */
export async function rejection(promise: Promise<unknown>): Promise<Error & { code?: string }> {
  const outcome = await promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('error' in outcome) return outcome.error as Error;
  throw new Error(`resolved with ${JSON.stringify(outcome.value)}`);
}
