import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createPlainProducer } from '../../infra/kafka/plain-producer.js';
import type { Service } from '../../services/ledger/ledger-service.js';
import { readTopic } from '../../services/console/read-topic.js';
import { LIFECYCLE_EXTENSION } from '../../topology/a2a/lifecycle.js';
import { recordKey, utf8 } from '../../topology/kit/record-key.js';
import type { Observation } from '../../topology/observation.js';
import { currentAttempt } from '../../topology/task/unit.js';
import { DEAD_LETTERS, TASK_EVENTS, VERDICTS } from '../../topology/topics.js';
import { agent, policyChanged, policyOf } from '../kit/decider-kit/agents.js';
import { StubAgent, stream, TASK_NOT_FOUND, taskBody, taskStream } from '../unit/dispatcher/stub-agent.js';
import { DispatcherWorld, PARTITIONS } from './dispatcher-fixture.js';
import { eventually, silent } from './kafka-fixture.js';

let world: DispatcherWorld;
let first: Service;
let w1: StubAgent;
let w2: StubAgent;
let w3: StubAgent;
const IDENTITY = { headers: { authorization: 'Bearer holdfast' } };

beforeAll(async () => {
  w1 = await StubAgent.start();
  w2 = await StubAgent.start(false);
  w3 = await StubAgent.start();
  world = new DispatcherWorld([
    { id: 'w1', cardUrl: w1.cardUrl, serviceIdentity: IDENTITY },
    { id: 'w2', cardUrl: w2.cardUrl },
    { id: 'w3', cardUrl: w3.cardUrl, serviceIdentity: IDENTITY },
  ]);
  await world.start();
  const config = { serviceIdentity: true };
  await world.tell(
    policyChanged(policyOf({ preference: ['w3', 'w2'] })),
    ...agent('w1', { config }),
    ...agent('w2', { config: {} }),
    ...agent('w3', { config }),
  );
  first = await world.dispatcher('one');
}, 120_000);

afterAll(async () => {
  await world.stop();
  for (const stub of [w1, w2, w3]) stub.stop();
}, 60_000);

beforeEach(() => {
  for (const stub of [w1, w2, w3]) {
    stub.calls.length = 0;
    stub.answer = () => TASK_NOT_FOUND;
  }
});

/** The words of the ledger about a unit, in order. */
const verdictsOf = async (correlationId: string): Promise<readonly string[]> => {
  const words: string[] = [];
  const source = { reader: world.mesh.clients.reader, serdes: world.serdes };
  await readTopic(source, VERDICTS, [world.partition(correlationId)], ({ value }) => {
    if (value?.correlationId === correlationId) words.push(`${value.verdict} ${value.rule} ${value.reason}`);
  });
  return words;
};

describe('a redispatch', () => {
  it('should ask the loser again, write ahead, send the kept input, and write what comes back', async () => {
    w3.answer = (_, response) => stream(response, taskStream('t3-1', 'WORKING', 'INPUT_REQUIRED'));
    await world.dispatched('u-1', 'w1');

    await world.lost('u-1', 'w1');
    const entry = await world.unit('u-1', ({ attempts }) => attempts[1]?.state === 'input-required', 'taken over');

    expect(entry.loss).toBeUndefined();
    expect(currentAttempt(entry)).toMatchObject({ number: 2, agentId: 'w3', by: 'holdfast' });
    expect(entry.serverTasks.at(-1)).toMatchObject({ id: 't3-1', attempt: 2, contextId: 'ctx-t3-1' });
    expect(w1.methods()).toStrictEqual(['GetTask', 'GetTask']);
    expect(w1.calls.map(({ headers }) => headers.authorization)).toStrictEqual(Array(2).fill('Bearer holdfast'));
    expect(w3.methods()).toStrictEqual(['SendStreamingMessage']);
    expect(w3.calls[0]?.params).toStrictEqual({
      message: {
        role: 'ROLE_USER',
        parts: [{ text: 'twenty chairs' }],
        messageId: 'holdfast:2:0:u-1',
        metadata: { [LIFECYCLE_EXTENSION]: { correlationId: 'u-1', attempt: 2 } },
      },
      configuration: { acceptedOutputModes: ['application/json'] },
    });
    expect((await verdictsOf('u-1')).slice(2)).toStrictEqual([
      'indeterminate R29 w1 lost task t-u-1, last seen input-required',
      'idempotent R29 the unit is indeterminate already: one loss, one pass',
      'idempotent R29 the unit is indeterminate already: one loss, one pass',
      'accepted R40 about to be sent to w3',
      'accepted R34 redispatched to w3 as attempt 2',
      'accepted R15 w3 is at submitted',
      'accepted R15 w3 is at working',
      'accepted R15 w3 is at input-required',
    ]);
  }, 60_000);

  it('should not be sent when the lost task answers', async () => {
    w1.answer = () => (w1.calls.length < 2 ? TASK_NOT_FOUND : { result: taskBody('t-u-2', 'INPUT_REQUIRED') });
    await world.dispatched('u-2', 'w1');

    await world.lost('u-2', 'w1');
    const entry = await world.unit('u-2', ({ loss }) => loss === undefined, 'reappeared');

    expect(entry.attempts[1]?.status).toBe('void');
    await delay(500);
    expect([...w3.methods(), ...w2.methods()]).toStrictEqual([]);
  }, 60_000);

  it('should go to the next agent when it is refused, under the next message ID', async () => {
    w3.answer = () => ({ error: { code: -32602, message: 'not today' } });
    w2.answer = () => ({ result: { task: taskBody('t2-3', 'WORKING') } });
    await world.dispatched('u-3', 'w1', 'working');

    await world.lost('u-3', 'w1');
    const entry = await world.unit('u-3', ({ attempts }) => attempts[2]?.state === 'working', 'taken by w2');

    expect(entry.attempts.map(({ agentId, status }) => `${agentId} ${status}`)).toStrictEqual([
      'w1 bound',
      'w3 failed',
      'w2 bound',
    ]);
    expect(w2.calls[0]?.params).toMatchObject({
      message: { messageId: 'holdfast:3:0:u-3' },
      configuration: { returnImmediately: true },
    });
    expect(await verdictsOf('u-3')).toContain('accepted R37 the dispatch to w3 failed: HTTP 200 -32602');
  }, 60_000);

  it('should leave an outcome that nobody knows to the ledger, and hold up nobody else meanwhile', async () => {
    // Never answers.
    w3.answer = () => undefined;
    await world.dispatched('u-4', 'w1', 'working');
    await world.dispatched('u-5', 'w3', 'working');
    w2.answer = () => ({ result: { task: taskBody('t2-5', 'WORKING') } });

    await world.lost('u-4', 'w1');
    await eventually(() => (w3.methods().includes('SendStreamingMessage') ? true : undefined), 'the hanging send');
    const since = performance.now();
    await world.verdict({
      type: 'OperatorDecided',
      correlationId: 'u-5',
      action: 'redispatch',
      agentId: 'w2',
      actor: 'test',
    });
    await world.unit('u-5', ({ attempts }) => attempts[1]?.state === 'working', 'the other went on');
    const took = performance.now() - since;
    const entry = await world.unit('u-4', ({ attempts }) => attempts[1]?.sendUnknownAt !== undefined, 'unknown');

    expect(took).toBeLessThan(2_000);
    expect(entry.attempts[1]?.status).toBe('bound');
    expect((await verdictsOf('u-4')).slice(-2)).toStrictEqual([
      'accepted R34 redispatched to w3 as attempt 2',
      'ignored R52 no answer (timeout) to a send: whether w3 has the task is unknown',
    ]);
  }, 60_000);
});

describe('other commands', () => {
  it('should ask for the task once when a stream ends early, and tell a superseded attempt to stop', async () => {
    w1.answer = ({ method }) => ({ result: taskBody('t-u-6', method === 'CancelTask' ? 'CANCELED' : 'WORKING') });
    w3.answer = (_, response) => stream(response, taskStream('t3-6', 'COMPLETED'));
    await world.dispatched('u-6', 'w1', 'working');
    const task = { correlationId: 'u-6', agentId: 'w1', serverTaskId: 't-u-6' };

    await world.verdict({ type: 'StreamClosed', ...task, clean: true });
    await eventually(() => (w1.methods().length === 1 ? true : undefined), 'one question');
    await world.verdict({ type: 'OperatorDecided', correlationId: 'u-6', action: 'redispatch', agentId: 'w3' });
    const entry = await world.unit('u-6', ({ attempts }) => attempts[0]?.ended === 'canceled', 'the first one stopped');

    expect(entry.state).toBe('completed');
    expect(w1.methods()).toStrictEqual(['GetTask', 'CancelTask']);
    expect((await verdictsOf('u-6')).at(-1)).toBe('idempotent R38 it was told to stop, and did');
  }, 60_000);

  it('should put a misrouted record where it belongs, once', async () => {
    const correlationId = 'u-7';
    const home = world.partition(correlationId);
    const producer = createPlainProducer({ brokers: world.config.kafka.brokers, clientId: 'careless' }, silent);
    const value: Observation = {
      type: 'DispatchObserved',
      correlationId,
      agentId: 'w1',
      by: 'client',
      inputKept: false,
      continues: false,
    };
    const record = {
      topic: `${world.prefix}${TASK_EVENTS.name}`,
      key: utf8(recordKey(undefined, correlationId)),
      value: world.serdes.serialize(TASK_EVENTS, 'DispatchObserved', value),
      headers: { ce_id: utf8('e-7'), ce_source: utf8('/careless') },
    };

    await producer.send([{ ...record, partition: (home + 1) % PARTITIONS }]);
    const entry = await world.unit(correlationId, () => true, 'arrived');
    await producer.send([
      {
        ...record,
        partition: (home + 1) % PARTITIONS,
        headers: { ...record.headers, 'holdfast-republished': utf8('1') },
      },
    ]);
    const letters = async (): Promise<number> => {
      let count = 0;
      const source = { reader: world.mesh.clients.reader, serdes: world.serdes };
      await readTopic(source, DEAD_LETTERS, [0, 1, 2], () => (count += 1));
      return count;
    };
    await eventually(async () => ((await letters()) === 2 ? true : undefined), 'set aside again');
    await delay(1_000);
    await producer.close();

    expect(entry.born).toMatch(new RegExp(`^${home}/`));
    expect(await verdictsOf(correlationId)).toStrictEqual(['accepted R49 sent to w1']);
  }, 60_000);
});

describe('instances', () => {
  it('should take up what another one left when it stopped, and nothing that was done', async () => {
    w3.answer = (_, response) => stream(response, taskStream('t3-8', 'WORKING'), false);
    await first.stop();
    const patient = await world.dispatcher('patient', [30_000]);
    await world.dispatched('u-8', 'w1', 'working');
    await world.lost('u-8', 'w1');
    await delay(1_000);

    await patient.stop();
    expect([w1, w2, w3].flatMap((stub) => stub.methods())).toStrictEqual([]);
    const next = await world.dispatcher('next');
    await world.unit('u-8', ({ attempts }) => attempts[1]?.state === 'working', 'taken over');
    // It still hears the stream: that is over now, and the ledger is told so.
    await next.stop();
    await eventually(
      async () => ((await verdictsOf('u-8')).at(-1)?.includes('R32') === true ? true : undefined),
      'the stream ended',
    );
    expect(w1.methods()).toStrictEqual(['GetTask', 'GetTask']);
    w3.answer = () => ({ result: taskBody('t3-8', 'WORKING') });
    await world.dispatcher('last');

    await eventually(() => (w3.methods().includes('GetTask') ? true : undefined), 'the task is asked for');
    expect(w3.methods()).toStrictEqual(['SendStreamingMessage', 'GetTask']);
  }, 120_000);

  it('should share the work, and lose none of it when one joins', async () => {
    w3.answer = ({ params }, response) => {
      const { messageId } = params.message as { readonly messageId: string };
      return stream(response, taskStream(`t3-${messageId}`, 'COMPLETED'));
    };
    const units = Array.from({ length: 12 }, (_, index) => `u-9-${index}`);
    for (const unit of units) await world.dispatched(unit, 'w1', 'working');

    const joining = world.dispatcher('joining');
    for (const unit of units) await world.lost(unit, 'w1');
    await joining;
    for (const unit of units) await world.unit(unit, ({ state }) => state === 'completed', 'completed');

    const sent = w3.calls.map(({ params }) => (params.message as { readonly messageId: string }).messageId);
    expect(new Set(sent).size).toBe(units.length);
  }, 120_000);
});
