import { Command, InvalidArgumentError } from 'commander';
import { kafkaConnection, registryConnection } from '../../infra/config/connection.js';
import { KafkaAdmin } from '../../infra/kafka/kafka-admin.js';
import { openRegistrySerdes } from '../../infra/registry/registry-serdes.js';
import { createLogger } from '../../infra/telemetry/logger.js';
import { VERDICTS } from '../../topology/vocabulary.js';
import { jsonText } from '../console/json-text.js';
import { Mesh } from '../mesh/mesh.js';
import { asRole } from '../rights/missing-rights.js';
import { tail, type TailLog, type TailOptions } from '../tail/tail.js';
import { kindsOf, TAIL_WORDS, TOLD_BY_DEFAULT } from '../tail/tail-kinds.js';
import { tailDocument, tailLine } from '../tail/tail-view.js';
import type { TailedRecord } from '../tail/tailed-record.js';
import { choiceArgument, choiceOption } from './choices.js';
import { loadConfig, withConfig, type ConfigOptions } from './config-options.js';
import { withExamples } from './examples.js';
import { interruption } from './interruption.js';
import { withJson, type JsonOption } from './output.js';
import { painter } from './terminal.js';
import { timeOption } from './time-option.js';
import { wholeNumber } from './whole-number.js';

type Options = ConfigOptions &
  JsonOption & {
    readonly from?: TailOptions['from'];
    readonly correlationId?: string;
    readonly agent?: string;
    readonly task?: string;
    readonly verdict?: string;
    readonly limit?: number;
    readonly follow: boolean;
  };

const HELP = `
Without kinds it tells ${TOLD_BY_DEFAULT.map(({ name }) => name).join(', ')}.
Only what was committed is told. Ctrl-C ends it (exit code 130).`;

/** `holdfast tail`: what happens, as it happens. */
export const tailCommand = (): Command =>
  withExamples(
    withJson(withConfig(new Command('tail')), 'print one JSON document a line and record instead of text').addHelpText(
      'after',
      HELP,
    ),
    'holdfast tail',
    'holdfast tail verdicts commands --correlation-id offer-17 --from beginning',
    'holdfast tail verdicts --verdict indeterminate --from 2h --no-follow --json',
  )
    .description('follow what is seen, decided and commanded, a line each')
    .addArgument(choiceArgument('[kinds...]', 'kinds of records, or their topics', TAIL_WORDS))
    .option('--from <where>', 'beginning, latest, or a time (default: latest; with --no-follow beginning)', fromOption)
    .option('--correlation-id <id>', 'only about this unit of work')
    .option('--agent <id>', 'only about this agent')
    .option('--task <id>', 'only about this server task')
    .addOption(choiceOption('--verdict <word>', 'only verdicts of this word', VERDICTS))
    .option('--limit <n>', 'end after so many', wholeNumber)
    .option('--no-follow', 'end with what is there')
    .action(follow);

const fromOption = (text: string): TailOptions['from'] => {
  if (text === 'beginning' || text === 'latest') return text;
  try {
    return { time: timeOption(text) };
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    throw new InvalidArgumentError(
      `It must be "beginning", "latest", a time (2026-03-01T12:00:00Z), or so long ago (30m).`,
    );
  }
};

const follow = async (words: readonly string[], options: Options): Promise<void> => {
  const config = await loadConfig(options);
  const { kafka } = config;
  // A record of a schema that is not there is told as such, at once.
  const serdes = await openRegistrySerdes({
    ...registryConnection(config),
    topicPrefix: kafka.topicPrefix,
    schemaWaitMs: 0,
  });
  const logger = createLogger('error');
  const mesh = new Mesh('cli', config, serdes, logger);
  const admin = new KafkaAdmin(kafkaConnection(config, `${config.instanceId}-tail`), logger);
  const prefix = kafka.topicPrefix;
  const log: TailLog = {
    reader: mesh.clients.reader,
    serdes,
    partitionCounts: mesh.clients.partitionCounts,
    offsetsAt: async (topics, time) => {
      const found = await admin.offsetsAt(
        topics.map((topic) => `${prefix}${topic}`),
        time,
      );
      return found.map((position) => ({ ...position, topic: position.topic.slice(prefix.length) }));
    },
  };
  const paint = painter(process.stdout);
  const told = (record: TailedRecord): string =>
    options.json === true ? jsonText(tailDocument(record)) : tailLine(record, paint);
  try {
    await asRole('reader', kafka, () =>
      tail(
        log,
        {
          kinds: kindsOf(words.length === 0 && options.verdict !== undefined ? ['verdicts'] : words),
          from: options.from ?? (options.follow ? 'latest' : 'beginning'),
          filter: options,
          ...(options.limit === undefined ? {} : { limit: options.limit }),
          follow: options.follow,
        },
        {
          onRecord: (record) => {
            process.stdout.write(`${told(record)}\n`);
          },
          onWaiting: (error) => {
            process.stderr.write(`holdfast: ${error.message}; trying again\n`);
          },
        },
        interruption(),
      ),
    );
  } finally {
    await admin.close();
    await mesh.close();
  }
};
