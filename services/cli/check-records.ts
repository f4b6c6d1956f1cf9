import { Option, InvalidArgumentError } from 'commander';
import { registryConnection } from '../../infra/config/connection.js';
import { nearest } from '../../infra/nearest.js';
import { formatCoordinates } from '../../topology/kit/coordinates.js';
import type { Topic } from '../../topology/kit/topology.js';
import { TOPICS } from '../../topology/topics.js';
import { checkTopic, type From, type TopicReport } from '../console/check-topic.js';
import { REMARKS } from '../console/record-findings.js';
import type { ConfigOptions } from './config-options.js';
import { EXIT } from './exit-codes.js';
import { withSource } from './open-source.js';
import { print, type JsonOption } from './output.js';
import { UsageError } from './usage-error.js';

export type RecordOptions = ConfigOptions &
  JsonOption & { readonly topic: string; readonly from: From; readonly limit: number };

const EXAMPLES_OF_EACH = 5;

const from = (text: string): From => {
  if (text === 'beginning' || text === 'latest') return text;
  const count = Number(text);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new InvalidArgumentError('It must be beginning, latest, or a whole number from 1 on.');
};

export const fromOption = (): Option =>
  new Option(
    '--from <where>',
    'with --topic: beginning, latest (what comes from now on), or the last N of each partition',
  )
    .argParser(from)
    .default('beginning');

/** `holdfast schemas check --topic T`: looks at the records of a topic, and says what is wrong with each. */
export const checkRecords = async (options: RecordOptions): Promise<void> => {
  await withSource(options, async ({ mesh }) => {
    const { kafka } = mesh.config;
    const topic = topicCalled(options.topic, kafka.topicPrefix);
    const stop = new AbortController();
    const end = (): void => {
      stop.abort();
    };
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
    const report = await checkTopic({
      topic,
      topicName: `${kafka.topicPrefix}${topic.name}`,
      partitions: (await mesh.clients.partitionCounts([topic.name])).get(topic.name) ?? 0,
      from: options.from,
      limit: options.limit,
      examples: EXAMPLES_OF_EACH,
      reader: mesh.clients.reader,
      registry: registryConnection(mesh.config),
      signal: stop.signal,
    });
    if (report.clean < report.read) process.exitCode = EXIT.findings;
    print(options, documentOf(report), linesOf(report));
  });
};

/** By its own name or by that in the cluster. @throws UsageError there is no such topic */
const topicCalled = (name: string, prefix: string): Topic<unknown> => {
  const topics = TOPICS as readonly Topic<unknown>[];
  const found = topics.find((topic) => topic.name === name || `${prefix}${topic.name}` === name);
  if (found !== undefined) return found;
  const names = topics.map((topic) => topic.name);
  const near = nearest(name, names);
  const meant = near === undefined ? '' : ` Did you mean ${near}?`;
  throw new UsageError(
    `no topic of Holdfast is called ${name}: ${names.join(', ')}.${meant}`,
    'holdfast schemas check',
  );
};

const documentOf = ({ counts, examples, ...rest }: TopicReport) => ({
  ...rest,
  counts: Object.fromEntries(counts),
  examples: examples.map(({ at, ...finding }) => ({ at: formatCoordinates(at), ...finding })),
});

const linesOf = ({ topic, read, clean, counts, examples, partitioners }: TopicReport): readonly string[] => [
  ...[...counts].flatMap(([code, count]) => [
    `${code}: ${count}${REMARKS.has(code) ? ' (allowed)' : ''}`,
    ...examples
      .filter((example) => example.code === code)
      .map(({ at, detail, source }) => `  ${formatCoordinates(at)}  ${source === '' ? '' : `${source}: `}${detail}`),
  ]),
  ...partitioners.map(
    ({ source, misrouted, seems }) =>
      `${misrouted} records of ${source === '' ? 'unnamed producers' : source} lie in wrong partitions; the partitioner seems to be ${seems}`,
  ),
  `${clean} of ${read} records on ${topic} are as they should be`,
];
