import { TASK_STATES } from '../../topology/task/task-state.js';

/** JSON Schema (2020-12) of the configuration file. Every field is optional; an unknown one is an error. */

type Schema = Readonly<Record<string, unknown>>;

const text: Schema = { type: 'string', minLength: 1 };
const texts: Schema = { type: 'array', items: text };
const count: Schema = { type: 'integer', minimum: 1 };
const duration: Schema = { type: 'number', minimum: 0 };
const positive: Schema = { type: 'number', minimum: 1 };
const url: Schema = { type: 'string', pattern: '^https?://' };
/** Relative ones begin where the configuration file lies. */
const path: Schema = { type: 'string', minLength: 1, format: 'path' };
const state: Schema = { enum: TASK_STATES };
const states: Schema = { type: 'array', items: state };
const oneOf = (...words: readonly string[]): Schema => ({ enum: words });

const object = (properties: Readonly<Record<string, Schema>>, ...required: readonly string[]): Schema => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});

const tls: Schema = {
  ...object({
    caFile: path,
    certFile: path,
    keyFile: path,
    keyPassphrase: text,
    keyPassphraseFile: path,
    serverName: text,
  }),
  type: ['boolean', 'object'],
};

const sasl = object({
  mechanism: oneOf('plain', 'scram-sha-256', 'scram-sha-512', 'oauthbearer'),
  username: text,
  password: text,
  passwordFile: path,
  tokenEndpoint: url,
  tokenEndpointCaFile: path,
  clientId: text,
  clientSecret: text,
  clientSecretFile: path,
  scope: text,
  tokenFile: path,
});

const auth = object({ username: text, password: text, passwordFile: path, token: text, tokenFile: path });

/** `enforce` is understood by the rules; no gateway acts on it yet, so nobody should think that one does. */
const contract = oneOf('observe');

const canary = object({ skillId: text, state, mode: text, message: text, answer: text }, 'message');

const agent = object(
  {
    id: text,
    cardUrl: url,
    provider: text,
    tenants: texts,
    configuredStates: states,
    defaultSkill: text,
    persistence: oneOf('durable'),
    serviceIdentity: object({ headers: { type: 'object', additionalProperties: { type: 'string' } } }, 'headers'),
    contract: contract,
    recovery: oneOf('off', 'manual', 'always'),
    canaries: { type: 'array', items: canary },
  },
  'id',
  'cardUrl',
);

const policy = object({
  deferTimeoutMs: positive,
  refreshBackoffMs: positive,
  staleAfterMs: positive,
  stalledAfterMs: positive,
  indeterminateAfterMs: positive,
  maxAttempts: count,
  dispatchDeadlineMs: positive,
  sendDeadlineMs: positive,
  inputRetentionMs: positive,
  retainForMs: positive,
  reexaminePerSecond: count,
  trust: oneOf('verify', 'homogeneous-durable'),
  recovery: oneOf('off', 'manual', 'always'),
  contract: contract,
  unverified: oneOf('probe-first', 'trust', 'refuse'),
  assume: states,
  preference: texts,
  substitutionGroups: { type: 'array', items: texts },
});

export const CONFIG_SCHEMA: Schema = object({
  kafka: object({
    brokers: texts,
    topicPrefix: { type: 'string' },
    partitions: count,
    replicationFactor: count,
    groups: count,
    tls,
    sasl,
  }),
  registry: object({ url, tls, auth }),
  stateDir: path,
  instanceId: { type: 'string', pattern: '^[A-Za-z0-9._-]+$' },
  gateway: object({
    host: text,
    port: { type: 'integer', minimum: 0, maximum: 65535 },
    publicUrl: text,
    principalSalt: text,
    principalSaltFile: path,
    apiKeyIdHeader: text,
  }),
  verifier: object({
    verificationTtlMs: duration,
    cardTtlMs: duration,
    probeTimeoutMs: duration,
    probeBudget: count,
    idleMs: duration,
  }),
  dispatcher: object({ recheckMs: { type: 'array', items: duration }, sendTimeoutMs: duration }),
  egress: object({ allow: texts }),
  probeHoldMs: duration,
  schemaWaitMs: duration,
  policy,
  agents: { type: 'array', items: agent },
  logLevel: oneOf('debug', 'info', 'warn', 'error'),
});
