import { HoldfastError } from '../errors.js';
import { httpRequest } from '../http/http-request.js';
import { RegistryUnreachableError } from './errors.js';
import type { RegistryConnection } from './registry-connection.js';

/** An HTTP date has whole seconds. */
const RESOLUTION_MS = 1_000;
/** Of the answer only a header is of use; this is room for the subjects of a large registry. */
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * How far the registry's clock is ahead of ours, ms, as well as its answer tells: within a second and the time of the
 * answer; 0 where the two agree that far. `undefined`: it does not say what time it is. @throws RegistryUnreachableError
 */
export const registrySkew = async (
  { url, authorization, agent }: RegistryConnection,
  timeoutMs: number,
): Promise<number | undefined> => {
  const asked = Date.now();
  let date: string | undefined;
  try {
    ({ date } = await httpRequest(`${url}/subjects`, {
      timeoutMs,
      mostBytes: MOST_BYTES,
      ...(authorization === undefined ? {} : { headers: { authorization: authorization() } }),
      ...(agent === undefined ? {} : { agent }),
    }));
  } catch (error) {
    if (error instanceof HoldfastError) throw error;
    throw new RegistryUnreachableError(url, error instanceof Error ? error.message : String(error), error);
  }
  const answered = Date.now();
  const theirs = Date.parse(date ?? '');
  if (Number.isNaN(theirs)) return undefined;
  if (theirs > answered) return theirs - answered;
  return theirs + RESOLUTION_MS < asked ? theirs + RESOLUTION_MS - asked : 0;
};
