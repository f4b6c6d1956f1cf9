import { describe, expect, test } from '@jest/globals';
import type { Observation } from '../../../topology/observation.js';
import { agent } from '../../kit/decider-kit/agents.js';
import { CORRELATION_ID, dispatched, lostTask, operator, redispatched, said } from '../../kit/decider-kit/builders.js';
import { Ledger, wordOf } from '../../kit/decider-kit/ledger.js';

describe('an agent that gives a new attempt the task ID of the one before', () => {
  // A task counter that began anew with the process (R54), or one task for two sends.
  const again = (): Ledger =>
    new Ledger([...agent('w1'), ...agent('w2')]).given(
      dispatched('w1', { serverTaskId: '1' }),
      said('w1', '1', 'working'),
      dispatched('w1', { messageId: 'm-2', serverTaskId: '1' }),
    );

  test('should have its task bound once', () => {
    expect(again().unit.serverTasks.map(({ id }) => id)).toStrictEqual(['1']);
  });

  test('should be heard as the current attempt', () => {
    const ledger = again();

    expect(wordOf(ledger.observe(said('w1', '1', 'input-required')))).toBe('accepted');
    expect(ledger.unit.state).toBe('input-required');
  });

  test('should be known to have lost it', () => {
    expect(wordOf(again().observe(lostTask('w1', '1')))).toBe('indeterminate');
  });
});

describe("the operator's redispatch to an agent outside the group", () => {
  test('should record what that agent lacks (R61)', () => {
    const ledger = new Ledger([...agent('w1'), ...agent('w9', { verified: null })]).given(
      dispatched('w1', { serverTaskId: 't-1' }),
      lostTask('w1', 't-1'),
    );

    const [command] = ledger.observe(operator('redispatch', { agentId: 'w9' })).commands;

    const considered = command?.type === 'redispatch' ? command.considered.map(({ agentId }) => agentId) : [];
    expect(considered).toContain('w9');
  });
});

describe('a redispatch that fails after it was reported as sent', () => {
  test('should leave the one that the operator has issued since (R37, R61)', () => {
    const ledger = new Ledger([...agent('w1'), ...agent('w2'), ...agent('w3')]).given(
      dispatched('w1', { serverTaskId: 't-1' }),
      lostTask('w1', 't-1'),
      redispatched('w2'),
      operator('redispatch', { agentId: 'w3' }),
      { type: 'DispatchFailed', correlationId: CORRELATION_ID, agentId: 'w2' },
    );

    expect(ledger.unit.loss?.redispatch?.agentId).toBe('w3');
    expect(
      ledger.unit.attempts.filter(({ status }) => status === 'issued').map(({ agentId }) => agentId),
    ).toStrictEqual(['w3']);
  });
});

describe('an agent whose every answer is a stream that closes', () => {
  const closed = { type: 'StreamClosed', correlationId: CORRELATION_ID, agentId: 'w1', clean: true } as const;

  test('should be asked once, and again only after there was news (R32)', () => {
    const ledger = new Ledger([...agent('w1')]).given(
      dispatched('w1', { serverTaskId: 't-1' }),
      said('w1', 't-1', 'submitted'),
    );
    const asked = (): number => ledger.observe({ ...closed, serverTaskId: 't-1' }).commands.length;

    expect([asked(), asked(), asked()]).toStrictEqual([1, 0, 0]);
    ledger.given(said('w1', 't-1', 'working'));
    expect([asked(), asked()]).toStrictEqual([1, 0]);
  });
});

describe('a policy without any patience', () => {
  test('should come to an end of what is due at one moment', () => {
    const ledger = new Ledger([...agent('w1'), ...agent('w2')], { dispatchDeadlineMs: 0, staleAfterMs: 0 }).given(
      dispatched('w1', { serverTaskId: 't-1' }),
      lostTask('w1', 't-1'),
    );

    expect(ledger.wait(1).length).toBeGreaterThan(0);
  });
});

describe('a record whose task flaps between two replicas', () => {
  const flapping = (times: number): Ledger => {
    const ledger = new Ledger([...agent('w1'), ...agent('w2')]).given(dispatched('w1', { serverTaskId: 't-1' }));
    const words: readonly Observation[] = [lostTask('w1', 't-1'), said('w1', 't-1', 'working', { via: 'poll' })];
    for (let time = 0; time < times; time += 1) ledger.given(...words);
    return ledger;
  };

  // Each loss leaves one void attempt of some 250 bytes: four thousand of them are more than a Kafka record holds.
  test('should not grow without bound', () => {
    expect(flapping(300).unit.attempts.length).toBeLessThan(200);
  });
});
