import { Command, InvalidArgumentError, Option } from 'commander';
import { countFlag, listFlag, parsed } from './flags.js';
import { EMITTED_TYPES, type EmittedType } from './offer.js';
import { stateOfWord } from './state-words.js';

export type WorkerOptions = {
  readonly name: string;
  /** 0: any free one. */
  readonly port: number;
  /** What the card promises, and what the worker goes through. */
  readonly states: readonly string[];
  /** What the card promises as `defaultOutputModes`. */
  readonly modes: readonly string[];
  /** What the worker really writes; nothing makes it one of `modes`. */
  readonly emit: EmittedType;
  /** What it writes the finished artifact in, if not as its drafts: a change of configuration that the card hides. */
  readonly final?: EmittedType;
  readonly provider: string;
  /** Pause between two words of a task. */
  readonly stepMs: number;
};

const statesFlag = (text: string): readonly string[] => {
  const states = listFlag(text);
  const unknown = states.find((state) => stateOfWord(state) === undefined);
  if (unknown !== undefined) throw new InvalidArgumentError(`A2A has no state "${unknown}"`);
  if (!states.includes('completed')) throw new InvalidArgumentError('must include completed');
  if (!states.includes('submitted') && !states.includes('working')) {
    throw new InvalidArgumentError('must include submitted or working');
  }
  return states;
};

/** The worker's command line. */
export const readWorkerOptions = (): WorkerOptions =>
  parsed(
    new Command('worker')
      .description('an A2A agent with one skill, "offer", that keeps its tasks in memory')
      .option('--name <name>', 'name on the card', 'W1')
      .option('--port <port>', 'port to listen on; 0: any free one', countFlag, 0)
      .option('--states <list>', 'task states of the card and of the tasks', statesFlag, [
        'submitted',
        'working',
        'input-required',
        'completed',
      ])
      .option('--modes <list>', 'output modes of the card', listFlag, ['application/json'])
      .addOption(
        new Option('--emit <type>', 'media type of the artifacts').choices(EMITTED_TYPES).default('application/json'),
      )
      .addOption(new Option('--final <type>', 'media type of finished artifacts, if another').choices(EMITTED_TYPES))
      .option('--provider <name>', 'organization on the card', 'Acme')
      .option('--step-ms <ms>', 'pause between two words of a task', countFlag, 150),
  ).opts<WorkerOptions>();
