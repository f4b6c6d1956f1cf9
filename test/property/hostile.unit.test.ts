import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { AgentRecord } from '../../topology/agent/agent-records.js';
import { readCard } from '../../topology/agent/card-terms.js';
import { parseMediaType } from '../../topology/artifact/media-type.js';
import { ledgerTopology } from '../../topology/ledger.topology.js';
import { dueAt } from '../../topology/ledger.decider.js';
import type { Observation } from '../../topology/observation.js';
import { PART_KINDS, VIAS } from '../../topology/observation.js';
import { DEFAULT_POLICY } from '../../topology/policy.js';
import { readTaskState } from '../../topology/task/task-state.js';
import { VERDICTS } from '../../topology/vocabulary.js';
import { agent, policyOf } from '../kit/decider-kit/agents.js';
import { dispatched, lostTask, said, wrote } from '../kit/decider-kit/builders.js';
import { answer, Ledger, type OnStep } from '../kit/decider-kit/ledger.js';
import { seeded } from '../kit/decider-kit/seed.js';

const HUGE = 'x'.repeat(200_000);
const strange = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    '\ud800',
    'a\udc00',
    '__proto__',
    'constructor',
    'toString',
    HUGE,
    '0:c-1',
    'w1',
    't-1',
    '$&',
    '${x}',
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
/** A name that others use too, so that hostile words meet a live record. */
const name = (...usual: readonly [string, ...string[]]): fc.Arbitrary<string> =>
  fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...usual) }, strange);
const extreme = fc.constantFrom(
  0,
  -0,
  -1,
  1,
  0.5,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
  2 ** 53,
  1e308,
  -1e308,
  5e-324,
);

const unit = { correlationId: fc.constant('c-1') };
const agentId = name('w1', 'w2');
const serverTaskId = name('t-1', 't-2');
const by = fc.constantFrom('client' as const, 'holdfast' as const);
const principal = name('p-1');
const spoken = {
  ...unit,
  agentId,
  serverTaskId,
  contextId: strange,
  metadataCorrelationId: name('c-1'),
  boundTo: name('0:c-1'),
  via: fc.constantFrom(...VIAS),
};

/** A record with all its fields or without its optional ones; the type says which those are, the generator need not. */
const some = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }, requiredKeys: (keyof T)[]): fc.Arbitrary<T> =>
  fc.record(model, { requiredKeys });

const typed = <K extends Observation['type']>(type: K) => ({ type: fc.constant(type) });

const observation = fc.oneof(
  some(
    {
      ...typed('DispatchObserved'),
      ...unit,
      agentId,
      by,
      skillId: strange,
      messageId: name('m-1'),
      contextId: strange,
      principal,
      serverTaskId,
      commandId: strange,
      acceptedOutputModes: fc.array(strange, { maxLength: 3 }),
      inputKept: fc.boolean(),
      continues: fc.boolean(),
    },
    ['type', 'correlationId', 'agentId', 'by', 'inputKept', 'continues'],
  ),
  some({ ...typed('DispatchStarted'), ...unit, agentId, commandId: strange }, [
    'type',
    'correlationId',
    'agentId',
    'commandId',
  ]),
  some({ ...typed('DispatchFailed'), ...unit, agentId, reason: strange, commandId: strange }, [
    'type',
    'correlationId',
    'agentId',
  ]),
  some(
    {
      ...typed('TaskStateObserved'),
      ...spoken,
      state: name('working', 'completed', 'failed'),
      statusTimestamp: extreme,
      messageId: strange,
      lifecycleReason: strange,
    },
    ['type', 'correlationId', 'agentId', 'serverTaskId', 'via'],
  ),
  some(
    {
      ...typed('ArtifactObserved'),
      ...spoken,
      artifactId: name('a-1'),
      append: fc.boolean(),
      lastChunk: fc.boolean(),
      parts: fc.array(
        fc.record(
          { kind: fc.constantFrom(...PART_KINDS), mediaType: name('application/json'), bytes: extreme },
          { requiredKeys: ['kind'] },
        ),
        { maxLength: 3 },
      ),
      chunks: extreme,
      digest: strange,
      assembled: strange,
    },
    ['type', 'correlationId', 'agentId', 'serverTaskId', 'via', 'artifactId', 'append', 'lastChunk', 'parts', 'chunks'],
  ),
  some({ ...typed('MessageObserved'), ...unit, agentId, messageId: strange, contextId: strange }, [
    'type',
    'correlationId',
    'agentId',
  ]),
  some({ ...typed('TaskNotFoundObserved'), ...unit, agentId, serverTaskId, method: strange, principal, by }, [
    'type',
    'correlationId',
    'agentId',
    'serverTaskId',
    'method',
    'by',
  ]),
  some(
    {
      ...typed('ExchangeObserved'),
      ...unit,
      agentId,
      serverTaskId,
      binding: fc.constantFrom('JSONRPC' as const, 'HTTP+JSON' as const, 'GRPC' as const),
      method: name('GetTask', 'SendMessage', 'ListTasks'),
      httpStatus: fc.oneof(fc.constantFrom(200, 404, 500), extreme),
      contentType: strange,
      rpcErrorCode: fc.oneof(fc.constantFrom(-32001, -32603), extreme),
      reason: name('TASK_NOT_FOUND'),
      error: strange,
      found: extreme,
      principal,
      by,
    },
    ['type', 'correlationId', 'agentId', 'binding', 'method', 'httpStatus', 'by'],
  ),
  some({ ...typed('StreamClosed'), ...unit, agentId, serverTaskId, clean: fc.boolean() }, [
    'type',
    'correlationId',
    'agentId',
    'clean',
  ]),
  some({ ...typed('CancelRequested'), ...unit, principal }, ['type', 'correlationId']),
  some(
    {
      ...typed('OperatorDecided'),
      ...unit,
      action: fc.constantFrom('approve' as const, 'void' as const, 'redispatch' as const, 'resolve' as const),
      actor: strange,
      reason: strange,
      agentId,
      state: name('failed'),
    },
    ['type', 'correlationId', 'action'],
  ),
) as fc.Arbitrary<Observation>;

const total: OnStep = (before, asked, step) => {
  const words = step.decisions.map(({ judgement }) => judgement.word);
  if (asked.kind === 'observation' && words.length !== 1) throw new Error(`${words.length} verdicts`);
  if (!words.every((word) => VERDICTS.includes(word))) throw new Error(`verdict ${words.join()}`);
  if (!isDeepStrictEqual(answer(before, asked), step)) throw new Error('not deterministic');
  const due = step.record === null ? undefined : dueAt(step.record, asked.context.contracts.policy);
  if (Number.isNaN(due)) throw new Error('due at NaN');
};

describe('the ledger under hostile words', () => {
  test('should judge each once and never fail', () => {
    const mesh: readonly AgentRecord[] = [...agent('w1', { config: { serviceIdentity: true } }), ...agent('w2')];
    fc.assert(
      fc.property(
        fc.array(observation, { minLength: 1, maxLength: 25 }),
        fc.boolean(),
        fc.constantFrom(1, 60_000, 2 ** 40),
        (words, opened, after) => {
          const ledger = new Ledger(mesh, policyOf({ substitutionGroups: [['w1', 'w2']] }), total);
          if (opened) ledger.observe(dispatched('w1', { serverTaskId: 't-1' }));
          for (const word of words) ledger.observe(word, { after });
        },
      ),
      seeded({ numRuns: 3_000 }),
    );
  }, 120_000);

  test('should judge under any policy whose durations are positive', () => {
    const duration = fc.constantFrom(1, 1_000, Number.MAX_SAFE_INTEGER);
    const durations = fc.record({
      deferTimeoutMs: duration,
      refreshBackoffMs: duration,
      staleAfterMs: duration,
      stalledAfterMs: duration,
      indeterminateAfterMs: duration,
      dispatchDeadlineMs: duration,
      sendDeadlineMs: duration,
      inputRetentionMs: duration,
      retainForMs: duration,
      maxAttempts: fc.constantFrom(0, 1, 3, Number.MAX_SAFE_INTEGER),
    });
    fc.assert(
      fc.property(durations, fc.array(observation, { maxLength: 10 }), (rest, words) => {
        const ledger = new Ledger(
          [...agent('w1'), ...agent('w2')],
          { ...rest, substitutionGroups: [['w1', 'w2']] },
          total,
        );
        ledger.given(dispatched('w1', { serverTaskId: 't-1' }), lostTask('w1', 't-1'), ...words);
        ledger.wait(2 ** 40);
      }),
      seeded({ numRuns: 1_000 }),
    );
  }, 120_000);

  test('should write a text for each, through the whole processor', () => {
    const { processor } = ledgerTopology;
    fc.assert(
      fc.property(observation, (value) => {
        const key = new TextEncoder().encode('0:c-1');
        const around = {
          now: 1,
          partition: 0,
          partitions: 1,
          shared: processor.initialShared(),
          global: processor.initialGlobal(),
        };
        const { outputs } = processor.process(
          {
            coordinates: { topic: 't', partition: 0, offset: 0n },
            time: 1,
            key,
            bytes: key,
            headers: {},
            sha256: '',
            decoded: { kind: 'value', value },
          },
          null,
          around,
        );
        expect(outputs.filter(({ topic }) => topic.name === 'a2a.verdicts.v1')).toHaveLength(1);
      }),
      seeded({ numRuns: 2_000 }),
    );
  });
});

describe('readers of foreign texts', () => {
  test('should take any text', () => {
    fc.assert(
      fc.property(strange, (text) => {
        parseMediaType(text);
        readTaskState(text);
      }),
      seeded({ numRuns: 5_000 }),
    );
  });

  test.each([
    ['many parameters', `text/plain${';a=b'.repeat(50_000)}`],
    ['an open quote', `text/plain;a="${'\\"'.repeat(50_000)}`],
    ['many empty parameters', `text/plain${' ;'.repeat(50_000)}`],
    ['many slashes', '/'.repeat(100_000)],
    ['blanks before', `${' '.repeat(100_000)}text/plain`],
    ['blanks after', `text/plain${' '.repeat(100_000)}`],
    ['blanks between', `text/plain${' '.repeat(60_000)};`],
    ['blanks in a parameter', `text/plain;${' \t'.repeat(30_000)}x`],
  ])('should read %s in linear time', (_, text) => {
    const begun = performance.now();

    parseMediaType(text);

    expect(performance.now() - begun).toBeLessThan(400);
  });

  test('should read any JSON as a card or as none', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        expect(['card', 'invalid']).toContain(readCard(body).kind);
      }),
      seeded({ numRuns: 3_000 }),
    );
  });
});

describe('the size of a record', () => {
  const size = (ledger: Ledger): number =>
    JSON.stringify(ledger.unit, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)).length;
  const spoken = (rounds: number): Ledger => {
    const ledger = new Ledger([...agent('w1'), ...agent('w2')]).given(dispatched('w1', { serverTaskId: 't-1' }));
    for (let round = 0; round < rounds; round += 1) {
      const event = (kind: number) => ({
        event: { idHash: String(round * 4 + kind).padStart(64, '0'), contentHash: 'c'.repeat(64) },
      });
      ledger.observe(
        said('w1', 't-1', round % 2 === 0 ? 'working' : 'input-required', {
          statusTimestamp: round,
          messageId: `m${round}`,
        }),
        event(0),
      );
      ledger.observe(wrote('w1', 't-1', { append: round > 0, digest: String(round).padStart(64, '0') }), event(1));
      ledger.observe(said('w1', 't-1', 'nonsense'), event(2));
      ledger.observe(
        { type: 'StreamClosed', correlationId: 'c-1', agentId: 'w1', serverTaskId: 't-1', clean: true },
        event(3),
      );
    }
    return ledger;
  };

  test('should not grow with the number of words', () => {
    const [early, late] = [spoken(300), spoken(600)];

    const { seenEvents, violations, attempts, artifacts, counts } = late.unit;
    expect([
      seenEvents.length,
      violations.length,
      attempts[0]?.seen.length,
      artifacts[0]?.chunkDigests.length,
    ]).toStrictEqual([1_000, 100, 100, 100]);
    expect([counts.violations, artifacts[0]?.chunks]).toStrictEqual([600, 600]);
    expect(size(late)).toBeLessThan(size(early) + 1_000);
    expect(size(late)).toBeLessThan(200_000);
  });

  test('should not grow with the number of losses but by what each redispatch adds', () => {
    const ledger = new Ledger([...agent('w1'), ...agent('w2')], { ...DEFAULT_POLICY, maxAttempts: 3 });
    ledger.given(dispatched('w1', { serverTaskId: 't-1' }), said('w1', 't-1', 'working'));
    for (let round = 0; round < 50; round += 1)
      ledger.given(lostTask('w1', 't-1'), said('w1', 't-1', 'working', { via: 'poll' }));
    const early = size(ledger);
    for (let round = 0; round < 50; round += 1)
      ledger.given(lostTask('w1', 't-1'), said('w1', 't-1', 'working', { via: 'poll' }));

    expect(ledger.unit.losses).toBe(100);
    expect(size(ledger)).toBeLessThan(early + 200);
  });
});
