/** Of what the schema of the configuration (JSON Schema 2020-12) is made. */
export type SchemaNode = {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  /** What the pattern stands for, or where credentials belong that a URL must not hold, in words. */
  readonly $comment?: string;
  /** A secret: read, never shown. */
  readonly writeOnly?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly minItems?: number;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: boolean | SchemaNode;
  readonly required?: readonly string[];
  readonly items?: SchemaNode;
};

export const text = (description: string): SchemaNode => ({ type: 'string', minLength: 1, description });

/** Text of a form: in words, and as a pattern. */
export const matching = (description: string, form: string, pattern: string): SchemaNode => ({
  type: 'string',
  pattern,
  $comment: form,
  description,
});

/** Shown to nobody. */
export const secretText = (description: string): SchemaNode => ({ ...text(description), writeOnly: true });

/** Of a file or directory. Relative ones begin where the configuration file lies, or in the working directory. */
export const path = (description: string): SchemaNode => ({ ...text(description), format: 'path' });

/** http or https. `credentials`: which settings hold those that do not belong in the URL, in words. */
export const url = (description: string, credentials: string): SchemaNode => ({
  type: 'string',
  format: 'http-url',
  $comment: credentials,
  description,
});

export const count = (description: string): SchemaNode => ({ type: 'integer', minimum: 1, description });

/** The longest that a timer of Node waits; it fires at once after more. */
const MOST_TIMER_MS = 2 ** 31 - 1;
const TEN_YEARS_MS = 10 * 365 * 24 * 60 * 60 * 1000;

/** May become a timer. */
export const durationMs = (description: string): SchemaNode => ({
  type: 'integer',
  minimum: 0,
  maximum: MOST_TIMER_MS,
  description,
});

/** Is added to times, and compared with them. */
export const spanMs = (description: string): SchemaNode => ({
  type: 'integer',
  minimum: 0,
  maximum: TEN_YEARS_MS,
  description,
});
export const positiveMs = (description: string): SchemaNode => ({ ...spanMs(description), minimum: 1 });

export const oneOf = (description: string, words: readonly string[]): SchemaNode => ({
  type: 'string',
  enum: words,
  description,
});

export const listOf = (description: string, items: SchemaNode): SchemaNode => ({ type: 'array', items, description });

export const object = (
  description: string,
  properties: Readonly<Record<string, SchemaNode>>,
  ...required: readonly string[]
): SchemaNode => ({
  type: 'object',
  additionalProperties: false,
  description,
  ...(required.length === 0 ? {} : { required }),
  properties,
});
