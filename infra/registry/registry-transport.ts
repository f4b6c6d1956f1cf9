import { setTimeout as delay } from 'node:timers/promises';
import { HoldfastError } from '../errors.js';
import { AnswerTooLargeError, httpRequest, type HttpAnswer } from '../http/http-request.js';
import type { RegistryConnection } from './registry-connection.js';

/**
 * The HTTP of the registry library, done over. Its own waits for ever on an answer that breaks off or trickles, ends the
 * process on an error whose body is `null`, and takes whatever a proxy says with status 200 for the registry's word.
 */

/** The registry's own "no", as the library and its callers look at it. */
export class RegistryRefusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** There was no answer, or none that a schema registry gives: nothing is known. */
export class NoAnswer extends Error {}

/** Slow registries may take so long; one that takes longer is taken for silent. */
const PATIENCE_MS = 20_000;
/** The largest schema of Holdfast has 50 KiB. */
const MOST_BYTES = 1024 * 1024;
const PAUSES_MS = [100, 200];
const CONTENT_TYPE = 'application/vnd.schemaregistry.v1+json';

type Body = Readonly<Record<string, unknown>>;
type Question = {
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly body?: object;
  /** The field without which an answer is none, and its type. */
  readonly holds: readonly [field: string, type: 'string' | 'number'] | undefined;
};
type Subject = { readonly subject: string };
type Of<Rest> = Subject & Rest;

const ID = ['id', 'number'] as const;
const SCHEMA = ['schema', 'string'] as const;

/** What the library calls, by the names that it calls it by. Each call throws RegistryRefusal or NoAnswer. */
export const registryApi = (connection: RegistryConnection) => {
  const ask = (question: Question): Promise<{ readonly data: () => Body }> => asked(connection, question);
  const at = (subject: string, more = ''): string => `/subjects/${encodeURIComponent(subject)}${more}`;
  const config = (subject: string): string => `/config/${encodeURIComponent(subject)}`;
  return {
    Schema: {
      find: ({ id }: { readonly id: number }) => ask({ path: `/schemas/ids/${id}`, holds: SCHEMA }),
    },
    Subject: {
      registered: ({ subject, body }: Of<{ readonly body: object }>) =>
        ask({ method: 'POST', path: at(subject), body, holds: ID }),
      latestVersion: ({ subject }: Subject) => ask({ path: at(subject, '/versions/latest'), holds: ID }),
      version: ({ subject, version }: Of<{ readonly version: number | string }>) =>
        ask({ path: at(subject, `/versions/${version}`), holds: SCHEMA }),
      register: ({ subject, body }: Of<{ readonly body: object }>) =>
        ask({ method: 'POST', path: at(subject, '/versions'), body, holds: ID }),
      config: ({ subject }: Subject) => ask({ path: config(subject), holds: undefined }),
      updateConfig: ({ subject, body }: Of<{ readonly body: object }>) =>
        ask({ method: 'PUT', path: config(subject), body, holds: undefined }),
    },
  };
};

/** What came of one attempt. Errors of the machine are told by their place here, not by their class. */
type Outcome = { readonly answer: HttpAnswer } | { readonly failure: unknown; readonly final: boolean };

const asked = async (connection: RegistryConnection, question: Question): Promise<{ readonly data: () => Body }> => {
  for (const pause of PAUSES_MS) {
    const outcome = await send(connection, question);
    if ('failure' in outcome ? outcome.final : outcome.answer.status < 500) return settled(outcome, question);
    await delay(pause);
  }
  return settled(await send(connection, question), question);
};

const send = async (
  { url, authorization, agent, signal, timeoutMs = PATIENCE_MS }: RegistryConnection,
  { method = 'GET', path, body }: Question,
): Promise<Outcome> => {
  const began = performance.now();
  try {
    const headers = {
      accept: `${CONTENT_TYPE}, application/json`,
      'content-type': CONTENT_TYPE,
      ...(authorization === undefined ? {} : { authorization: authorization() }),
    };
    const answer = await httpRequest(`${url}${path}`, {
      ...{ method, headers, timeoutMs, mostBytes: MOST_BYTES },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(agent === undefined ? {} : { agent }),
      ...(signal === undefined ? {} : { signal }),
    });
    return { answer };
  } catch (failure) {
    // To ask a silent one again at once would only make the wait longer.
    return { failure, final: isOurs(failure) || signal?.aborted === true || performance.now() - began >= timeoutMs };
  }
};

const settled = (outcome: Outcome, { holds }: Question): { readonly data: () => Body } => {
  if ('failure' in outcome) {
    if (isOurs(outcome.failure)) throw outcome.failure;
    throw new NoAnswer(reason(outcome.failure), { cause: outcome.failure });
  }
  const { status, text, location } = outcome.answer;
  const body = objectIn(text);
  const said = typeof body?.message === 'string' ? body.message : String(status);
  if (status >= 300 && status < 400)
    throw new NoAnswer(
      `it answers ${status}${location === undefined ? '' : `, it has moved to ${location}`}: set registry.url to where it is`,
    );
  if (status === 401 || status === 403) throw new RegistryRefusal(status, said);
  if (status >= 500) throw new NoAnswer(`it answers ${status}${body === undefined ? '' : `: ${said}`}`);
  if (body === undefined)
    throw new NoAnswer(`it answers ${status} with what is no JSON object: is registry.url a schema registry?`);
  if (status >= 400) {
    // A proxy says "not found" as well; a registry says what it did not find.
    if (typeof body.error_code !== 'number')
      throw new NoAnswer(`it answers ${status}, and not as a schema registry does: is registry.url right?`);
    throw new RegistryRefusal(status, said);
  }
  if (holds !== undefined && typeof body[holds[0]] !== holds[1])
    throw new NoAnswer(`its answer has no ${holds[0]}: is registry.url a schema registry?`);
  return { data: () => body };
};

/** What is no failure of the connection: a secret that cannot be read, a schema beyond all measure. */
const isOurs = (error: unknown): error is Error =>
  error instanceof HoldfastError || error instanceof AnswerTooLargeError;

const objectIn = (text: string): Body | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
};

/** Of several addresses that were tried Node says nothing itself, but what each failed for. */
const reason = (error: unknown): string => {
  const { message = '', errors = [] } = error as { readonly message?: string; readonly errors?: readonly Error[] };
  return message === '' ? (errors[0]?.message ?? String(error)) : message;
};
