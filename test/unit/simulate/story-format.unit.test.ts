import { describe, expect, test } from '@jest/globals';
import { parseStory, StoryError } from '../../../services/simulate/read-stories.js';

const unit = { correlationId: 'c1', agentId: 'A' };
const spoken = { ...unit, serverTaskId: 's1', contextId: 'x', metadataCorrelationId: 'c1' };
const request = {
  skillId: 'k',
  messageId: 'm',
  contextId: 'x',
  tenant: 't',
  principal: 'p',
  acceptedOutputModes: ['*/*'],
};
const sent = { ...unit, ...request, inputKept: true, continues: false };
const card = { states: ['working'], defaultOutputModes: ['a/b'], skills: [{ id: 'k', outputModes: [] }], version: '1' };

/** Every event type with every field that the format has for it. */
const EVENTS: readonly Readonly<Record<string, unknown>>[] = [
  {
    type: 'task-state',
    ...spoken,
    state: 'working',
    via: 'push',
    statusTimestamp: 1,
    messageId: 'm',
    lifecycleReason: 'r',
    source: { topic: 'o', partition: 0, offset: 1 },
    eventId: 'e',
    producer: 'p',
    tenant: 't',
    misrouted: true,
  },
  {
    type: 'artifact',
    ...spoken,
    artifactId: 'a',
    append: false,
    lastChunk: true,
    parts: [{ kind: 'url', mediaType: 'a/b', bytes: 1 }],
    digest: 'd',
    assembled: 'd',
    via: 'list',
  },
  { type: 'message', ...unit, messageId: 'm', contextId: 'x' },
  { type: 'task-not-found', ...unit, serverTaskId: 's1', principal: 'p', by: 'holdfast', replica: 2 },
  { type: 'dispatch', ...sent, by: 'client', serverTaskId: 's1' },
  { type: 'dispatch-failed', ...unit, reason: 'r' },
  { type: 'client-cancel', correlationId: 'c1', principal: 'p' },
  { type: 'operator', correlationId: 'c1', action: 'approve' },
  { type: 'capability', agentId: 'A', states: ['TASK_STATE_WORKING'], modes: ['a/b'], durable: true },
  { type: 'card', agentId: 'A', httpStatus: 200, etag: 'e', maxAgeMs: 1, body: {}, signatureValid: true, ...card },
  { type: 'agent-removed', agentId: 'A' },
  { type: 'gap', agentIds: ['A'], from: 0, to: 1 },
  { type: 'clock' },
  {
    type: 'raw',
    kind: 'http-exchange',
    ...unit,
    serverTaskId: 's1',
    binding: 'HTTP+JSON',
    method: 'GetTask',
    httpStatus: 0,
    contentType: 'text/html',
    rpcErrorCode: -1,
    reason: 'r',
    error: 'reset',
    found: 0,
    principal: 'p',
    by: 'client',
  },
  { type: 'raw', kind: 'stream-closed', ...unit, serverTaskId: 's1', clean: false },
  { type: 'raw', kind: 'orchestrator-restart' },
  { type: 'raw', kind: 'consumer-restart' },
  { type: 'raw', kind: 'tombstone', key: 'c1' },
  { type: 'raw', kind: 'bytes', base64: 'AA==' },
];

const COMMAND = {
  after: 1,
  type: 'redispatch',
  ...unit,
  serverTaskId: 's1',
  path: '/tasks/s1',
  requiredState: 'working',
};
const UNIT = {
  state: null,
  lastValidState: null,
  serverTaskIds: [],
  artifacts: { a: { chunks: 1, attempt: 1, late: false } },
  violations: 0,
  redispatches: 0,
  stalled: false,
  closed: null,
};

const STORY = {
  id: 'x-1',
  title: 'Everything that the format has',
  why: ['a', 'b'],
  source: 'somewhere',
  rules: ['R1'],
  assumptions: 'none',
  given: {
    agents: [
      {
        id: 'A',
        card: { ...card, etag: 'e' },
        verified: { states: ['working'], modes: ['a/b'], durable: false },
        ttlMs: 1,
        provider: 'p',
        persistence: 'durable',
        configuredStates: ['working'],
        defaultSkill: 'k',
        tenants: ['t'],
        serviceIdentity: true,
      },
    ],
    policy: {
      ...{
        cardTtlMs: 1,
        deferTimeoutMs: 1,
        refreshBackoffMs: 1,
        verificationTtlMs: 1,
        probeHoldMs: 1,
        staleAfterMs: 1,
      },
      ...{ stalledAfterMs: 1, indeterminateAfterMs: 1, maxAttempts: 1, dispatchDeadlineMs: 1, sendDeadlineMs: 1 },
      ...{ inputRetentionMs: 1, retainForMs: 1, schemaWaitMs: 1, reexamine: 1, probeBudget: 1 },
      ...{ trust: 'verify', recovery: 'off', contract: 'observe', assume: [], unverified: 'trust' },
      ...{ preference: ['A'], substitutionGroups: [['A']] },
    },
    dispatches: [{ ...sent, at: 0 }],
    recordLimitBytes: 1,
  },
  when: EVENTS.map((event, index) => ({ seq: index + 1, at: index, ...event })),
  then: {
    verdicts: [{ seq: 1, verdict: 'violation', code: 'unknown-state' }],
    violations: [{ seq: 1, correlationId: 'c1', code: 'unknown-state' }],
    contractErrors: [{ seq: 1, correlationId: 'c1', code: 'no-capable-worker', requiredState: 'working' }],
    quarantined: 0,
    commands: [{ ...COMMAND, toAnyOf: ['A'], to: 'A', never: [], awaits: 'operator', again: true }],
    ledger: { c1: UNIT, 't/c1': null },
  },
};

/** The story with something put at a place of it; what is not there is made. */
const changed = (value: unknown, [name, ...rest]: readonly string[], put: unknown): unknown => {
  if (name === undefined) return put;
  if (Array.isArray(value))
    return (value as readonly unknown[]).map((item, i) => (String(i) === name ? changed(item, rest, put) : item));
  const fields = Object(value) as Readonly<Record<string, unknown>>;
  return { ...fields, [name]: changed(fields[name], rest, put) };
};

describe('The story format', () => {
  test('takes every field that it has', () => {
    expect(parseStory(STORY, 'all.json')).toBe(STORY);
  });

  test.each([
    '/extra',
    '/given/extra',
    '/given/agents/0/extra',
    '/given/agents/0/card/a~1b',
    '/given/agents/0/verified/extra',
    '/given/policy/recheck',
    '/given/dispatches/0/extra',
    ...EVENTS.map((_, index) => `/when/${index}/extra`),
    '/when/0/source/extra',
    '/when/1/parts/0/extra',
    '/then/extra',
    '/then/commands/0/extra',
    '/then/ledger/c1/extra',
    '/then/ledger/c1/artifacts/a/extra',
  ])('refuses an unknown field at %s', (pointer) => {
    const path = pointer.split('/').slice(1);
    const story = changed(
      STORY,
      path.map((name) => name.replaceAll('~1', '/')),
      1,
    );
    expect(() => parseStory(story, 'f.json')).toThrow(new StoryError(`f.json: ${pointer}: unknown field`));
  });

  test.each([
    [['when', '0', 'type'], 'task-stat', /^f\.json: \/when\/0\/type: must be one of task-state, /],
    [['when', '13', 'kind'], 'http', /^f\.json: \/when\/13\/kind: must be one of http-exchange, /],
    [['when', '0', 'via'], 'pull', /^f\.json: \/when\/0\/via: must be one of /],
    [['when', '2', 'seq'], 9, /^f\.json: \/when\/2\/seq: must be 3$/],
    [['when', '2', 'at'], 0, /^f\.json: \/when\/2\/at: goes back in time$/],
    [['given', 'policy', 'trust'], 'all', /^f\.json: \/given\/policy\/trust: must be one of /],
  ] as const)('names the place of a fault: %j', (path, put, message) => {
    expect(() => parseStory(changed(STORY, path, put), 'f.json')).toThrow(message);
  });
});
