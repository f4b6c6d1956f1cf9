import { expect } from '@jest/globals';
import { cloudEventHeaders } from '../../../infra/registry/cloud-event-headers.js';
import type { Right } from '../../../services/rights/rights.js';
import { formatCoordinates } from '../../../topology/kit/coordinates.js';
import { partitionOf } from '../../../topology/kit/partition.js';
import { recordKey, utf8 } from '../../../topology/kit/record-key.js';
import type { Observation } from '../../../topology/observation.js';
import { TASK_EVENTS, VERDICTS } from '../../../topology/topics.js';
import { stream, TASK_NOT_FOUND, taskBody, taskStream, type StubAgent } from '../../unit/dispatcher/stub-agent.js';
import { PARTITIONS, type GuardedMesh } from './guarded-mesh.js';
import { dispatched, notFound } from './ledger-trial.js';
import type { ServiceTrial } from './service-trial.js';

type Agents = { readonly w1: StubAgent; readonly w3: StubAgent };

/** Beside a running ledger: a lost task is to be taken over by w3, and a misrouted record to be put where it belongs. */
export const dispatcherTrial = (mesh: GuardedMesh, { w1, w3 }: Agents): ServiceTrial => {
  let turn = 0;
  let isBack = false;
  return {
    role: 'dispatcher',
    config: {
      agents: [
        { id: 'w1', cardUrl: w1.cardUrl },
        { id: 'w3', cardUrl: w3.cardUrl },
      ],
      dispatcher: { recheckMs: [50] },
    },
    prepare: () => Promise.resolve(),
    provoke: async (right: Right) => {
      turn += 1;
      const id = `taken-over-${turn}`;
      // The verdicts are read where a task was lost and then answers.
      isBack = right.name === VERDICTS.name;
      w1.answer = () => (isBack ? { result: taskBody(`t-${id}`, 'INPUT_REQUIRED') } : TASK_NOT_FOUND);
      w3.calls.length = 0;
      w3.answer = (_, response) => stream(response, taskStream(`t3-${turn}`, 'WORKING', 'INPUT_REQUIRED'));
      await dispatched(mesh, id, 'input-required');
      await mesh.log.observe([notFound(id)]);
      await misrouted(mesh, `misrouted-${turn}`);
    },
    settled: async () => {
      const { attempts } = await mesh.unit(
        `taken-over-${turn}`,
        ({ loss, attempts: made }) => loss === undefined && made.length === 2,
        'no longer lost',
      );
      await mesh.unit(`misrouted-${turn}`, () => true, 'put where it belongs');

      expect(attempts.map(({ agentId, status }) => `${agentId} ${status}`)).toStrictEqual([
        'w1 bound',
        isBack ? 'w3 void' : 'w3 bound',
      ]);
      expect(w3.methods()).toStrictEqual(isBack ? [] : ['SendStreamingMessage']);
      expect(await mesh.unjudged()).toStrictEqual([]);
    },
  };
};

/** Writes a dispatch into a partition that is not its key's. Returns its place. */
export const misrouted = async (mesh: GuardedMesh, correlationId: string): Promise<string> => {
  const value: Observation = {
    type: 'DispatchObserved',
    correlationId,
    agentId: 'w1',
    by: 'client',
    messageId: `m-${correlationId}`,
    inputKept: false,
    continues: false,
  };
  const key = utf8(recordKey(undefined, correlationId));
  const [at] = await mesh.producer.send([
    {
      topic: mesh.topic(TASK_EVENTS),
      partition: (partitionOf(key, PARTITIONS) + 1) % PARTITIONS,
      key,
      value: mesh.serdes.serialize(TASK_EVENTS, value.type, value),
      headers: cloudEventHeaders({ id: correlationId, source: '/somebody', record: value.type }),
    },
  ]);
  if (at === undefined) throw new Error('the record lies nowhere');
  return formatCoordinates({ ...at, topic: TASK_EVENTS.name });
};
