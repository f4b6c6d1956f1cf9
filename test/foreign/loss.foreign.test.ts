import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Records } from '../../schemas/generated.js';
import { checkTopic } from '../../services/console/check-topic.js';
import { verdictOn } from '../../services/console/verdict-log.js';
import type { AgentRecord } from '../../topology/agent/agent-records.js';
import { partitionOf } from '../../topology/kit/partition.js';
import { recordKey, utf8 } from '../../topology/kit/record-key.js';
import { COMMANDS, DEAD_LETTERS, TASK_EVENTS, VERDICTS } from '../../topology/topics.js';
import { eventually } from '../integration/kafka-fixture.js';
import { agent, policyChanged, policyOf } from '../kit/decider-kit/agents.js';
import { StubAgent, stream, taskStream } from '../unit/dispatcher/stub-agent.js';
import { ForeignWorld, PARTITIONS, type Batch } from './foreign-world.js';
import { LANGUAGES, run, type Language } from './languages.js';

const TENANT = 'b\u00fcro';
const IDENTITY = { headers: { authorization: 'Bearer holdfast' } };

let w1: StubAgent;
let w3: StubAgent;
let world: ForeignWorld;

beforeAll(async () => {
  w1 = await StubAgent.start();
  w3 = await StubAgent.start();
  w3.answer = ({ params }, response) => {
    const { messageId } = params.message as { readonly messageId: string };
    return stream(response, taskStream(`t3-${messageId}`, 'WORKING', 'INPUT_REQUIRED'));
  };
  world = new ForeignWorld([
    { id: 'w1', cardUrl: w1.cardUrl, serviceIdentity: IDENTITY },
    { id: 'w3', cardUrl: w3.cardUrl, serviceIdentity: IDENTITY },
  ]);
  await world.start();
  await world.startLedger();
  await world.startDispatcher();
}, 300_000);

afterAll(async () => {
  await world.stop();
  for (const stub of [w1, w3]) stub.stop();
}, 60_000);

const keyOf = (correlationId: string): Uint8Array => utf8(recordKey(TENANT, correlationId));
const homeOf = (correlationId: string): number => partitionOf(keyOf(correlationId), PARTITIONS);

/** What is known of two agents that may stand in for each other. */
const agents = (): readonly AgentRecord[] => [
  policyChanged(policyOf({ substitutionGroups: [['w1', 'w3']] })),
  ...agent('w1', { config: { serviceIdentity: true } }),
  ...agent('w3', { config: { serviceIdentity: true } }),
];

/** A client sends, the agent asks back, and has forgotten the task when the client answers. */
const loss = (correlationId: string): readonly Batch[] => {
  const unit = { tenant: TENANT, correlationId, agentId: 'w1' } as const;
  const task = { ...unit, serverTaskId: `t-${correlationId}` } as const;
  const request = JSON.stringify({
    message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'twenty chairs' }] },
  });
  const state = (spelled: string): Records['TaskStateObserved'] => ({
    type: 'TaskStateObserved',
    ...task,
    via: 'status-update',
    state: spelled,
  });
  const dispatch: Records['DispatchObserved'] = {
    type: 'DispatchObserved',
    ...unit,
    by: 'client',
    principal: 'p',
    messageId: 'm-1',
    acceptedOutputModes: ['application/json'],
    inputKept: true,
    continues: false,
  };
  const notFound: Records['TaskNotFoundObserved'] = {
    type: 'TaskNotFoundObserved',
    ...task,
    method: 'SendMessage',
    principal: 'p',
    by: 'client',
  };
  return [
    { record: 'TaskInput', values: [{ type: 'TaskInput', ...unit, request, keptAt: 1_767_225_600_000 }] },
    { record: 'DispatchObserved', values: [dispatch] },
    { record: 'TaskStateObserved', values: [state('TASK_STATE_WORKING'), state('TASK_STATE_INPUT_REQUIRED')] },
    { record: 'TaskNotFoundObserved', values: [notFound] },
  ];
};

const EVENTS = ['1-DispatchObserved-0', '2-TaskStateObserved-0', '2-TaskStateObserved-1', '3-TaskNotFoundObserved-0'];
const JUDGED = ['accepted R49', 'accepted R15', 'accepted R15', 'indeterminate R29'];

/** The unit's partition has read all that the agents topic holds: asks with a unit of its own there. */
const untilFolded = async (partition: number): Promise<void> => {
  const { clients } = world.mesh;
  const log = world.mesh.openLog();
  const [bounds] = await clients.reader.bounds([{ topic: 'a2a.agents.v1', partition: 0 }]);
  const units = Array.from({ length: 100 * PARTITIONS }, (_, index) => `probe-${index}`);
  const correlationId = units.find((unit) => homeOf(unit) === partition) ?? '';
  await eventually(async () => {
    const verdict = await verdictOn(
      { reader: clients.reader, serdes: world.serdes },
      partition,
      async () => (await log.observe([{ type: 'MessageObserved', tenant: TENANT, correlationId, agentId: 'w1' }]))[0],
      30_000,
    );
    return (verdict?.value.agentsOffset ?? -1n) + 1n >= (bounds?.end ?? 0n) ? true : undefined;
  }, 'the agents are known');
};

const produce = async (language: Language, source: string, batches: readonly Batch[], ...how: readonly string[]) => {
  const [said] = await run(language, 'produce', world.kafka, world.plan(source, batches), ...how);
  expect(said).toStrictEqual({ written: batches.reduce((sum, { values }) => sum + values.length, 0), failed: [] });
};

/** Facts about agents, then the loss of one unit, all by a foreign producer. */
const lose = async (language: Language, source: string, correlationId: string, ...how: readonly string[]) => {
  const facts = agents().map((value): Batch => ({ record: value.type, values: [value] }));
  await produce(language, `${source}/agents`, facts);
  await untilFolded(homeOf(correlationId));
  await produce(language, source, loss(correlationId), ...how);
};

const redispatched = (correlationId: string) =>
  eventually(
    async () => {
      const commands = (await world.read(COMMANDS)).filter(
        ({ value }) => value.type === 'RedispatchTask' && value.correlationId === correlationId,
      );
      return commands.length > 0 ? commands : undefined;
    },
    `${correlationId} is to be redispatched`,
    60_000,
  );

/** What the ledger said about each record of a source, by event ID, in order: partition and verdict. */
const saidAbout = async (source: string): Promise<ReadonlyMap<string, readonly string[]>> => {
  const verdicts = await world.read(VERDICTS);
  const said = new Map<string, string[]>();
  for (const { record } of await world.read(TASK_EVENTS)) {
    const { ce_source: by, ce_id: id } = record.headers;
    if (by === undefined || id === undefined || Buffer.from(by).toString() !== source) continue;
    const words = verdicts
      .filter(
        ({ value }) =>
          value.trigger === 'observation' &&
          value.cause?.partition === record.partition &&
          value.cause.offset === record.offset,
      )
      .map(({ value, record: { partition } }) => `${partition}: ${value.verdict} ${value.rule}`);
    const event = Buffer.from(id).toString();
    said.set(event, [...(said.get(event) ?? []), ...words].sort());
  }
  return said;
};

describe.each(LANGUAGES)('a loss that is told in $name', (language) => {
  it('should be judged, and end in a command that is read there', async () => {
    const [source, correlationId] = [`/foreign/${language.name}`, `Anfrage-\u00fc-${language.name}`];
    const home = homeOf(correlationId);

    await lose(language, source, correlationId);
    await redispatched(correlationId);
    const read = await run(language, 'read', world.kafka, world.topic(COMMANDS.name));

    const about = read.filter((record) => JSON.stringify(record).includes(correlationId));
    expect(about).toStrictEqual([
      {
        partition: home,
        offset: expect.any(Number),
        key: recordKey(TENANT, correlationId),
        headers: {
          ce_specversion: '1.0',
          ce_id: expect.any(String),
          ce_source: '/holdfast',
          ce_type: 'holdfast.v1.RedispatchTask',
          'content-type': 'application/avro',
        },
        record: 'RedispatchTask',
        value: {
          commandId: expect.any(String),
          tenant: { string: TENANT },
          correlationId,
          agentId: 'w3',
          attempt: 2,
          loss: 1,
          lostBy: 'w1',
          lostTaskIds: [`t-${correlationId}`],
          requiredState: 'INPUT_REQUIRED',
          messageId: `holdfast:2:${recordKey(TENANT, correlationId)}`,
          awaits: null,
          again: 'NO',
          considered: [
            { agentId: 'w3', lacks: [] },
            { agentId: 'w1', lacks: [expect.any(String)] },
          ],
          issuedAt: expect.any(Number),
        },
      },
    ]);
    expect([...(await saidAbout(source))]).toStrictEqual(
      EVENTS.map((event, index) => [event, [`${home}: ${JUDGED[index]}`]]),
    );
  }, 300_000);
});

describe("librdkafka's default partitioner", () => {
  it('should be caught by the ledger, and the unit end where it belongs all the same', async () => {
    const [python] = LANGUAGES;
    if (python === undefined) throw new Error('no language');
    const source = '/foreign/misrouted';
    const wrong = (id: string): number => crc32(keyOf(id)) % PARTITIONS;
    const correlationId =
      Array.from({ length: 100 }, (_, index) => `Irrl\u00e4ufer-${index}`).find((id) => wrong(id) !== homeOf(id)) ?? '';
    const [home, astray] = [homeOf(correlationId), wrong(correlationId)];

    await lose(python, source, correlationId, 'default');
    await redispatched(correlationId);

    expect([...(await saidAbout(source))].sort()).toStrictEqual(
      EVENTS.map((event, index) => [event, [`${astray}: quarantined R58`, `${home}: ${JUDGED[index]}`].sort()]),
    );
    const letters = (await world.read(DEAD_LETTERS)).map(({ value: { reason, source: at, key, headers } }) => ({
      reason,
      partition: at.partition,
      key: Buffer.from(key ?? []).toString(),
      id: Buffer.from(headers.find(({ name }) => name === 'ce_id')?.value ?? []).toString(),
    }));
    const key = recordKey(TENANT, correlationId);
    expect(letters).toStrictEqual(EVENTS.map((id) => ({ reason: 'misrouted', partition: astray, key, id })));
  }, 300_000);

  it('should be recognised by the check of the topic', async () => {
    const report = await checkTopic({
      topic: TASK_EVENTS,
      topicName: world.topic(TASK_EVENTS.name),
      partitions: PARTITIONS,
      from: 'beginning',
      limit: 10_000,
      examples: 1,
      reader: world.mesh.clients.reader,
      registry: world.config.registry,
      signal: new AbortController().signal,
    });

    expect(report.partitioners).toStrictEqual([
      {
        source: '/foreign/misrouted',
        misrouted: 4,
        seems: "CRC32 (librdkafka's default): set partitioner=murmur2_random",
      },
    ]);
    expect(Object.fromEntries(report.counts)).toStrictEqual({ 'wrong-partition': 4 });
    expect(report.clean).toBe(report.read - 4);
  }, 60_000);
});
