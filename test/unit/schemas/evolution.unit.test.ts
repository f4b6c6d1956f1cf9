import { describe, expect, test } from '@jest/globals';
import { AvroCodec } from '../../../infra/registry/avro-codec.js';
import { parseSchema } from '../../../infra/registry/avro-schema.js';
import { RecordCodec, type Read } from '../../../infra/registry/record-codec.js';
import { subjects } from '../../../schemas/catalogue.js';
import { SCHEMAS, type RecordName } from '../../../schemas/generated.js';
import { TASK_EVENTS } from '../../../topology/topics.js';

type Definition = { name: string; fields: { name: string; type: unknown; default?: unknown }[]; symbols: string[] };

/** Another version of a record's schema: ours after `change`. */
const version = (
  record: RecordName,
  change: (schema: Definition, named: (name: string) => Definition) => void,
): string => {
  const schema = JSON.parse(SCHEMAS[record]) as Definition;
  change(schema, (name) => {
    const found = find(schema, name);
    if (found === undefined) throw new Error(`${record} has no ${name}`);
    return found;
  });
  return JSON.stringify(schema);
};

const find = (value: unknown, name: string): Definition | undefined => {
  if (typeof value !== 'object' || value === null) return undefined;
  if ('name' in value && value.name === name && ('fields' in value || 'symbols' in value)) return value as Definition;
  for (const inner of Object.values(value)) {
    const found = find(inner, name);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** A value written by one version and read by another. */
const through = (writer: string, reader: string, value: unknown): Read => {
  const codec = new RecordCodec(reader);
  return codec.decode(codec.writer(parseSchema(writer)), new RecordCodec(writer).encode(1, value));
};

const read = (value: unknown): Read => ({ kind: 'value', value });

const STATE = {
  type: 'TaskStateObserved',
  correlationId: 'order-1',
  agentId: 'w1',
  serverTaskId: 't-1',
  via: 'poll',
  state: 'working',
  statusTimestamp: 1_730_000_000_123,
} as const;
const ours = SCHEMAS.TaskStateObserved;

describe('an optional field that one version has and the other has not', () => {
  const more = version('TaskStateObserved', ({ fields }) => {
    fields.splice(3, 0, { name: 'region', type: ['null', 'string'], default: null });
  });
  const less = version('TaskStateObserved', (schema) => {
    schema.fields = schema.fields.filter(({ name }) => name !== 'statusTimestamp');
  });

  test('should be skipped where the reader does not have it', () => {
    expect(through(more, ours, { ...STATE, region: 'eu' })).toStrictEqual(read(STATE));
    expect(through(ours, less, STATE)).toStrictEqual(through(less, less, STATE));
  });

  test('should be absent where the writer does not have it', () => {
    const { statusTimestamp: _, ...without } = STATE;

    expect(through(ours, more, STATE)).toStrictEqual(read(STATE));
    expect(through(less, ours, STATE)).toStrictEqual(read(without));
  });

  test('should be null where the reader keeps null, and the writer does not have it', () => {
    const after = version('LedgerPosition', (_, named) => {
      named('Wait').fields.push({ name: 'note', type: ['null', 'string'], default: null, absent: 'null' } as never);
    });
    const position = (wait: object): object => ({
      type: 'LedgerPosition',
      source: 5_000_000_000n,
      global: 0n,
      now: 1,
      shared: { waits: new Map([['w1', { card: wait }]]) },
      digest: '',
      incarnation: 'i',
    });

    expect(through(SCHEMAS.LedgerPosition, after, position({ since: 1, agentsOffset: -1n }))).toStrictEqual(
      read(position({ since: 1, agentsOffset: -1n, note: null })),
    );
  });
});

describe('an enum symbol that the reader does not know', () => {
  const withSymbol = (record: RecordName, name: string): string =>
    version(record, (_, named) => {
      const definition = named(name) as Definition & { words: Record<string, string> };
      definition.symbols.push('BRAND_NEW');
      definition.words.BRAND_NEW = 'brand-new';
    });

  test('should be read as the default where that has a word', () => {
    expect(through(withSymbol('TaskStateObserved', 'Via'), ours, { ...STATE, via: 'brand-new' })).toStrictEqual(
      read({ ...STATE, via: 'push' }),
    );
  });

  test('should make the record unreadable where no word is safe: nothing is guessed', () => {
    const decided = { type: 'OperatorDecided', correlationId: 'order-1', action: 'brand-new' };

    expect(through(withSymbol('OperatorDecided', 'OperatorAction'), SCHEMAS.OperatorDecided, decided)).toStrictEqual({
      kind: 'failed',
      detail: 'OperatorAction is a word that this version does not know',
    });
  });

  test('should not matter to a newer reader of older records, nor where other symbols are used', () => {
    const newer = withSymbol('TaskStateObserved', 'Via');

    expect(through(ours, newer, STATE)).toStrictEqual(read(STATE));
    expect(through(newer, ours, STATE)).toStrictEqual(read(STATE));
  });
});

/** A ledger entry with one deferred observation. */
const entry = (observation: object): object => ({
  type: 'LedgerEntry',
  dueAt: null,
  correlationId: 'order-1',
  born: '0/0',
  acceptedOutputModes: [],
  inputKept: false,
  continues: false,
  state: null,
  attempts: [],
  serverTasks: [],
  artifacts: [],
  losses: 0,
  lostBy: [],
  newsAt: 0,
  silenceAsked: false,
  marks: [],
  deferral: {
    agentId: 'w1',
    awaits: 'card',
    agentsOffset: -1n,
    until: 0,
    queue: [{ observation, coordinates: { topic: 't', partition: 0, offset: 0n }, time: 0, inputSha256: '' }],
  },
  seenEvents: [],
  violations: [],
  counts: { violations: 0, redispatches: 0, queries: 0, eventIdConflicts: 0 },
  lastWordAt: 0,
  inputDropped: false,
});
test('should let an older ledger read what it can of an entry with a new type of observation, and refuse the rest', () => {
  const newer = version('LedgerEntry', (_, named) => {
    named('ObservedFact').fields.push({
      name: 'pauseObserved',
      type: [
        'null',
        {
          type: 'record',
          name: 'PauseObserved',
          discriminant: 'type',
          fields: [{ name: 'correlationId', type: 'string' }],
        },
      ],
      default: null,
    });
  });
  const known = entry({ type: 'CancelRequested', correlationId: 'order-1' });

  expect(through(newer, SCHEMAS.LedgerEntry, known)).toStrictEqual(read(known));
  expect(through(newer, SCHEMAS.LedgerEntry, entry({ type: 'PauseObserved', correlationId: 'order-1' }))).toStrictEqual(
    { kind: 'failed', detail: 'ObservedFact holds 0 records that this version knows, not one' },
  );
});

test('should refuse an entry whose writer put two observations where one belongs', () => {
  const careless = version('LedgerEntry', (_, named) => {
    const fact = named('ObservedFact') as { choice?: boolean };
    delete fact.choice;
  });
  const both = entry({
    cancelRequested: { correlationId: 'order-1' },
    streamClosed: { correlationId: 'order-1', agentId: 'w1', clean: true },
  });

  expect(through(careless, SCHEMAS.LedgerEntry, both)).toStrictEqual({
    kind: 'failed',
    detail: 'ObservedFact holds 2 records that this version knows, not one',
  });
});

test('should not count items that take no bytes, however many another writer claims', () => {
  const claiming = version('StreamClosed', ({ fields }) => {
    fields.push({ name: 'nothings', type: { type: 'array', items: { type: 'record', name: 'Nothing', fields: [] } } });
  });
  const codec = new RecordCodec(SCHEMAS.StreamClosed);
  // tenant null, correlationId "", agentId "", serverTaskId null, clean, then 2^48 nothings.
  const bytes = Uint8Array.from([0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01, 0]);

  expect(codec.decode(codec.writer(parseSchema(claiming)), bytes)).toStrictEqual({
    kind: 'failed',
    detail: 'the bytes end in the middle of the record',
  });
});

describe('a schema of another writer', () => {
  const codec = new AvroCodec(subjects().map((subject, index) => ({ ...subject, id: index + 1 })));

  test('should be read by its ID once it is known', () => {
    const newer = version('TaskStateObserved', ({ fields }) => {
      fields.push({ name: 'region', type: ['null', 'string'], default: null });
    });
    const bytes = new RecordCodec(newer).encode(70_000, { ...STATE, region: 'eu' });

    expect(codec.unknownIds([bytes, bytes])).toStrictEqual([70_000]);
    codec.learn(70_000, { kind: 'schema', schema: parseSchema(newer) });
    expect(codec.unknownIds([bytes])).toStrictEqual([]);
    expect(codec.deserialize(TASK_EVENTS, bytes)).toStrictEqual({ kind: 'value', value: STATE });
  });

  test.each([
    ['another namespace', { type: 'record', name: 'TaskStateObserved', namespace: 'other.v1', fields: [] }],
    ['no record of ours', { type: 'record', name: 'Pigeon', namespace: 'holdfast.v1', fields: [] }],
    ['what is no record', 'string'],
    [
      'a record that lacks a required field',
      { type: 'record', name: 'StreamClosed', namespace: 'holdfast.v1', fields: [] },
    ],
  ])('should be undecodable: %s', (_, schema) => {
    codec.learn(70_001, { kind: 'schema', schema: schema as never });

    expect(codec.deserialize(TASK_EVENTS, Buffer.from([0, 0, 1, 0x11, 0x71]))).toMatchObject({
      kind: 'failed',
      reason: 'undecodable',
    });
  });
});
