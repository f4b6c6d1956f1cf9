import { Command } from 'commander';
import { examine } from '../doctor/doctor.js';
import { countsOf, reportLines } from '../doctor/report.js';
import { findConfig, withConfig, type ConfigOptions } from './config-options.js';
import { withExamples } from './examples.js';
import { EXIT } from './exit-codes.js';
import { print, withJson, type JsonOption } from './output.js';
import { painter } from './terminal.js';

const HELP = `
Looks only: nothing is created, altered or joined.
Exit code 0: no failures (there may be warnings), 1: failures, 2: the configuration cannot be used, so nothing could be
looked at.`;

/** `holdfast doctor`: what is in order, what is not, and the way out of each. */
export const doctorCommand = (): Command =>
  withExamples(
    withJson(withConfig(new Command('doctor'))).addHelpText('after', HELP),
    'holdfast doctor --config holdfast.yaml',
    'holdfast doctor --json',
  )
    .description('look at everything that Holdfast needs, and say the way out of what is wrong')
    .action(async (options: ConfigOptions & JsonOption) => {
      const checks = await examine(() => findConfig(options), options.config ?? process.env.HOLDFAST_CONFIG);
      const failed = checks.filter(({ status }) => status === 'failure').map(({ check }) => check);
      if (failed.includes('configuration')) process.exitCode = EXIT.couldNot;
      else if (failed.length > 0) process.exitCode = EXIT.findings;
      print(options, { checks, summary: countsOf(checks) }, reportLines(checks, painter(process.stdout)));
    });
