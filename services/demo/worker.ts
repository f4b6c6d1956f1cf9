/**
 * `worker`: an A2A agent as its own process. It prints `{"ready":true,…}` when it listens; each line `{"emit":TYPE}` on
 * its standard input changes the media type of its artifacts, and is answered by `{"reconfigured":…}`. Nothing else is
 * on standard output. It keeps nothing on disk.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { AgentCard } from '@a2a-js/sdk';
import { DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express from 'express';
import { parseLine, printLine } from './json-lines.js';
import { OfferExecutor } from './offer-executor.js';
import { EMITTED_TYPES } from './offer.js';
import { JSON_RPC_PATH, workerCard } from './worker-card.js';
import { readWorkerOptions } from './worker-options.js';

const HOST = '127.0.0.1';
const CARD_PATH = '/.well-known/agent-card.json';
const CARD_MAX_AGE_S = 5;

const options = readWorkerOptions();
const executor = new OfferExecutor(options);
const server = createServer();
const log = (text: string): void => {
  process.stderr.write(`${options.name}: ${text}\n`);
};

const stop = (signal: string): void => {
  log(`${signal}: stopping`);
  executor.interrupt();
  server.close();
  // Streams of clients stay open as long as they like; this process does not wait for them.
  server.closeAllConnections();
  process.stdin.destroy();
};

const serve = (baseUrl: string): void => {
  const card = workerCard(options, baseUrl);
  const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), executor);
  const app = express();
  app.disable('x-powered-by');
  app.use(
    CARD_PATH,
    agentCardHandler({
      // The handler writes what it is given as it stands, so it is given the wire form: the SDK's own form of a card
      // has fields that no other SDK reads (security schemes as `$case`).
      agentCardProvider: () => Promise.resolve(AgentCard.toJSON(card) as AgentCard),
      cache: { maxAge: CARD_MAX_AGE_S },
    }),
  );
  app.use(JSON_RPC_PATH, jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
  server.on('request', app);
};

const reconfigure = (text: string): void => {
  const wanted = parseLine(text)?.emit;
  const emit = EMITTED_TYPES.find((type) => type === wanted);
  if (emit === undefined) {
    printLine({ reconfigured: false, text: `not understood: ${text}` });
    return;
  }
  executor.emitFromNowOn(emit);
  log(`artifacts are ${emit} from now on`);
  printLine({ reconfigured: true, emit });
};

process.once('SIGTERM', stop);
process.once('SIGINT', stop);
server.listen(options.port, HOST);
try {
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : options.port;
  const url = `http://${HOST}:${port}`;
  serve(url);
  // A process in the background that reads a terminal is stopped by it.
  if (!process.stdin.isTTY) createInterface({ input: process.stdin }).on('line', reconfigure);
  log(`listening on ${url}, emits ${options.emit}`);
  printLine({ ready: true, name: options.name, url, cardUrl: `${url}${CARD_PATH}` });
} catch (error) {
  log(`could not listen: ${String(error)}`);
  process.exitCode = 2;
}
