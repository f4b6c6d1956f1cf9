import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { testBrokers } from './kafka-fixture.js';

/**
 * Runs a program on kafkajs as it comes, in a process without our corrections, and returns what it passes to `done`.
 * In scope: `kafkajs`, `kafka(options)`, `brokers`, `FaultSocket`, `done(value)`.
 */
export async function withStockKafkajs<Result>(program: string): Promise<Result> {
  const source = `
    import { createRequire } from 'node:module';
    import { FaultSocket } from ${JSON.stringify(new URL('./kafka-fault-socket.js', import.meta.url).href)};
    const require = createRequire(${JSON.stringify(import.meta.url)});
    const brokers = ${JSON.stringify(testBrokers())};
    const done = (value) => process.stdout.write(JSON.stringify(value), () => process.exit(0));
    const kafkajs = require('kafkajs');
    const kafka = (options = {}) => new kafkajs.Kafka({
      clientId: 'stock', brokers, logLevel: kafkajs.logLevel.NOTHING, retry: { initialRetryTime: 20, retries: 8 }, ...options,
    });
    process.env.KAFKAJS_NO_PARTITIONER_WARNING = '1';
    ${program}`;
  // From standard input: the command line has not room for every program.
  const running = promisify(execFile)(process.execPath, ['--input-type=module', '-'], {
    timeout: 60_000,
    // What it warns of is what we correct, and nobody's business here.
    env: { ...process.env, NODE_ENV: '', NODE_OPTIONS: '' },
  });
  running.child.stdin?.end(source);
  return JSON.parse((await running).stdout) as Result;
}
