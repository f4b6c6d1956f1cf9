import { describe, expect, it } from '@jest/globals';
import { releaseOf } from '../../../infra/kafka/broker-apis.js';
import { ok, runChecks, type Check, type Found } from '../../../services/doctor/check.js';
import { nodeFound } from '../../../services/doctor/process-checks.js';
import { countsOf, reportLines } from '../../../services/doctor/report.js';
import { spaceFound } from '../../../services/doctor/store-check.js';

const check = (name: string, needs: readonly string[], look: () => Found | Promise<Found>): Check => ({
  name,
  needs,
  look: async () => look(),
});
const broken: Found = { status: 'failure', said: 'it is down', details: ['refused'], ways: ['start it', 'or do not'] };
const plain = (_: string, text: string): string => text;

describe('checks', () => {
  it('should run side by side, and not where what they need is not in order', async () => {
    const begun: string[] = [];
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const results = await runChecks([
      check('slow', [], async () => {
        begun.push('slow');
        await held;
        return ok('there');
      }),
      // Only when the other has begun and not ended can this one end it.
      check('beside', [], () => {
        begun.push('beside');
        release();
        return broken;
      }),
      check('after', ['slow'], () => ({ status: 'warning', said: 'look at it', ways: ['so'] })),
      check('never', ['slow', 'beside'], () => ok('looked')),
      check('nor this', ['never', 'after'], () => ok('looked')),
    ]);

    expect(begun).toStrictEqual(['slow', 'beside']);
    expect(results).toStrictEqual([
      { check: 'slow', status: 'ok', said: 'there', details: [], ways: [] },
      { check: 'beside', ...broken },
      { check: 'after', status: 'warning', said: 'look at it', details: [], ways: ['so'] },
      { check: 'never', status: 'not-checked', said: 'not checked: because of beside', details: [], ways: [] },
      { check: 'nor this', status: 'not-checked', said: 'not checked: because of never', details: [], ways: [] },
    ]);
    expect(countsOf(results)).toStrictEqual({ ok: 1, warnings: 1, failures: 1, notChecked: 2 });
    expect(reportLines(results, plain)).toStrictEqual([
      'ok       slow      there',
      'failure  beside    it is down',
      '                   refused',
      '                   → start it',
      '                   → or do not',
      'warning  after     look at it',
      '                   → so',
      '-        never     not checked: because of beside',
      '-        nor this  not checked: because of never',
      '',
      'ok: 1, warnings: 1, failures: 1, not checked: 2',
    ]);
  });

  it('should refuse one that needs what does not come before it', async () => {
    await expect(runChecks([check('a', ['b'], () => ok(''))])).rejects.toThrow('a needs b');
  });
});

describe('what cannot be brought about in a test', () => {
  it.each([
    ['18.20.0', 'failure'],
    ['20.18.9', 'failure'],
    ['20.19.0', 'ok'],
    ['22.1.0', 'ok'],
    ['24.0.0', 'ok'],
  ])('should be judged by its figures: Node %s is %s', (version, status) => {
    expect(nodeFound(version).status).toBe(status);
  });

  it('should be judged by its figures: room on the disk', () => {
    const mib = 1024 * 1024;
    const found = [1024, 1023, 128, 127].map((free) => spaceFound('/var', free * mib));

    expect(found.map((one) => one?.status)).toStrictEqual([undefined, 'warning', 'warning', 'failure']);
    expect(found[3]?.said).toBe('/var has 127 MiB left');
  });

  it('should be judged by its figures: releases of brokers', () => {
    const fetch = (minVersion: number, maxVersion: number) => releaseOf({ 1: { minVersion, maxVersion } });

    expect([fetch(4, 18), fetch(0, 15), fetch(0, 13), fetch(0, 12), fetch(0, 11), fetch(0, 10)]).toStrictEqual([
      'Kafka 4.0 or later',
      'Kafka 3.5 or later',
      'Kafka 3.1 or later',
      'Kafka 2.7 or later',
      'Kafka 2.4 or later',
      'older than Kafka 2.4',
    ]);
  });
});
