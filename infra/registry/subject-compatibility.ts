import { HoldfastError } from '../errors.js';
import { httpRequest } from '../http/http-request.js';
import { RegistryRefusedError, RegistryUnreachableError } from './errors.js';
import type { RegistryConnection } from './registry-connection.js';

/** Reading and setting a subject's compatibility: the registry library can do neither. */

const NOT_FOUND = 404;
const CONTENT_TYPE = { 'content-type': 'application/vnd.schemaregistry.v1+json' };

/** `undefined`: none is set for this subject. @throws RegistryUnreachableError, RegistryRefusedError */
export const readCompatibility = async (
  connection: RegistryConnection,
  subject: string,
  timeoutMs: number,
): Promise<string | undefined> => {
  const { status, body } = await ask(connection, subject, { timeoutMs });
  if (status === NOT_FOUND) return undefined;
  // Registries differ in the name.
  const level = body.compatibilityLevel ?? body.compatibility;
  if (typeof level !== 'string')
    throw new RegistryUnreachableError(connection.url, `it answers ${status} for ${subject}`);
  return level;
};

/** @throws RegistryUnreachableError, RegistryRefusedError */
export const writeCompatibility = async (
  connection: RegistryConnection,
  subject: string,
  compatibility: string,
  timeoutMs: number,
): Promise<void> => {
  const body = JSON.stringify({ compatibility });
  const { status } = await ask(connection, subject, { method: 'PUT', body, timeoutMs });
  if (status >= 300)
    throw new RegistryUnreachableError(connection.url, `it answers ${status} to a compatibility for ${subject}`);
};

type Answer = { readonly status: number; readonly body: Readonly<Record<string, unknown>> };

const ask = async (
  { url, authorization, agent }: RegistryConnection,
  subject: string,
  request: { readonly method?: 'PUT'; readonly body?: string; readonly timeoutMs: number },
): Promise<Answer> => {
  try {
    const headers = { ...CONTENT_TYPE, ...(authorization === undefined ? {} : { authorization: authorization() }) };
    const { status, text } = await httpRequest(`${url}/config/${encodeURIComponent(subject)}`, {
      ...request,
      headers,
      ...(agent === undefined ? {} : { agent }),
    });
    if (status === 401 || status === 403) throw new RegistryRefusedError(url, status);
    const body: unknown = JSON.parse(text);
    return { status, body: typeof body === 'object' ? { ...body } : {} };
  } catch (error) {
    if (error instanceof HoldfastError) throw error;
    throw new RegistryUnreachableError(url, error instanceof Error ? error.message : String(error), error);
  }
};
