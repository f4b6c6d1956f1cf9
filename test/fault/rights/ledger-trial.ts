import { expect } from '@jest/globals';
import type { Observation } from '../../../topology/observation.js';
import { TASK_EVENTS } from '../../../topology/topics.js';
import { utf8 } from '../../../topology/kit/record-key.js';
import { agent, policyChanged, policyOf } from '../../kit/decider-kit/agents.js';
import type { GuardedMesh } from './guarded-mesh.js';
import type { ServiceTrial } from './service-trial.js';

export const STATES = ['submitted', 'working', 'input-required', 'completed'] as const;

/** In force throughout. Inputs are deleted as soon as their unit has ended; w3 takes over what w1 lost. */
export const POLICY = policyOf({ inputRetentionMs: 1, preference: ['w3'] });

/** Each batch has the ledger write to every topic that it writes to. */
export const ledgerTrial = (mesh: GuardedMesh): ServiceTrial => {
  let batches = 0;
  let lost: string[] = [];
  return {
    role: 'ledger',
    prepare: async () => {
      await mesh.log.publishAgent(policyChanged(POLICY));
      for (const record of ['w1', 'w2', 'w3'].flatMap((id) => agent(id, { states: STATES })))
        await mesh.log.publishAgent(record);
    },
    provoke: async () => {
      batches += 1;
      const id = `lost-${batches}`;
      await dispatched(mesh, `done-${batches}`, 'completed');
      await dispatched(mesh, `wrong-${batches}`, 'auth-required');
      await dispatched(mesh, id, 'input-required');
      await mesh.log.observe([notFound(id)]);
      await mesh.producer.send([
        { topic: mesh.topic(TASK_EVENTS), key: utf8('k'), value: utf8('no Avro at all'), headers: {} },
      ]);
      lost.push(id);
    },
    settled: async () => {
      // Nobody is to take them over.
      await mesh.log.observe(lost.map(resolved));
      lost = [];
      expect(await mesh.unjudged()).toStrictEqual([]);
    },
  };
};

/** A client's dispatch to w1, whose task says `state`. */
export const dispatched = async (mesh: GuardedMesh, correlationId: string, state: string): Promise<void> => {
  const message = { messageId: `m-${correlationId}`, role: 'ROLE_USER', parts: [{ text: 'twenty chairs' }] };
  const request = JSON.stringify({ message, configuration: { acceptedOutputModes: ['application/json'] } });
  await mesh.log.keepInput({ type: 'TaskInput', correlationId, agentId: 'w1', request, keptAt: Date.now() });
  await mesh.log.observe([
    {
      type: 'DispatchObserved',
      correlationId,
      agentId: 'w1',
      by: 'client',
      principal: 'p',
      messageId: message.messageId,
      acceptedOutputModes: ['application/json'],
      inputKept: true,
      continues: false,
    },
    { type: 'TaskStateObserved', correlationId, ...task(correlationId), via: 'send-response', state },
  ]);
};

/** The client asks, and is told that there is no such task. */
export const notFound = (correlationId: string): Observation => ({
  type: 'TaskNotFoundObserved',
  correlationId,
  ...task(correlationId),
  method: 'GetTask',
  principal: 'p',
  by: 'client',
});

export const resolved = (correlationId: string): Observation => ({
  type: 'OperatorDecided',
  correlationId,
  action: 'resolve',
  state: 'failed',
  actor: 'kim',
});

const task = (correlationId: string) => ({ agentId: 'w1', serverTaskId: `t-${correlationId}` });
