import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { inMemorySerdes } from '../../../infra/registry/avro-codec.js';
import type { TaskPosition } from '../../../infra/streams/task-position.js';
import type { LedgerShared } from '../../../topology/effects.js';
import type { Topic } from '../../../topology/kit/topology.js';
import type { Verdict } from '../../../topology/ledger-records.js';
import type { TaskStateObserved } from '../../../topology/observation.js';
import { LEDGER, TASK_EVENTS, VERDICTS } from '../../../topology/topics.js';
import { goldenValues, ID_PLACEHOLDER, PUBLIC } from '../../foreign/golden.js';
import { topicOf } from './arbitraries.js';

/**
 * Frames as they lie on topics, byte for byte; read and written again by another Avro implementation when they were taken.
 * A change here is a change of what is on the log: it needs a new version of the schema, not a new golden frame.
 */

const STATE: TaskStateObserved = {
  type: 'TaskStateObserved',
  tenant: 'acme',
  correlationId: 'Bestellung-ü-1',
  agentId: 'w1',
  serverTaskId: 't-1',
  via: 'push',
  state: 'TASK_STATE_INPUT_REQUIRED',
  statusTimestamp: 1_730_000_000_123,
};

const VERDICT: Verdict = {
  type: 'Verdict',
  verdict: 'terminal-ok',
  rule: 'R27',
  reason: 'w1 lost t-1 after completed',
  correlationId: 'c-1',
  agentId: 'w1',
  serverTaskId: 't-1',
  attempt: 1,
  state: 'completed',
  indeterminate: false,
  commandIds: [],
  trigger: 'observation',
  cause: { topic: 'a2a.task-events.v1', partition: 3, offset: 5_000_000_000n },
  inputSha256: 'ab',
  agentsOffset: -1n,
  policyVersion: 'default',
  decidedAt: 1_730_000_000_124,
  previousDigest: '',
};

const POSITION: TaskPosition<LedgerShared> & { readonly type: 'LedgerPosition' } = {
  type: 'LedgerPosition',
  source: 2n ** 63n - 1n,
  global: 3_000_000_000n,
  walk: { offset: 2n ** 31n, index: 1, after: '0:c-1', rank: 7 },
  now: 1_730_000_000_124,
  shared: { waits: new Map([['w1', { card: { since: 1_730_000_000_000, agentsOffset: -1n } }]]) },
  digest: 'ab',
  incarnation: 'i-1',
};

test.each([
  [
    'TaskStateObserved',
    TASK_EVENTS as Topic<unknown>,
    STATE,
    '0000000004' +
      '020861636d651e42657374656c6c756e672dc3bc2d3104773106742d310000000602325441534b5f53544154455f494e5055545f5245515549524544' +
      '02f6d1c8c0d9640000',
  ],
  [
    'Verdict',
    VERDICTS as Topic<unknown>,
    VERDICT,
    '0000000017' +
      '0c0000000006523237367731206c6f737420742d3120616674657220636f6d706c65746564000206632d31020477310206742d3102020208' +
      '000000000000000002246132612e7461736b2d6576656e74732e76310680c8afa025020461620100000e64656661756c74f8d1c8c0d96400',
  ],
  [
    'LedgerPosition',
    LEDGER as Topic<unknown>,
    POSITION,
    '0000000016' +
      'feffffffffffffffff0180f882ad16028080808010020a303a632d310ef8d1c8c0d964020477310280d0c8c0d96401000004616206692d31',
  ],
])('should write and read a %s as it lies on its topic', (record, topic, value, hex) => {
  const serdes = inMemorySerdes();

  expect(Buffer.from(serdes.serialize(topic, record, value)).toString('hex')).toBe(hex);
  expect(serdes.deserialize(topic, Buffer.from(hex, 'hex'))).toStrictEqual({ kind: 'value', value });
});

describe.each(PUBLIC)('the golden frames of $record', ({ record }) => {
  const topic = topicOf(record);
  const file = new URL(`../../../../schemas/golden/${record}.json`, import.meta.url);
  const { frames } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly frames: readonly { readonly name: string; readonly frame: string }[];
  };
  const serdes = inMemorySerdes();
  const ids = frames.map(({ frame }) => frame.slice(2, 10));

  test.each(goldenValues(record))('should be what is written and read: %s', (name, value) => {
    const written = Buffer.from(serdes.serialize(topic, record, value));
    const golden = frames.find((frame) => frame.name === name)?.frame ?? '';

    expect(`00${ID_PLACEHOLDER}${written.toString('hex').slice(10)}`).toBe(golden);
    const framed = Buffer.concat([written.subarray(0, 5), Buffer.from(golden.slice(10), 'hex')]);
    expect(serdes.deserialize(topic, framed)).toStrictEqual({ kind: 'value', value });
  });

  test('should be three, with a place for the ID', () => {
    expect(ids).toStrictEqual([ID_PLACEHOLDER, ID_PLACEHOLDER, ID_PLACEHOLDER]);
  });
});

test('should write lone surrogates, which UTF-8 cannot hold, as the replacement character, in short texts and in long ones', () => {
  const serdes = inMemorySerdes();
  const lone = '\ud800';

  for (const length of [1, 100]) {
    const written = serdes.serialize(TASK_EVENTS, 'TaskStateObserved', {
      ...STATE,
      correlationId: lone.repeat(length),
    });

    expect(serdes.deserialize(TASK_EVENTS, written)).toStrictEqual({
      kind: 'value',
      value: { ...STATE, correlationId: '\ufffd'.repeat(length) },
    });
  }
});

test('should give the same bytes for equal maps, whatever was put in first', () => {
  const serdes = inMemorySerdes();
  const wait = { card: { since: 0, agentsOffset: 0n } };
  const written = (agents: readonly string[]): Uint8Array => {
    const waits = new Map(agents.map((agentId) => [agentId, wait]));
    return serdes.serialize<unknown>(LEDGER, 'LedgerPosition', { ...POSITION, shared: { waits } });
  };

  expect(written(['w2', 'w1', 'w3'])).toStrictEqual(written(['w3', 'w2', 'w1']));
});

test('should write records of any size', () => {
  const serdes = inMemorySerdes();
  const large = { ...STATE, correlationId: 'x'.repeat(100_000) };

  for (const value of [large, STATE])
    expect(serdes.deserialize(TASK_EVENTS, serdes.serialize(TASK_EVENTS, 'TaskStateObserved', value))).toStrictEqual({
      kind: 'value',
      value,
    });
});
