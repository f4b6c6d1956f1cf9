/**
 * `orchestrator`: an A2A client as its own process. All it knows of the lifecycle extension is to put its correlation ID
 * into the metadata. Its output is JSON lines; the last one is the outcome. Exit codes: 0 completed, or asked in phase
 * `start`; 1 failed; 2 could not run; 3 undecided.
 */
import { ClientFactory, type Client } from '@a2a-js/sdk/client';
import { dispatch } from './dispatch.js';
import { printLine } from './json-lines.js';
import { readOrchestratorOptions } from './orchestrator-options.js';
import { undecided, type Outcome } from './outcome.js';
import { refusalOf } from './refusal.js';
import { resume } from './resume.js';

const COULD_NOT = 2;

const options = readOrchestratorOptions();
// The empty path: the URL is that of the card, not of its server.
const connect = (): Promise<Client> => new ClientFactory().createFromUrl(options.cardUrl, '');

const start = async (): Promise<Outcome> => {
  let client: Client;
  try {
    client = await connect();
  } catch (error) {
    return undecided(`no card: ${refusalOf(error).text}`);
  }
  return dispatch(client, options);
};

try {
  const { line, exitCode } = await (options.phase === 'start' ? start() : resume(connect, options));
  printLine(line);
  process.exitCode = exitCode;
} catch (error) {
  process.stderr.write(`orchestrator: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = COULD_NOT;
}
