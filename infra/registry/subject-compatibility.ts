import { RegistryUnreachableError } from './errors.js';

/** Reading and setting a subject's compatibility: the registry library can do neither. */

const NOT_FOUND = 404;
const HEADERS = { 'content-type': 'application/vnd.schemaregistry.v1+json' };

/** `undefined`: none is set for this subject. @throws RegistryUnreachableError */
export const readCompatibility = async (
  url: string,
  subject: string,
  timeoutMs: number,
): Promise<string | undefined> => {
  const { status, body } = await ask(url, subject, { headers: HEADERS, signal: AbortSignal.timeout(timeoutMs) });
  if (status === NOT_FOUND) return undefined;
  // Registries differ in the name.
  const level = body.compatibilityLevel ?? body.compatibility;
  if (typeof level !== 'string') throw new RegistryUnreachableError(url, `it answers ${status} for ${subject}`);
  return level;
};

/** @throws RegistryUnreachableError */
export const writeCompatibility = async (
  url: string,
  subject: string,
  compatibility: string,
  timeoutMs: number,
): Promise<void> => {
  const body = JSON.stringify({ compatibility });
  const signal = AbortSignal.timeout(timeoutMs);
  const { status } = await ask(url, subject, { method: 'PUT', headers: HEADERS, body, signal });
  if (status >= 300) throw new RegistryUnreachableError(url, `it answers ${status} to a compatibility for ${subject}`);
};

type Answer = { readonly status: number; readonly body: Readonly<Record<string, unknown>> };

const ask = async (url: string, subject: string, request: RequestInit): Promise<Answer> => {
  try {
    const response = await fetch(`${url}/config/${encodeURIComponent(subject)}`, request);
    const body: unknown = await response.json();
    return { status: response.status, body: typeof body === 'object' ? { ...body } : {} };
  } catch (error) {
    throw new RegistryUnreachableError(url, error instanceof Error ? error.message : String(error), error);
  }
};
