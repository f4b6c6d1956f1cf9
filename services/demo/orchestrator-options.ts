import { Command, Option } from 'commander';
import { countFlag, listFlag, parsed } from './flags.js';

export type OrchestratorOptions = {
  readonly cardUrl: string;
  readonly stateFile: string;
  readonly phase: 'start' | 'resume';
  readonly correlationId: string;
  readonly text: string;
  readonly answer: string;
  /** Output modes the client names; none unless given. */
  readonly accept: readonly string[];
  readonly holdBeforeStore: boolean;
  readonly pollMs: number;
  readonly giveUpAfterMs: number;
};

/** The orchestrator's command line. */
export const readOrchestratorOptions = (): OrchestratorOptions =>
  parsed(
    new Command('orchestrator')
      .description('an A2A client that dispatches one task, and comes back to it')
      .requiredOption('--card-url <url>', 'the Agent Card of whom to ask')
      .requiredOption('--state-file <file>', 'where the task ID is kept')
      .addOption(new Option('--phase <phase>', 'what to do').choices(['start', 'resume']).makeOptionMandatory())
      .requiredOption('--correlation-id <id>', "the client's own key of the work")
      .option('--text <text>', 'the request', 'An offer for twenty chairs')
      .option('--answer <text>', 'the answer to a question', 'blue')
      .option('--accept <list>', 'output modes the client accepts', listFlag, [])
      .option('--hold-before-store', 'start: wait for ever right before "input-required" is stored', false)
      .option('--poll-ms <ms>', 'resume: pause before asking again', countFlag, 200)
      .option('--give-up-after-ms <ms>', 'resume: when to stop asking', countFlag, 60_000),
  ).opts<OrchestratorOptions>();
