import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { inMemorySerdes } from '../../../infra/registry/avro-codec.js';
import type { Deserialized } from '../../../infra/streams/serdes.js';
import { SCHEMAS, type RecordName } from '../../../schemas/generated.js';
import { COMMANDS, DEAD_LETTERS, LEDGER, TASK_EVENTS, VERDICTS } from '../../../topology/topics.js';
import { topicOf, valuesOf } from './arbitraries.js';

const RECORDS = Object.keys(SCHEMAS) as RecordName[];
const serdes = inMemorySerdes();

const STATE = {
  type: 'TaskStateObserved',
  correlationId: 'order-1',
  agentId: 'w1',
  serverTaskId: 't-1',
  via: 'poll',
  state: 'working',
} as const;

const undecodable = (detail: string): Deserialized<never> => ({ kind: 'failed', reason: 'undecodable', detail });
const frame = (...bytes: number[]): Uint8Array => Uint8Array.from([0, 0, 0, 0, ...bytes]);
const idOf = (record: RecordName): number =>
  serdes.serialize(topicOf(record), record, fc.sample(valuesOf(record), 1)[0])[4] ?? 0;

describe('what cannot be read', () => {
  test('should be undecodable when it ends too early, wherever that is', () => {
    const whole = serdes.serialize(TASK_EVENTS, 'TaskStateObserved', STATE);

    for (let length = 0; length < whole.length; length += 1)
      expect(serdes.deserialize(TASK_EVENTS, whole.subarray(0, length))).toMatchObject({
        kind: 'failed',
        reason: 'undecodable',
      });
  });

  test('should be undecodable when bytes follow the record', () => {
    const whole = serdes.serialize(TASK_EVENTS, 'TaskStateObserved', STATE);

    expect(serdes.deserialize(TASK_EVENTS, Buffer.concat([whole, Buffer.from([0])]))).toStrictEqual(
      undecodable('TaskStateObserved: 1 bytes follow the record'),
    );
  });

  test('should be undecodable when the first byte is not the magic one', () => {
    const other = Buffer.from(serdes.serialize(TASK_EVENTS, 'TaskStateObserved', STATE));
    other[0] = 0x7b;

    expect(serdes.deserialize(TASK_EVENTS, other)).toStrictEqual(
      undecodable('the first byte is 123, in Confluent wire format it is 0'),
    );
  });

  test('should be of an unknown schema when nothing is known of its ID', () => {
    expect(serdes.deserialize(TASK_EVENTS, Buffer.from([0, 0xff, 0xff, 0xff, 0xff, 0]))).toStrictEqual({
      kind: 'failed',
      reason: 'unknown-schema',
      detail: 'the registry has no schema 4294967295',
    });
  });

  test('should be undecodable when the record does not belong on the topic', () => {
    const state = serdes.serialize(TASK_EVENTS, 'TaskStateObserved', STATE);

    expect(serdes.deserialize(COMMANDS, state)).toStrictEqual(
      undecodable('a TaskStateObserved does not belong on a2a.commands.v1'),
    );
  });

  test('should be undecodable when an array claims more items than there are bytes', () => {
    const claim = [0xfe, 0xff, 0xff, 0xff, 0x0f];
    // agentId "", states: 2^31 - 1 of them.
    const topic = topicOf('AgentVerified');

    expect(serdes.deserialize(topic, frame(idOf('AgentVerified'), 0, ...claim))).toStrictEqual(
      undecodable('AgentVerified: the bytes end in the middle of the record'),
    );
  });

  test('should be undecodable when an enum or a union has no such index, or a boolean is neither', () => {
    const position = serdes.serialize(TASK_EVENTS, 'StreamClosed', {
      type: 'StreamClosed',
      correlationId: '',
      agentId: '',
      clean: true,
    });
    const changed = (at: number, byte: number): Uint8Array => {
      const bytes = Uint8Array.from(position);
      bytes[bytes.length - at] = byte;
      return bytes;
    };

    expect(serdes.deserialize(TASK_EVENTS, changed(1, 2))).toStrictEqual(
      undecodable('StreamClosed: a boolean is neither 0 nor 1'),
    );
    expect(serdes.deserialize(TASK_EVENTS, changed(2, 4))).toStrictEqual(
      undecodable('StreamClosed: a union has no number 2'),
    );
  });

  test('should be undecodable when a text is not UTF-8', () => {
    // tenant: null, correlationId: one byte that begins nothing, principal: null.
    expect(serdes.deserialize(TASK_EVENTS, frame(idOf('CancelRequested'), 0, 2, 0xff, 0))).toStrictEqual(
      undecodable('CancelRequested: a text is not UTF-8'),
    );
  });

  test('should be undecodable when a number is larger than can be kept', () => {
    const largest = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
    // commandId "", agentId "", issuedAt.
    expect(serdes.deserialize(COMMANDS, frame(idOf('RefreshCard'), 0, 0, ...largest))).toMatchObject({
      kind: 'failed',
      reason: 'undecodable',
    });
  });

  test.each(RECORDS)('should be a result whatever the bytes after the header of a %s are', (record) => {
    const topic = topicOf(record);
    const id = idOf(record);

    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(['value', 'failed']).toContain(serdes.deserialize(topic, frame(id, ...bytes)).kind);
      }),
    );
  });

  test.each(RECORDS)(
    'should never be read as another value than it gives when written, one byte of a %s changed',
    (record) => {
      const topic = topicOf(record);

      fc.assert(
        fc.property(valuesOf(record), fc.nat(), fc.integer({ min: 0, max: 255 }), (value, at, byte) => {
          const bytes = Buffer.from(serdes.serialize(topic, record, value));
          bytes[5 + (at % Math.max(1, bytes.length - 5))] = byte;
          const read = serdes.deserialize(topic, bytes);
          if (read.kind === 'failed') return;

          const again = serdes.deserialize(topic, serdes.serialize(topic, record, read.value));
          expect(again).toStrictEqual(read);
        }),
        { numRuns: 50 },
      );
    },
  );
});

describe('what cannot be written', () => {
  const refusal = (write: () => unknown): string => {
    try {
      write();
    } catch (error) {
      return (error as { readonly code: string }).code;
    }
    return 'written';
  };

  test.each([
    ['a word that its enum does not have', { ...STATE, via: 'pigeon' }],
    ['a word of every object', { ...STATE, via: 'constructor' }],
    ['a missing field', { ...STATE, agentId: undefined }],
    ['a field of another type', { ...STATE, agentId: 7 }],
    ['a time that is no whole number', { ...STATE, statusTimestamp: 0.5 }],
    ['a time that would lose its last bit', { ...STATE, statusTimestamp: 2 ** 52 }],
    ['no object', 'working'],
  ])('should be refused: %s', (_, value) => {
    expect(refusal(() => serdes.serialize(TASK_EVENTS, 'TaskStateObserved', value as never))).toBe(
      'HOLDFAST_REGISTRY_UNENCODABLE',
    );
  });

  test('should be refused: a record that does not belong on the topic', () => {
    expect(refusal(() => serdes.serialize(VERDICTS, 'TaskStateObserved', STATE as never))).toBe(
      'HOLDFAST_REGISTRY_UNENCODABLE',
    );
  });

  test('should be refused: an offset beyond 64 bits', () => {
    const position = {
      source: 2n ** 63n,
      global: 0n,
      now: 0,
      shared: { waits: new Map() },
      digest: '',
      incarnation: '',
    };

    expect(refusal(() => serdes.serialize(LEDGER, 'LedgerPosition', position as never))).toBe(
      'HOLDFAST_REGISTRY_UNENCODABLE',
    );
  });
});

test('should not keep the bytes it was read from', () => {
  const letter = {
    type: 'DeadLetter',
    reason: 'undecodable',
    detail: '',
    source: { topic: '', partition: 0, offset: 0n },
    sourceTime: 0,
    sourceSha256: '',
    value: Uint8Array.from([1, 2, 3]),
    headers: [],
    quarantinedAt: 0,
  } as const;
  const bytes = serdes.serialize(DEAD_LETTERS, 'DeadLetter', letter);

  const read = serdes.deserialize(DEAD_LETTERS, bytes);
  bytes.fill(0xff);

  expect(read).toStrictEqual({ kind: 'value', value: letter });
});
