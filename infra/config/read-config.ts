import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Ajv, type ErrorObject } from 'ajv';
import { parseDocument, LineCounter, type Document } from 'yaml';
import { DEFAULT_CARD_TTL_MS, DEFAULT_POLICY, DEFAULT_VERIFICATION_TTL_MS } from '../../topology/policy.js';
import { HoldfastError } from '../errors.js';
import type { HoldfastConfig } from './config.js';
import { connectionConflicts } from './connection-rules.js';
import { CONFIG_SCHEMA } from './config-schema.js';

/** The configuration cannot be used. Names the file and line, or the variable. */
export class ConfigError extends HoldfastError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'HOLDFAST_CONFIG_INVALID', retryable: false, cause });
  }
}

type Deep<T> = {
  readonly [K in keyof T]?: T[K] extends readonly unknown[] ? T[K] : T[K] extends object ? Deep<T[K]> : T[K];
};
/** What a source (file, environment, flags) says; the rest comes from the sources below it. */
export type PartialConfig = Deep<HoldfastConfig>;

export const DEFAULT_CONFIG: HoldfastConfig = {
  kafka: { brokers: ['127.0.0.1:9092'], topicPrefix: '', partitions: 12, replicationFactor: 1, groups: 4 },
  registry: { url: 'http://127.0.0.1:8081/apis/ccompat/v7' },
  stateDir: '.cache/state',
  instanceId: 'holdfast-1',
  gateway: { host: '127.0.0.1', port: 8080 },
  verifier: {
    verificationTtlMs: DEFAULT_VERIFICATION_TTL_MS,
    cardTtlMs: DEFAULT_CARD_TTL_MS,
    probeTimeoutMs: 20_000,
    probeBudget: 20,
    idleMs: 1_000,
  },
  dispatcher: { recheckMs: [1_000, 3_000], sendTimeoutMs: 30_000 },
  egress: { allow: [] },
  probeHoldMs: 30_000,
  schemaWaitMs: 30_000,
  policy: DEFAULT_POLICY,
  agents: [],
  logLevel: 'info',
};

const ajv = new Ajv({ allErrors: false, strict: false, formats: { path: true } });
const validate = ajv.compile<PartialConfig>(CONFIG_SCHEMA);

/** Reads a YAML file. @throws ConfigError with file and line of the fault */
export const readConfigFile = (file: string): PartialConfig => {
  let source: string;
  try {
    source = readFileSync(file, 'utf8');
  } catch (cause) {
    throw new ConfigError(`${file}: cannot be read`, cause);
  }
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines });
  const [fault] = document.errors;
  if (fault !== undefined) throw new ConfigError(`${file}: ${fault.message}`, fault);
  const value: unknown = document.toJS() ?? {};
  if (validate(value)) {
    const [conflict] = connectionConflicts(value);
    if (conflict === undefined) return withPaths(value, dirname(file));
    const at = lineAt(document, lines, conflict.path);
    throw new ConfigError(`${file}${at === undefined ? '' : `:${at}`}: ${conflict.path.join('.')}: ${conflict.text}`);
  }
  const error = validate.errors?.[0];
  const line = error === undefined ? undefined : lineOf(document, lines, error);
  throw new ConfigError(
    `${file}${line === undefined ? '' : `:${line}`}: ${error === undefined ? 'not valid' : describe(error)}`,
  );
};

const unknownKey = ({ keyword, params }: ErrorObject): string | undefined =>
  keyword === 'additionalProperties'
    ? String((params as { additionalProperty: unknown }).additionalProperty)
    : undefined;

const describe = (error: ErrorObject): string => {
  const place = error.instancePath.slice(1).replaceAll('/', '.');
  const key = unknownKey(error);
  if (key !== undefined) return `unknown key ${place === '' ? key : `${place}.${key}`}`;
  const allowed = (error.params as { allowedValues?: readonly unknown[] }).allowedValues;
  return `${place}: ${allowed === undefined ? (error.message ?? 'not valid') : `must be one of ${allowed.join(', ')}`}`;
};

const lineOf = (document: Document, lines: LineCounter, error: ErrorObject): number | undefined => {
  const path: (string | number)[] = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~')));
  const key = unknownKey(error);
  return lineAt(document, lines, key === undefined ? path : [...path, key]);
};

const lineAt = (document: Document, lines: LineCounter, path: readonly (string | number)[]): number | undefined => {
  const node: unknown = document.getIn(path, true);
  const range =
    typeof node === 'object' && node !== null && 'range' in node
      ? (node.range as readonly number[] | undefined)
      : undefined;
  return range?.[0] === undefined ? undefined : lines.linePos(range[0]).line;
};

/** Relative paths begin where the file that names them lies. */
const withPaths = (value: PartialConfig, directory: string): PartialConfig => {
  const absolute = (held: unknown, schema: SchemaNode): unknown => {
    if (typeof held === 'string' && schema.format === 'path') return resolve(directory, held);
    if (!isPlain(held)) return held;
    return Object.fromEntries(
      Object.entries(held).map(([key, part]) => [key, absolute(part, schema.properties?.[key] ?? {})]),
    );
  };
  return absolute(value, CONFIG_SCHEMA) as PartialConfig;
};

type SchemaNode = { readonly format?: string; readonly properties?: Readonly<Record<string, SchemaNode>> };

/** What the environment says. @throws ConfigError */
export const configFromEnvironment = (env: Readonly<Record<string, string | undefined>>): PartialConfig => {
  const { HOLDFAST_KAFKA_BROKERS: brokers, HOLDFAST_REGISTRY_URL: url, HOLDFAST_TOPIC_PREFIX: topicPrefix } = env;
  const { HOLDFAST_STATE_DIR: stateDir, HOLDFAST_INSTANCE_ID: instanceId, HOLDFAST_LOG_LEVEL: level } = env;
  const value = {
    ...(brokers === undefined && topicPrefix === undefined
      ? {}
      : {
          kafka: {
            ...(brokers === undefined ? {} : { brokers: brokers.split(',').map((broker) => broker.trim()) }),
            ...(topicPrefix === undefined ? {} : { topicPrefix }),
          },
        }),
    ...(url === undefined ? {} : { registry: { url } }),
    ...(stateDir === undefined ? {} : { stateDir }),
    ...(instanceId === undefined ? {} : { instanceId }),
    ...(level === undefined ? {} : { logLevel: level }),
  };
  if (validate(value)) return value;
  const error = validate.errors?.[0];
  throw new ConfigError(`environment: ${error === undefined ? 'not valid' : describe(error)}`);
};

/** Lays sources over the defaults, the last one on top: file < environment < flags. */
export const resolveConfig = (...sources: readonly PartialConfig[]): HoldfastConfig =>
  // Each source was validated against the schema, so laying them over complete defaults gives a complete configuration.
  sources.reduce<Plain>((below, above) => merge(below, above), DEFAULT_CONFIG) as HoldfastConfig;

type Plain = Readonly<Record<string, unknown>>;

const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const merge = (below: Plain, above: Plain): Plain => {
  const merged: Record<string, unknown> = { ...below };
  for (const [key, value] of Object.entries(above)) {
    const held = merged[key];
    merged[key] = isPlain(held) && isPlain(value) ? merge(held, value) : value;
  }
  return merged;
};
