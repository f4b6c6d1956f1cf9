import { Command } from 'commander';
import { kafkaConnection } from '../../infra/config/connection.js';
import { KafkaAdmin } from '../../infra/kafka/kafka-admin.js';
import { createLogger } from '../../infra/telemetry/logger.js';
import { asRole } from '../rights/missing-rights.js';
import { topicSpecs } from '../topic-specs.js';
import { loadConfig, withConfig, type ConfigOptions } from './config-options.js';
import { withExamples } from './examples.js';
import { EXIT } from './exit-codes.js';
import { print, withJson, type JsonOption } from './output.js';

type Options = ConfigOptions & JsonOption;

/** `holdfast topics create|check`: services never create or alter topics; this does. */
export const topicsCommand = (): Command => {
  const topics = withExamples(new Command('topics'), 'holdfast topics create', 'holdfast topics check').description(
    'the topics of Holdfast on the broker',
  );
  withExamples(withJson(withConfig(topics.command('create'))), 'holdfast topics create --config holdfast.yaml')
    .description('create the topics that do not exist')
    .action(create);
  withExamples(withJson(withConfig(topics.command('check'))), 'holdfast topics check --brokers kafka.example:9092')
    .description('compare the broker with the configuration (exit code 0 equal, 1 differences)')
    .action(check);
  return topics;
};

const create = async (options: Options): Promise<void> => {
  await withAdmin(options, async (admin, specs) => {
    const created = await admin.createTopics(specs);
    const lines = created.length === 0 ? ['all topics exist already'] : created.map((name) => `created ${name}`);
    print(options, { created }, lines);
  });
};

const check = async (options: Options): Promise<void> => {
  await withAdmin(options, async (admin, specs) => {
    const differences = await admin.checkTopics(specs);
    if (differences.length > 0) process.exitCode = EXIT.findings;
    print(
      options,
      { differences },
      differences.length === 0 ? [`${specs.length} topics as they should be`] : differences,
    );
  });
};

const withAdmin = async (
  options: Options,
  work: (admin: KafkaAdmin, specs: ReturnType<typeof topicSpecs>) => Promise<void>,
): Promise<void> => {
  const config = await loadConfig(options);
  const admin = new KafkaAdmin(kafkaConnection(config, 'holdfast-topics'), createLogger('error'));
  try {
    await asRole('admin', config.kafka, () => work(admin, topicSpecs(config)));
  } finally {
    await admin.close();
  }
};
