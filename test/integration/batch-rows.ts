import { expect } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { MAX_DECOMPRESSED_BYTES } from '../../infra/kafka/compression/decompress.js';
import { MAX_RECORD_BYTES } from '../../topology/quarantine.js';
import { wrote } from '../kit/decider-kit/builders.js';
import { eventually } from './kafka-fixture.js';
import { abortWithJava, writeWithJava } from './foreign-producer.js';
import { batchOf, packed, produceRaw } from './raw-batches.js';
import type { At, TopicWorld } from './topic-world.js';

/** gzip, Snappy, LZ4, Zstandard. */
const CODECS = [1, 2, 3, 4];
const GZIP = 1;
const MEBIBYTE = 1024 * 1024;
const RECORDS = 200;
const ABORTED = 10_000;

/** What is a matter of whole batches, or of the log. */
export const batchRows = (world: () => TopicWorld) => {
  const compressedBy = (codec: string) => async (): Promise<void> => {
    const { topic } = world().source(0);
    // Placed by Java's own partitioner: both partitions get some.
    const units = Array.from({ length: RECORDS }, (_, index) => world().dispatch(index % 2));
    const { positions, ratio } = await writeWithJava(
      codec,
      units.map(({ key, value }) => ({ topic, key, value })),
    );
    expect(ratio).toBeLessThan(0.9);
    expect(positions.map(({ partition }) => partition)).toStrictEqual(units.map((_, index) => index % 2));
    const words = await Promise.all(positions.map((at) => world().verdictAt(at)));
    expect(words.map(({ verdict, correlationId }) => `${verdict} ${correlationId ?? ''}`)).toStrictEqual(
      units.map(({ id }) => `accepted ${id}`),
    );
    expect(await world().next()).toBe('accepted (R49)');
  };

  const bomb = async (values: readonly number[]): Promise<readonly At[]> => {
    const { key } = world().dispatch(0);
    const batch = batchOf(values.map((size) => ({ key, value: Buffer.alloc(size), headers: {} })));
    const { errorCode, offset } = await produceRaw(
      world().source(0),
      packed(batch, GZIP, (records) => gzipSync(records)),
    );
    expect(errorCode).toBe(0);
    return values.map((_, index) => ({ partition: 0, offset: offset + BigInt(index) }));
  };

  const expectTooLarge = async (places: readonly At[], reason: RegExp): Promise<void> => {
    for (const at of places) {
      const verdict = await world().verdictAt(at);
      expect([verdict.verdict, verdict.quarantine, verdict.rule]).toStrictEqual(['quarantined', 'too-large', 'R59']);
      expect(verdict.reason).toMatch(reason);
      const { key, value, headers, sourceSha256 } = await world().letterAt(at);
      expect([key, value, headers, sourceSha256]).toStrictEqual([undefined, undefined, [], verdict.inputSha256]);
    }
    expect(await world().next()).toBe('accepted (R49)');
  };

  return {
    gzip: compressedBy('gzip'),
    snappy: compressedBy('snappy'),
    lz4: compressedBy('lz4'),
    zstd: compressedBy('zstd'),
    large: async () => {
      const { topic, partition } = world().source(0);
      const { id, key, value } = world().dispatch(0);
      const part = { kind: 'text', mediaType: 'application/json', bytes: 10 } as const;
      const parts = Array.from({ length: (2 * MEBIBYTE) / 20 }, () => part);
      const artifact = world().bytes(wrote('w1', 't-1', { correlationId: id, parts }));
      const noise = Buffer.concat([Buffer.from([9]), randomBytes(2 * MEBIBYTE)]);
      expect(artifact.length).toBeGreaterThan(2 * MEBIBYTE);
      const { positions } = await writeWithJava(
        'none',
        [value, artifact, noise].map((bytes) => ({ topic, partition, key, value: bytes })),
      );
      const verdicts = await Promise.all(positions.map((at) => world().verdictAt(at)));
      expect(verdicts.map(({ verdict, rule }) => `${verdict} (${rule})`)).toStrictEqual([
        'accepted (R49)',
        'accepted (R18)',
        'quarantined (R59)',
      ]);
      const letter = await world().letterAt(positions[2] ?? { partition, offset: -1n });
      expect(noise.equals(letter.value ?? new Uint8Array(0))).toBe(true);
      expect(await world().next()).toBe('accepted (R49)');
    },
    bomb: async () => {
      const places = await bomb([MAX_DECOMPRESSED_BYTES, 10, 10]);
      await expectTooLarge(places, /^its gzip batch of \d+ bytes becomes more than 33554432$/);
    },
    bombOfOne: async () => {
      const places = await bomb([MAX_RECORD_BYTES + 1]);
      await expectTooLarge(places, /^\d+ bytes of key, value and headers are more than 4194304$/);
    },
    outputTooLarge: async () => {
      await world().limitDeadLetters(String(MEBIBYTE / 8));
      const value = Buffer.concat([Buffer.from([9]), randomBytes(MEBIBYTE / 4)]);
      const at = await world().write({ value });
      const trouble = await eventually(() => world().troubles[0], 'the ledger to say what troubles it');
      expect(trouble).toStrictEqual({
        group: 0,
        code: 'HOLDFAST_KAFKA_RECORD_TOO_LARGE',
        remedy: 'restart',
        error: expect.stringMatching(/dead-letters\.v1\/0, has \d+ bytes\. Raise max\.message\.bytes/),
      });
      expect([await world().next(1), world().saidAt(at)]).toStrictEqual(['accepted (R49)', undefined]);
      await world().limitDeadLetters(String(MEBIBYTE));
      expect(value.equals((await world().letterAt(at)).value ?? new Uint8Array(0))).toBe(true);
      expect(await world().next()).toBe('accepted (R49)');
    },
    damagedBatch: async () => {
      const { key, value } = world().dispatch(0);
      const whole = batchOf([{ key, value, headers: {} }]);
      const before = await world().write({});
      const refused: boolean[] = [];
      for (const codec of CODECS) {
        const damaged = packed(whole, codec, () => Buffer.from('nothing that any codec has written'));
        const { errorCode } = await produceRaw(world().source(0), damaged);
        refused.push(errorCode !== 0);
      }
      expect(refused).toStrictEqual(CODECS.map(() => true));
      expect((await world().write({})).offset).toBe(before.offset + 1n);
      expect(await world().next()).toBe('accepted (R49)');
    },
    abortedTransactions: async () => {
      const first = await world().write({});
      await abortWithJava(world().source(0), ABORTED);
      const last = await world().write({});
      expect((await world().verdictAt(last)).verdict).toBe('accepted');
      // A record and a marker each.
      expect(last.offset - first.offset).toBe(BigInt(2 * ABORTED + 1));
      expect(world().saidAt({ partition: 0, offset: first.offset + 1n })).toBeUndefined();
    },
  };
};
