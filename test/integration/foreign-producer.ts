import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { kafkaTool } from '../../infra/local/kafka-tool.js';
import { dyingWithParent } from '../../infra/local/run-command.js';
import type { PartitionRef } from '../../infra/streams/ports.js';
import { testBrokers } from './kafka-fixture.js';

/** Run from its source, which lies beside this one's. */
const PROGRAM = fileURLToPath(new URL('../../../test/integration/ForeignProducer.java', import.meta.url));

export type ForeignRecord = {
  readonly topic: string;
  /** Absent: Java's own partitioner places it. */
  readonly partition?: number;
  readonly key: Uint8Array | null;
  readonly value: Uint8Array | null;
};

export type Written = {
  readonly positions: readonly { readonly partition: number; readonly offset: bigint }[];
  /** Compressed size by size; 1: nothing was compressed. */
  readonly ratio: number;
};

/** Writes records with Apache Kafka's own producer, compressed together. */
export const writeWithJava = async (compression: string, records: readonly ForeignRecord[]): Promise<Written> => {
  const field = (bytes: Uint8Array | null): string => (bytes === null ? '-' : Buffer.from(bytes).toString('base64'));
  const lines = records.map(({ topic, partition, key, value }) =>
    [topic, partition ?? '-', field(key), field(value)].join('\t'),
  );
  const said = (await run(['write', testBrokers().join(','), compression], `${lines.join('\n')}\n`)).trim().split('\n');
  const ratio = said.at(-1)?.split(' ')[1];
  return {
    positions: said.slice(0, -1).map((line) => {
      const [partition = '', offset = ''] = line.split(' ');
      return { partition: Number(partition), offset: BigInt(offset) };
    }),
    ratio: Number(ratio),
  };
};

/** Aborts transactions of one record each. */
export const abortWithJava = async ({ topic, partition }: PartitionRef, count: number): Promise<void> => {
  await run(['abort', testBrokers().join(','), topic, String(partition), String(count), '16'], '');
};

const run = async (args: readonly string[], input: string): Promise<string> => {
  const tool = await kafkaTool(PROGRAM, args);
  const [file = '', ...words] = await dyingWithParent([tool.command, ...tool.args]);
  const child = spawn(file, words, { stdio: ['pipe', 'pipe', 'pipe'] });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`the foreign producer ended with ${code ?? 'a signal'}: ${err}`);
  return out;
};
