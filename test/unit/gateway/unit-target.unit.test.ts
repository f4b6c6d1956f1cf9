import { expect, test } from '@jest/globals';
import { indexesOfEntry } from '../../../services/gateway/ledger-index.js';
import { RecentUnits } from '../../../services/gateway/recent-units.js';
import { publicNamesOf, targetOf } from '../../../services/gateway/unit-target.js';
import type { LedgerEntry } from '../../../topology/ledger-records.js';
import type { Observation } from '../../../topology/observation.js';
import { agent } from '../../kit/decider-kit/agents.js';
import { dispatched, lostTask, redispatched, said } from '../../kit/decider-kit/builders.js';
import { Ledger } from '../../kit/decider-kit/ledger.js';

const AGENTS = ['w1', 'w2', 'w3'].flatMap((id) => agent(id));
const entryAfter = (...facts: readonly Observation[]): LedgerEntry => ({
  type: 'LedgerEntry',
  dueAt: null,
  ...new Ledger(AGENTS).given(...facts).unit,
});
const ASKED = { agentId: 'w1', taskId: 't1' };

test('the task that speaks should be the one asked for among equals, and never a lost one', () => {
  const twice = [dispatched('w1'), said('w1', 't1', 'working'), said('w1', 't2', 'working')];
  expect(targetOf(entryAfter(...twice), ASKED)?.serverTaskId).toBe('t1');
  expect(targetOf(entryAfter(...twice), { agentId: 'w1', taskId: 'other' })?.serverTaskId).toBe('t2');
  const entry = entryAfter(...twice, lostTask('w1', 't1', { principal: 'p-1' }));
  expect(targetOf(entry, ASKED)?.serverTaskId).toBe('t2');
});

test('the attempt that decided should speak, also where another is current', () => {
  const entry = entryAfter(
    dispatched('w1', { contextId: 'c1' }),
    said('w1', 't1', 'working', { contextId: 'c1' }),
    lostTask('w1', 't1', { principal: 'p-1' }),
    redispatched('w2'),
    said('w2', 'T2', 'working', { contextId: 'c2' }),
    said('w1', 't1', 'completed', { contextId: 'c1' }),
  );
  expect(entry.state).toBe('completed');
  expect(targetOf(entry, ASKED)).toStrictEqual({ agentId: 'w1', serverTaskId: 't1', contextId: 'c1', by: 'client' });
  expect(publicNamesOf(entry)).toStrictEqual({ taskId: 't1', contextId: 'c1' });
});

test('a dispatch that has not spoken should leave the attempt before it to be asked', () => {
  const entry = entryAfter(dispatched('w1'), said('w1', 't1', 'working'), dispatched('w2', { messageId: 'm-2' }));
  expect(targetOf(entry, ASKED)).toMatchObject({ agentId: 'w1', serverTaskId: 't1' });
  expect(targetOf(entryAfter(dispatched('w1')), ASKED)).toBeUndefined();
});

test('an entry should be found by its tasks, its public ID where it was dispatched, and its contexts', () => {
  const entry = entryAfter(
    dispatched('w1', { tenant: 'a', contextId: 'c1' }),
    said('w1', 't1', 'working', { tenant: 'a', contextId: 'c1' }),
    dispatched('w2', { tenant: 'a', messageId: 'm-2', contextId: 'c1' }),
    said('w2', 'T2', 'working', { tenant: 'a', contextId: 'c1' }),
  );
  expect(indexesOfEntry('1:ac-1', entry)).toStrictEqual([
    '["bound","w1","a","t1"]',
    '["bound","w2","a","T2"]',
    '["public","w1","a","t1"]',
    '["public","w2","a","t1"]',
    '["context","a","c1"]',
  ]);
  expect(indexesOfEntry('!position', { source: 1n } as unknown as LedgerEntry)).toStrictEqual([]);
});

test('what was just written should be known until the ledger has decided about it, and the first name stays', () => {
  const recent = new RecentUnits();
  const at = (offset: bigint) => ({ topic: 't', partition: 1, offset });
  recent.wrote(
    [dispatched('w1', { contextId: 'own' }), said('w1', 't1', 'working', { contextId: 'own' })],
    [at(4n), at(5n)],
  );
  recent.wrote([said('w1', 't2', 'working', { contextId: 'other' })], [at(6n)]);
  recent.wrote([said('w1', 't1', 'working', { correlationId: 'c-2' })], [at(7n)]);

  expect(recent.byTask('w1', undefined, 't1')).toStrictEqual({
    key: '0:c-1',
    correlationId: 'c-1',
    principal: 'p-1',
    taskId: 't1',
    contextId: 'own',
    sent: { agentId: 'w1', messageId: 'm-1' },
  });
  expect(recent.byContext(undefined, 'other')?.key).toBe('0:c-1');
  recent.decided(0, 100n);
  recent.decided(1, 6n);
  expect(recent.byTask('w1', undefined, 't2')?.key).toBe('0:c-1');
  recent.decided(1, 7n);
  expect(recent.byTask('w1', undefined, 't1')).toBeUndefined();
  expect(recent.byContext(undefined, 'own')).toBeUndefined();
  expect(recent.byKey('0:c-2')).toBeDefined();
});
