/**
 * Loaded before the real `holdfast serve ledger` (`node --import`): watches the Kafka requests that leave the process and
 * writes down, line by line, how far each transaction has come. It can kill the process, or stop it, at the very step:
 * KIT_KILL_AT names the step, KIT_SIGNAL what is sent, SIGUSR2 arms it. Nothing in the product knows of it.
 */
import { openSync, writeSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net, { type Socket } from 'node:net';
import { AnswerReader, readRequest, type Request } from './kafka-frames.js';
import type { WireStep } from './step-log.js';

const { KIT_STEPS_FILE: file = '', KIT_KILL_AT: killAt = '', KIT_SIGNAL: signal = 'SIGKILL' } = process.env;
const out = openSync(file, 'a');
let armed = false;

process.on('SIGUSR2', () => {
  armed = true;
});

const tell = (step: WireStep): void => {
  // Synchronous: what was written before the process dies is there to be read.
  writeSync(out, `${JSON.stringify({ at: Date.now(), ...step })}\n`);
  if (!armed || step.step !== killAt) return;
  armed = false;
  writeSync(out, `${JSON.stringify({ at: Date.now(), step: 'killed', lock: step.lock })}\n`);
  process.kill(process.pid, signal);
  // SIGKILL never comes back from here; after SIGSTOP and SIGCONT the transaction goes on where it was.
  writeSync(out, `${JSON.stringify({ at: Date.now(), step: 'continued', lock: step.lock })}\n`);
};

const NO_ERROR = 0;

const watch = (socket: Socket): void => {
  const pending = new Map<number, Request>();
  const answers = new AnswerReader((correlationId, answer) => {
    const request = pending.get(correlationId);
    if (request === undefined) return;
    pending.delete(correlationId);
    if (answer.errorIn(request) !== NO_ERROR) return;
    const { lock, positions } = request;
    if (request.api === 'InitProducerId') tell({ step: 'A2', lock });
    if (request.api === 'Produce') tell({ step: 'P3', lock });
    if (request.api === 'TxnOffsetCommit') tell({ step: 'P4', lock, positions });
    if (request.api === 'EndTxn') tell({ step: 'P5', lock });
  });
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  socket.write = (bytes: unknown, ...rest: unknown[]): boolean => {
    const request = Buffer.isBuffer(bytes) ? readRequest(bytes) : undefined;
    if (request !== undefined) pending.set(request.correlationId, request);
    const flushed = write(bytes, ...rest);
    if (request?.api === 'EndTxn') tell({ step: 'P5-asked', lock: request.lock });
    return flushed;
  };
  // Before the client's own listener, so that a step is told, and may be the last, before the client knows of it.
  socket.on('data', (chunk: Buffer) => {
    answers.take(chunk);
  });
};

const connect = net.connect.bind(net) as (...args: unknown[]) => Socket;
Object.assign(net, {
  connect: (...args: unknown[]): Socket => {
    const socket = connect(...args);
    watch(socket);
    return socket;
  },
});
// Named imports see it as well.
syncBuiltinESMExports();
