import { RegistryUnreachableError } from './errors.js';

/** An HTTP date has whole seconds. */
const RESOLUTION_MS = 1_000;

/**
 * How far the registry's clock is ahead of ours, ms, as well as its answer tells: within a second and the time of the
 * answer; 0 where the two agree that far. `undefined`: it does not say what time it is. @throws RegistryUnreachableError
 */
export const registrySkew = async (url: string, timeoutMs: number): Promise<number | undefined> => {
  const asked = Date.now();
  let date: string | null;
  try {
    const response = await fetch(`${url}/subjects`, { method: 'GET', signal: AbortSignal.timeout(timeoutMs) });
    await response.arrayBuffer();
    date = response.headers.get('date');
  } catch (error) {
    throw new RegistryUnreachableError(url, error instanceof Error ? error.message : String(error), error);
  }
  const answered = Date.now();
  const theirs = date === null ? Number.NaN : Date.parse(date);
  if (Number.isNaN(theirs)) return undefined;
  if (theirs > answered) return theirs - answered;
  return theirs + RESOLUTION_MS < asked ? theirs + RESOLUTION_MS - asked : 0;
};
