import { expect } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { MAX_DECOMPRESSED_BYTES } from '../../infra/kafka/compression/decompress.js';
import { contractOf } from '../../topology/agent/contracts.js';
import { recordKey, utf8 } from '../../topology/kit/record-key.js';
import type { Topic } from '../../topology/kit/topology.js';
import { AGENTS, COMMANDS, EVIDENCE, INPUTS, LEDGER } from '../../topology/topics.js';
import { agent } from '../kit/decider-kit/agents.js';
import { said } from '../kit/decider-kit/builders.js';
import { eventually } from './kafka-fixture.js';
import { batchOf, packed, produceRaw } from './raw-batches.js';
import { RUBBISH, withSchemaId } from './rubbish.js';
import type { At, TopicWorld } from './topic-world.js';

const GZIP = 1;
const MADE_UP_ID = 2_000_000_001;

/** The same rubbish on the topics that Holdfast itself writes. */
export const otherTopicRows = (world: () => TopicWorld) => {
  /** Whatever cannot be a record of the topic; gives the places. */
  const poison = async (topic: Topic<unknown>, key: Uint8Array | null): Promise<readonly At[]> => {
    const { value } = world().dispatch(0);
    const places: At[] = [];
    for (const bytes of [RUBBISH, new Uint8Array(0), withSchemaId(value, MADE_UP_ID), value])
      places.push(await world().writeTo(topic, { key, value: bytes }));
    const batch = packed(
      batchOf([{ key, value: Buffer.alloc(MAX_DECOMPRESSED_BYTES), headers: {} }]),
      GZIP,
      (records) => gzipSync(records),
    );
    const { offset } = await produceRaw({ topic: world().run.topic(topic.name), partition: 0 }, batch);
    return [...places, { partition: 0, offset }];
  };

  /** Each of them passes over each of the places, once. */
  const passedOver = async (roles: readonly string[], topic: Topic<unknown>, places: readonly At[]): Promise<void> => {
    const wanted = places.map(({ partition, offset }) => `${topic.name}/${partition}/${offset.toString()}`);
    for (const role of roles) expect(await world().passedOver(role, topic, places)).toStrictEqual(wanted);
  };

  return {
    onAgents: async () => {
      const contracts = await world().mesh.openContracts();
      const places = await poison(AGENTS, null);
      for (const record of agent('w9', { durable: true })) await world().publish(AGENTS, 0, record);
      const words = await Promise.all(
        [0, 1].map((partition) =>
          eventually(async () => {
            const correlationId = world().unitIn(partition);
            const value = world().bytes(said('w9', `t-${correlationId}`, 'working', { correlationId }));
            const at = await world().write({ partition, key: utf8(recordKey(undefined, correlationId)), value });
            const { verdict, cardHash } = await world().verdictAt(at);
            return cardHash === undefined ? undefined : `${verdict} by ${cardHash}`;
          }, 'the task to have read the card behind it'),
        ),
      );
      expect(words).toStrictEqual(['accepted by w9-card', 'accepted by w9-card']);
      const card = await eventually(() => contractOf(contracts.current, 'w9').card?.hash, 'the view to have read it');
      expect(card).toBe('w9-card');
      await passedOver(['test', 'dispatcher'], AGENTS, places);
    },
    onCommands: async () => {
      const places = await poison(COMMANDS, utf8('0:poison'));
      const { id, key, value } = world().dispatch(0);
      await world().verdictAt(await world().write({ key, value }));
      await world().publish(
        COMMANDS,
        0,
        {
          type: 'QueryTask',
          commandId: 'q-1',
          correlationId: id,
          agentId: 'w1',
          serverTaskId: 't-1',
          reason: 'silence',
          issuedAt: Date.now(),
        },
        recordKey(undefined, id),
      );
      // Nobody is configured as w1: that it could not be asked is what the dispatcher observed.
      const answer = await eventually(() => world().decidedOf(id)[1], 'what came of the question');
      expect([answer.verdict, answer.agentId]).toStrictEqual(['ignored', 'w1']);
      await passedOver(['dispatcher'], COMMANDS, places);
    },
    onEvidence: async () => {
      for (const record of agent('w8', { durable: true, reobservable: true })) await world().publish(AGENTS, 0, record);
      const verifier = await world().verifier([{ id: 'w8', cardUrl: 'http://127.0.0.1:1/card' }]);
      try {
        const contracts = await world().mesh.openContracts();
        const places = await poison(EVIDENCE, null);
        await world().publish(EVIDENCE, 0, {
          type: 'Evidence',
          kind: 'task-lost',
          agentId: 'w8',
          correlationId: 'c-1',
          serverTaskId: 't-1',
          state: 'working',
          observedAt: Date.now(),
        });
        const { durable, needsProbe } = await eventually(() => {
          const contract = contractOf(contracts.current, 'w8');
          return contract.reobservable ? undefined : contract;
        }, 'the verifier to fold it');
        expect([durable, needsProbe]).toStrictEqual([false, true]);
        await passedOver(['verifier'], EVIDENCE, places);
      } finally {
        await verifier.stop();
      }
    },
    onInputs: async () => {
      const correlationId = world().unitIn(0);
      const key = recordKey(undefined, correlationId);
      const input = { type: 'TaskInput', correlationId, agentId: 'w1', request: '{}', keptAt: 1 } as const;
      const inputs = await world().mesh.openInputs();
      await world().publish(INPUTS, 0, input, key);
      const places = [...(await poison(INPUTS, utf8(key))), ...(await poison(INPUTS, Buffer.from([0xff])))];
      await passedOver(['test', 'dispatcher'], INPUTS, places);
      expect(await inputs.get(key)).toStrictEqual(input);
      await world().publish(INPUTS, 0, { ...input, keptAt: 2 }, key);
      expect(await eventually(async () => ((await inputs.get(key))?.keptAt === 2 ? true : undefined), 'the next')).toBe(
        true,
      );
    },
    onLedger: async () => {
      const { id, key, value } = world().dispatch(0);
      await world().verdictAt(await world().write({ key, value }));
      const entry = await eventually(() => world().ledger.get(recordKey(undefined, id)), 'the entry');
      const places = await poison(LEDGER, key);
      await passedOver(['test', 'dispatcher'], LEDGER, places);
      expect(await world().ledger.get(recordKey(undefined, id))).toStrictEqual(entry);
      const working = world().bytes(said('w1', 't-1', 'working', { correlationId: id }));
      expect((await world().verdictAt(await world().write({ key, value: working }))).verdict).toBe('accepted');
      const state = await eventually(
        async () => (await world().ledger.get(recordKey(undefined, id)))?.state,
        'the next',
      );
      expect(state).toBe('working');
    },
  };
};
