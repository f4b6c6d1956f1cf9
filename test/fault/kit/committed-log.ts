/**
 * Reads a run's topics with Apache Kafka's own console consumer, read committed: what is counted and compared was not read
 * by the client library under test. The values come as text in which every byte can be told, and are decoded here.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { kafkaTool } from '../../../infra/local/kafka-tool.js';
import { dyingWithParent } from '../../../infra/local/run-command.js';
import { openRegistryClient } from '../../../infra/registry/registry-client.js';
import type { LogRecord } from '../../../infra/streams/ports.js';
import { subjects } from '../../../schemas/catalogue.js';
import { TASK_EVENTS, TOPICS } from '../../../topology/topics.js';
import type { FaultRun } from './fault-run.js';

/** The committed records of each topic, by its name without the run's prefix, in order of partition and offset. */
export type CommittedLog = ReadonlyMap<string, readonly LogRecord[]>;

/** The consumer ends when nothing more has come for so long. */
const NOTHING_MORE_MS = 4_000;
const SEPARATOR = '\t';
const HEADER_SEPARATOR = '\v';
/** Goes through the deserializer, as a value would: a text that nothing else here is. */
const NULL = '<holdfast-null>';
const BYTES = 'org.apache.kafka.common.serialization.BytesDeserializer';

const FORMAT: Readonly<Record<string, string>> = {
  'print.timestamp': 'true',
  'print.partition': 'true',
  'print.offset': 'true',
  'print.headers': 'true',
  'print.key': 'true',
  'print.value': 'true',
  'key.separator': SEPARATOR,
  'headers.separator': HEADER_SEPARATOR,
  'null.literal': NULL,
  // `Bytes.toString` keeps printable ASCII and writes every other byte, and the backslash, as \xHH.
  'key.deserializer': BYTES,
  'value.deserializer': BYTES,
  'headers.deserializer': BYTES,
};

export const readCommitted = async (run: FaultRun): Promise<CommittedLog> => {
  const names = TOPICS.map(({ name }) => run.topic(name));
  const topicOf = await topicBySchema(run);
  const read = new Map<string, LogRecord[]>(TOPICS.map(({ name }) => [name, []]));
  await consume(run, names, (line) => {
    const record = recordOf(line);
    // The consumer does not print the topic, but each schema is one topic's, and only inputs are without one.
    const id = record.value?.[0] === 0 ? Buffer.from(record.value).readInt32BE(1) : undefined;
    const topic = (id === undefined ? undefined : topicOf.get(id)) ?? TASK_EVENTS.name;
    read.get(topic)?.push({ ...record, topic });
  });
  for (const records of read.values()) records.sort((a, b) => a.partition - b.partition || Number(a.offset - b.offset));
  return read;
};

const topicBySchema = async ({ registryUrl, schemaPrefix }: FaultRun): Promise<ReadonlyMap<number, string>> => {
  const client = openRegistryClient({ url: registryUrl });
  const known = await Promise.all(
    subjects(schemaPrefix).map(async ({ subject, schema, catalogueTopic }) => {
      const id = await client.idOf(subject, schema);
      if (id === undefined) throw new Error(`${subject} is not registered`);
      return [id, catalogueTopic] as const;
    }),
  );
  return new Map(known);
};

const consume = async (
  { config }: FaultRun,
  topics: readonly string[],
  onLine: (line: string) => void,
): Promise<void> => {
  const { args, command } = await kafkaTool('org.apache.kafka.tools.consumer.ConsoleConsumer', [
    ...['--bootstrap-server', config.kafka.brokers.join(',')],
    ...['--include', topics.map((topic) => topic.replaceAll('.', '\\.')).join('|')],
    '--from-beginning',
    ...['--isolation-level', 'read_committed'],
    ...['--timeout-ms', String(NOTHING_MORE_MS)],
    ...Object.entries(FORMAT).flatMap(([name, value]) => ['--formatter-property', `${name}=${value}`]),
  ]);
  const [file = '', ...words] = await dyingWithParent([command, ...args]);
  const child = spawn(file, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  let lines = 0;
  for await (const line of createInterface({ input: child.stdout, crlfDelay: Infinity })) {
    lines += 1;
    onLine(line);
  }
  const code = await ended;
  const counted = /Processed a total of (\d+) messages/.exec(said)?.[1];
  if (Number(counted) !== lines) throw new Error(`the console consumer ended with ${code ?? 'a signal'}: ${said}`);
};

/** `LogAppendTime:1⇥Partition:0⇥Offset:7⇥name:value…⇥key⇥value` */
const recordOf = (line: string): Omit<LogRecord, 'topic'> => {
  const [time = '', partition = '', offset = '', headers = '', key = NULL, value = NULL] = line.split(SEPARATOR);
  return {
    partition: numberIn(partition),
    offset: BigInt(numberIn(offset)),
    time: numberIn(time),
    key: bytesOf(key),
    value: bytesOf(value),
    headers: headers === 'NO_HEADERS' ? {} : headersOf(headers),
  };
};

const numberIn = (field: string): number => {
  const digits = /:(\d+)$/.exec(field)?.[1];
  if (digits === undefined) throw new Error(`the console consumer wrote ${JSON.stringify(field)}`);
  return Number(digits);
};

const headersOf = (text: string): Readonly<Record<string, Uint8Array>> =>
  Object.fromEntries(
    text.split(HEADER_SEPARATOR).map((header) => {
      const colon = header.indexOf(':');
      return [header.slice(0, colon), bytesOf(header.slice(colon + 1)) ?? new Uint8Array(0)];
    }),
  );

const BACKSLASH = 0x5c;

const bytesOf = (text: string): Uint8Array | null => {
  if (text === NULL) return null;
  const bytes = Buffer.from(text, 'latin1');
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === BACKSLASH) {
      bytes[length] = Number.parseInt(bytes.toString('latin1', at + 2, at + 4), 16);
      at += 3;
    } else bytes[length] = byte;
    length += 1;
  }
  return bytes.subarray(0, length);
};
