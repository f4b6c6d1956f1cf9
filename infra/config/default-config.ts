import { DEFAULT_CARD_TTL_MS, DEFAULT_POLICY, DEFAULT_VERIFICATION_TTL_MS } from '../../topology/policy.js';
import type { HoldfastConfig } from './config.js';

/** What holds where nothing is said. */
export const DEFAULT_CONFIG: HoldfastConfig = {
  kafka: { brokers: ['127.0.0.1:9092'], topicPrefix: '', partitions: 12, replicationFactor: 1, groups: 4 },
  registry: { url: 'http://127.0.0.1:8081/apis/ccompat/v7' },
  stateDir: '.cache/state',
  instanceId: 'holdfast-1',
  gateway: { host: '127.0.0.1', port: 8080 },
  verifier: {
    verificationTtlMs: DEFAULT_VERIFICATION_TTL_MS,
    cardTtlMs: DEFAULT_CARD_TTL_MS,
    probeTimeoutMs: 20_000,
    probeBudget: 20,
    idleMs: 1_000,
  },
  dispatcher: { recheckMs: [1_000, 3_000], sendTimeoutMs: 30_000 },
  egress: { allow: [] },
  probeHoldMs: 30_000,
  schemaWaitMs: 30_000,
  policy: DEFAULT_POLICY,
  agents: [],
  logLevel: 'info',
};
