import { describe, expect, it } from '@jest/globals';
import { RegistryUnreachableError, SchemasNotRegisteredError } from '../../../infra/registry/errors.js';
import { createLogger } from '../../../infra/telemetry/logger.js';
import { patiently } from '../../../services/mesh/patient-serdes.js';

const AWAY = new RegistryUnreachableError('http://registry.example', 'refused');
const said: unknown[] = [];
const logger = Object.assign(createLogger('error'), { warn: (...words: unknown[]) => void said.push(words) });

describe('waiting for the registry', () => {
  it('should go on by itself once there is an answer, and say that it waits', async () => {
    const answers = [() => Promise.reject(AWAY), () => Promise.resolve('here')];
    const { signal } = new AbortController();
    said.length = 0;

    expect(await patiently(() => (answers.shift() ?? (() => Promise.resolve('late')))(), { logger, signal })).toBe(
      'here',
    );
    expect(said).toStrictEqual([
      [{ code: 'HOLDFAST_REGISTRY_UNREACHABLE', error: AWAY.message }, 'the schema registry gives no answer yet'],
    ]);
  });

  it.each([
    ['its patience is at an end', { atMostMs: 0 }],
    ['another error is the one to wait for', { isAwaited: () => false }],
    ['it is told to end', { signal: AbortSignal.abort() }],
  ])('should fail with what it met where %s', async (_, patience) => {
    const { signal } = new AbortController();

    await expect(patiently(() => Promise.reject(AWAY), { logger, signal, ...patience })).rejects.toBe(AWAY);
  });

  it('should not wait for what waiting does not mend', async () => {
    const missing = new SchemasNotRegisteredError('http://registry.example', ['s']);
    const { signal } = new AbortController();

    await expect(patiently(() => Promise.reject(missing), { logger, signal })).rejects.toBe(missing);
  });
});
