import { describe, expect, test } from '@jest/globals';
import type { AgentConfig } from '../../../infra/config/config.js';
import { configurationNews, configuredAs, policyVersion } from '../../../services/verifier/published-configuration.js';
import type { AgentRecord } from '../../../topology/agent/agent-records.js';
import { DEFAULT_POLICY } from '../../../topology/policy.js';
import { contractsFrom } from '../../kit/decider-kit/agents.js';

const W1: AgentConfig = {
  id: 'w1',
  cardUrl: 'http://w1/card',
  provider: 'Acme',
  configuredStates: ['working', 'completed'],
  persistence: 'durable',
  serviceIdentity: { headers: { authorization: 'secret' } },
  canaries: [{ message: 'x' }],
};
const W2: AgentConfig = { id: 'w2', cardUrl: 'http://w2/card', recovery: 'manual' };
const POLICY: AgentRecord = { type: 'PolicyChanged', version: policyVersion(DEFAULT_POLICY), policy: DEFAULT_POLICY };
const news = (said: readonly AgentRecord[], agents: readonly AgentConfig[], policy = DEFAULT_POLICY) =>
  configurationNews(contractsFrom(said), { policy, agents });

describe('the configuration on the agents topic', () => {
  test('should be published whole where nothing is there, and nothing of it be secret', () => {
    const published = news([], [W1, W2]);

    expect(published).toStrictEqual([
      POLICY,
      {
        type: 'AgentConfigured',
        agentId: 'w1',
        provider: 'Acme',
        configuredStates: ['working', 'completed'],
        durable: true,
        serviceIdentity: true,
      },
      { type: 'AgentConfigured', agentId: 'w2', durable: false, serviceIdentity: false, recovery: 'manual' },
    ]);
    expect(JSON.stringify(published)).not.toContain('secret');
  });

  test('should not be published again', () => {
    expect(news([POLICY, configuredAs(W1), configuredAs(W2)], [W1, W2])).toStrictEqual([]);
  });

  test('should be published as far as it changed', () => {
    const policy = { ...DEFAULT_POLICY, maxAttempts: 5 };

    const published = news([POLICY, configuredAs(W1), configuredAs(W2)], [W1, { ...W2, recovery: 'off' }], policy);

    expect(published).toStrictEqual([
      { type: 'PolicyChanged', version: policyVersion(policy), policy },
      { ...configuredAs(W2), recovery: 'off' },
    ]);
  });

  test('should remove who is no longer in it, once (R57)', () => {
    const removal: AgentRecord = { type: 'AgentRemoved', agentId: 'w1' };

    expect(news([POLICY, configuredAs(W1), configuredAs(W2)], [W2])).toStrictEqual([removal]);
    expect(news([POLICY, configuredAs(W1), removal, configuredAs(W2)], [W2])).toStrictEqual([]);
  });

  test('should not bring back who was removed', () => {
    expect(news([POLICY, configuredAs(W1), { type: 'AgentRemoved', agentId: 'w1' }], [W1])).toStrictEqual([]);
  });

  test('should leave alone who was never configured', () => {
    const gap: AgentRecord = { type: 'GapObserved', agentIds: ['other'], from: 0, to: 1 };

    expect(news([POLICY, gap], [])).toStrictEqual([]);
  });

  test('should have the same version for the same policy, however it is written down', () => {
    const { maxAttempts, ...rest } = DEFAULT_POLICY;

    expect(policyVersion({ maxAttempts, ...rest })).toBe(policyVersion(DEFAULT_POLICY));
    expect(policyVersion({ ...rest, maxAttempts: 9 })).not.toBe(policyVersion(DEFAULT_POLICY));
  });
});
