import { PART_KINDS, VIAS } from '../../topology/observation.js';
import { STATE_SPELLINGS } from '../../topology/task/task-state.js';

/** JSON Schema (2020-12) of the story format. Unknown fields and event types are errors, named with their place. */

type Schema = Readonly<Record<string, unknown>>;

const text: Schema = { type: 'string' };
const texts: Schema = { type: 'array', items: text };
const flag: Schema = { type: 'boolean' };
const count: Schema = { type: 'integer', minimum: 0 };
const time: Schema = { type: 'number', minimum: 0 };
const anything: Schema = {};
/** Both official spellings of the wire (R1). */
const state: Schema = { enum: STATE_SPELLINGS };
const states: Schema = { type: 'array', items: state };
const textOrTexts: Schema = { anyOf: [text, texts] };
const nullable = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] });
const oneOf = (...words: readonly string[]): Schema => ({ enum: words });

/** An object with just these fields; a name that ends in `!` is required. */
const object = (fields: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  additionalProperties: false,
  required: Object.keys(fields).flatMap((name) => (name.endsWith('!') ? [name.slice(0, -1)] : [])),
  properties: Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name.replace(/!$/, ''), schema])),
});

const skill = object({ 'id!': text, outputModes: texts });
const cardFields = {
  // A card may list what is no state; it is no good card then.
  states: texts,
  defaultOutputModes: texts,
  skills: { type: 'array', items: skill },
  version: text,
  etag: text,
} as const;

const agent = object({
  'id!': text,
  'card!': object(cardFields),
  verified: object({ 'states!': states, 'modes!': texts, durable: flag }),
  ttlMs: time,
  provider: text,
  persistence: text,
  configuredStates: states,
  defaultSkill: text,
  tenants: texts,
  serviceIdentity: flag,
});

const policy = object({
  cardTtlMs: time,
  deferTimeoutMs: time,
  refreshBackoffMs: time,
  verificationTtlMs: time,
  probeHoldMs: time,
  staleAfterMs: time,
  stalledAfterMs: time,
  indeterminateAfterMs: time,
  maxAttempts: { type: 'integer', minimum: 1 },
  dispatchDeadlineMs: time,
  sendDeadlineMs: time,
  inputRetentionMs: time,
  retainForMs: time,
  schemaWaitMs: time,
  reexamine: { type: 'number', exclusiveMinimum: 0 },
  probeBudget: count,
  partitions: count,
  recordLimit: count,
  spool: count,
  replayAnswers: flag,
  trust: oneOf('verify', 'homogeneous-durable'),
  recovery: oneOf('off', 'manual', 'always'),
  contract: oneOf('observe', 'enforce'),
  assume: states,
  unverified: oneOf('probe-first', 'trust', 'refuse'),
  preference: texts,
  substitutionGroups: { type: 'array', items: texts },
});

const dispatchFields = {
  'correlationId!': text,
  'agentId!': text,
  skillId: text,
  messageId: text,
  contextId: text,
  tenant: text,
  principal: text,
  acceptedOutputModes: texts,
  inputKept: flag,
  continues: flag,
} as const;

const common = {
  'seq!': { type: 'integer', minimum: 1 },
  'at!': time,
  source: object({ 'topic!': text, 'partition!': count, 'offset!': count }),
  eventId: text,
  producer: text,
  tenant: text,
  misrouted: flag,
} as const;

const asker = oneOf('client', 'holdfast');
const ofAgent = { 'correlationId!': text, 'agentId!': text } as const;
const spoken = { ...ofAgent, 'serverTaskId!': text, contextId: text, metadataCorrelationId: text } as const;
const via = oneOf(...VIAS);
const part = object({ 'kind!': oneOf(...PART_KINDS), mediaType: text, bytes: count });

/** Fields of each event type besides the common ones. */
const EVENTS: Readonly<Record<string, Readonly<Record<string, Schema>>>> = {
  'task-state': {
    ...spoken,
    state: text,
    'via!': via,
    statusTimestamp: { type: 'number' },
    messageId: text,
    lifecycleReason: text,
  },
  artifact: {
    ...spoken,
    'artifactId!': text,
    'append!': flag,
    'lastChunk!': flag,
    'parts!': { type: 'array', items: part },
    digest: text,
    assembled: text,
    via,
  },
  message: { ...ofAgent, messageId: text, contextId: text },
  'task-not-found': { ...ofAgent, 'serverTaskId!': text, principal: text, by: asker, replica: anything },
  dispatch: { ...dispatchFields, by: asker, serverTaskId: text },
  'dispatch-failed': { ...ofAgent, reason: text },
  'client-cancel': { 'correlationId!': text, principal: text },
  operator: {
    'correlationId!': text,
    'action!': oneOf('approve', 'void', 'redispatch', 'resolve'),
    actor: text,
    reason: text,
    agentId: text,
    state: text,
  },
  capability: { 'agentId!': text, 'states!': states, 'modes!': texts, durable: flag },
  card: {
    ...cardFields,
    'agentId!': text,
    'httpStatus!': count,
    maxAgeMs: time,
    body: anything,
    signatureValid: flag,
  },
  'agent-removed': { 'agentId!': text },
  gap: { 'agentIds!': texts, 'from!': time, 'to!': time },
  clock: {},
};

/** Fields of each kind of `raw` event besides the common ones. */
const RAW: Readonly<Record<string, Readonly<Record<string, Schema>>>> = {
  'http-exchange': {
    ...ofAgent,
    serverTaskId: text,
    'binding!': oneOf('JSONRPC', 'HTTP+JSON', 'GRPC'),
    method: text,
    'httpStatus!': count,
    contentType: text,
    rpcErrorCode: { type: 'integer' },
    reason: text,
    error: text,
    found: count,
    principal: text,
    by: asker,
  },
  'stream-closed': { ...ofAgent, serverTaskId: text, clean: flag },
  'orchestrator-restart': {},
  'consumer-restart': {},
  tombstone: { 'key!': text },
  bytes: { 'base64!': text },
};

/** Picks the branch by a word, so that an error names the field at fault and not every branch that it is not. */
const byWord = (word: string, branches: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  required: [word],
  properties: { [word]: { enum: Object.keys(branches) } },
  allOf: Object.entries(branches).map(([value, schema]) => ({
    if: { properties: { [word]: { const: value } }, required: [word] },
    then: schema,
  })),
});

const map = <T>(entries: Readonly<Record<string, T>>, make: (value: T, key: string) => Schema) =>
  Object.fromEntries(Object.entries(entries).map(([key, value]) => [key, make(value, key)]));

const event = byWord('type', {
  ...map(EVENTS, (fields) => object({ 'type!': text, ...common, ...fields })),
  raw: byWord(
    'kind',
    map(RAW, (fields) => object({ 'type!': text, 'kind!': text, ...common, ...fields })),
  ),
});

const of = (fields: Readonly<Record<string, Schema>>): Schema => ({ type: 'array', items: object(fields) });

const conclusion = object({
  verdicts: of({ 'seq!': count, 'verdict!': text, code: text }),
  violations: of({ 'seq!': count, 'correlationId!': text, 'code!': text }),
  contractErrors: of({ 'seq!': count, 'correlationId!': text, 'code!': text, requiredState: text }),
  quarantined: count,
  commands: of({
    'after!': count,
    'type!': text,
    correlationId: text,
    agentId: text,
    serverTaskId: text,
    path: text,
    requiredState: text,
    toAnyOf: texts,
    to: text,
    never: texts,
    awaits: text,
    again: flag,
  }),
  ledger: {
    type: 'object',
    additionalProperties: nullable(
      object({
        state: nullable(text),
        lastValidState: nullable(text),
        serverTaskIds: texts,
        artifacts: {
          type: 'object',
          additionalProperties: object({ chunks: count, attempt: count, late: flag }),
        },
        violations: count,
        redispatches: count,
        stalled: flag,
        closed: nullable(text),
      }),
    ),
  },
});

export const STORY_SCHEMA: Schema = {
  ...object({
    'id!': text,
    'title!': text,
    why: textOrTexts,
    source: textOrTexts,
    rules: textOrTexts,
    assumptions: textOrTexts,
    'given!': object({
      'agents!': { type: 'array', items: agent },
      policy,
      dispatches: of({ ...dispatchFields, 'at!': time }),
      recordLimitBytes: count,
    }),
    'when!': { type: 'array', items: event },
    then: conclusion,
  }),
};
