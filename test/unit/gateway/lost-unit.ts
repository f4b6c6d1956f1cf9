import { LIFECYCLE_EXTENSION } from '../../../topology/a2a/lifecycle.js';
import { recordKey } from '../../../topology/kit/record-key.js';
import type { Policy } from '../../../topology/policy.js';
import { agent, policyChanged, policyOf } from '../../kit/decider-kit/agents.js';
import { GatewayTwin, lost, message, task, tokenOf, type Answer } from './gateway-twin.js';

export const ALICE = { authorization: tokenOf('alice') };
export const MALLORY = { authorization: tokenOf('mallory') };
export const CORRELATED = message({ metadata: { [LIFECYCLE_EXTENSION]: { correlationId: 'c-1' } } });
export const KEY = recordKey(undefined, 'c-1');

/** Three verified agents that may stand in for each other. */
export const twinWith = (policy: Partial<Policy> = {}): Promise<GatewayTwin> =>
  GatewayTwin.start([
    policyChanged(policyOf(policy)),
    ...['w1', 'w2', 'w3'].flatMap((id) => agent(id, { config: { serviceIdentity: true } })),
  ]);

/** Alice's unit c-1 at w1: task t1, input-required. */
export const dispatched = (twin: GatewayTwin): Promise<Answer> => {
  twin.agents.set('w1', ({ method }) =>
    method === 'SendMessage'
      ? { result: { task: task('t1', 'INPUT_REQUIRED') } }
      : { result: task('t1', 'INPUT_REQUIRED') },
  );
  return twin.ask('w1', 'SendMessage', CORRELATED, ALICE);
};

/** It is dispatched, w1 forgets it, and Alice notices: the ledger has issued a redispatch to w2. */
export const lostAtW1 = async (twin: GatewayTwin): Promise<void> => {
  await dispatched(twin);
  twin.agents.set('w1', () => lost);
  await twin.ask('w1', 'GetTask', { id: 't1' }, ALICE);
};

/** What the dispatcher writes once the redispatch has spoken. */
export const redispatched = async (twin: GatewayTwin, agentId: string, serverTaskId: string): Promise<void> => {
  const commandId = twin.ledger.entry(KEY)?.loss?.redispatch?.commandId ?? '';
  const unit = { correlationId: 'c-1', agentId } as const;
  await twin.ledger.observe([
    { type: 'DispatchObserved', ...unit, by: 'holdfast', commandId, inputKept: true, continues: false },
    {
      type: 'TaskStateObserved',
      ...unit,
      serverTaskId,
      contextId: `ctx-${serverTaskId}`,
      state: 'TASK_STATE_INPUT_REQUIRED',
      via: 'status-update',
    },
  ]);
};
