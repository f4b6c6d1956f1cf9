import { Command } from 'commander';
import { CONFIG_SCHEMA } from '../../infra/config/config-schema.js';
import { ConfigError } from '../../infra/config/config-source.js';
import { configYaml, printedSettings, redacted } from '../../infra/config/print-config.js';
import { findConfig, withConfig, type ConfigOptions } from './config-options.js';
import { withExamples } from './examples.js';
import { EXIT } from './exit-codes.js';
import { print, withJson, type JsonOption } from './output.js';

type Options = ConfigOptions & JsonOption;

/** `holdfast config print|check|schema`: what is in force, and what is wrong with it. */
export const configCommand = (): Command => {
  const config = withExamples(
    new Command('config'),
    'holdfast config check --config holdfast.yaml',
    'holdfast config print',
  ).description('the configuration: what is in force, where it comes from, what is wrong with it');
  withExamples(withJson(withConfig(config.command('print'))), 'holdfast config print --config holdfast.yaml')
    .description('the configuration in force as YAML, with where each setting comes from; secrets are left out')
    .option('--redact', 'leave secrets out', true)
    .option('--no-redact', 'print secrets as they are')
    .action(printConfig);
  withExamples(withJson(withConfig(config.command('check'))), 'holdfast config check --config holdfast.yaml')
    .description('say everything that is wrong with the configuration (exit code 0 nothing, 1 warnings, 2 not usable)')
    .action(check);
  withExamples(withJson(config.command('schema')), 'holdfast config schema > holdfast.schema.json')
    .description('the JSON Schema of the configuration, for editors; with every setting, its meaning and default')
    .action((options: JsonOption) => {
      print(options, CONFIG_SCHEMA, JSON.stringify(CONFIG_SCHEMA, null, 2).split('\n'));
    });
  return config;
};

const printConfig = async (options: Options & { readonly redact: boolean }): Promise<void> => {
  const found = await findConfig(options);
  const shown = options.redact ? { ...found, config: redacted(found.config) } : found;
  print(options, { settings: printedSettings(shown) }, configYaml(shown).trimEnd().split('\n'));
};

const check = async (options: Options): Promise<void> => {
  const { errors, warnings } = await findingsOf(options);
  if (warnings.length > 0) process.exitCode = EXIT.findings;
  if (errors.length > 0) process.exitCode = EXIT.couldNot;
  const lines = [
    ...errors.map(({ place, text }) => `error    ${place}: ${text}`),
    ...warnings.map(({ place, text }) => `warning  ${place}: ${text}`),
  ];
  print(options, { errors, warnings }, lines.length === 0 ? ['nothing is wrong with it'] : lines);
};

const findingsOf = async (options: ConfigOptions) => {
  try {
    return { errors: [], warnings: (await findConfig(options)).warnings };
  } catch (error) {
    if (error instanceof ConfigError) return { errors: error.faults, warnings: [] };
    throw error;
  }
};
