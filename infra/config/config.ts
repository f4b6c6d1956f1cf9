import type { ContractMode, Policy, Recovery } from '../../topology/policy.js';
import type { TaskState } from '../../topology/task/task-state.js';
import type { RegistryAuthSettings, SaslSettings, TlsSettings } from './connection-settings.js';

/** A canary message: what makes an agent show a state or an output mode (R43). */
export type CanaryConfig = {
  readonly skillId?: string;
  /** The state that the message forces. Absent: the canary is for `mode`. */
  readonly state?: TaskState;
  /** The output mode that the message asks for. */
  readonly mode?: string;
  readonly message: string;
  /** What is said when the canary asks for input. */
  readonly answer?: string;
};

export type AgentConfig = {
  readonly id: string;
  /** Where its Agent Card is. */
  readonly cardUrl: string;
  readonly provider?: string;
  readonly tenants?: readonly string[];
  readonly configuredStates?: readonly TaskState[];
  readonly defaultSkill?: string;
  /** `durable`: the operator declares that it keeps its tasks over a restart (R9). */
  readonly persistence?: 'durable';
  /** Headers that identify Holdfast itself at this agent (R25). */
  readonly serviceIdentity?: { readonly headers: Readonly<Record<string, string>> };
  readonly contract?: ContractMode;
  readonly recovery?: Recovery;
  readonly canaries?: readonly CanaryConfig[];
};

/** The whole configuration, resolved: file, then environment, then flags, over the defaults. Durations in ms. */
export type HoldfastConfig = {
  readonly kafka: {
    readonly brokers: readonly string[];
    /** Before every topic, group and transactional ID. */
    readonly topicPrefix: string;
    readonly partitions: number;
    readonly replicationFactor: number;
    /** Task groups of the ledger: at most as many instances work (topology/DESIGN.md). */
    readonly groups: number;
    readonly tls?: TlsSettings;
    readonly sasl?: SaslSettings;
  };
  readonly registry: { readonly url: string; readonly tls?: TlsSettings; readonly auth?: RegistryAuthSettings };
  /** Where stores lie. */
  readonly stateDir: string;
  /** Names this instance, the same after a restart. */
  readonly instanceId: string;
  readonly gateway: {
    readonly host: string;
    readonly port: number;
    readonly publicUrl?: string;
    /** Key of the principals' hashes: the same in every gateway of an installation, for ever (R25). */
    readonly principalSalt?: string;
    readonly principalSaltFile?: string;
    /** Header with the ID, not the secret, of an API key. Absent: keys identify nobody. */
    readonly apiKeyIdHeader?: string;
  };
  readonly verifier: {
    readonly verificationTtlMs: number;
    readonly cardTtlMs: number;
    readonly probeTimeoutMs: number;
    /** Canary tasks per agent and day (R43). */
    readonly probeBudget: number;
    /** How often evidence that nothing announces is looked at again. */
    readonly idleMs: number;
  };
  readonly dispatcher: {
    /** Waits before the lost task is asked for once more (R36). */
    readonly recheckMs: readonly number[];
    readonly sendTimeoutMs: number;
  };
  /** What agents' cards may lead to beside what is as public as they are: host names, addresses, networks. */
  readonly egress: { readonly allow: readonly string[] };
  readonly probeHoldMs: number;
  readonly schemaWaitMs: number;
  readonly policy: Policy;
  readonly agents: readonly AgentConfig[];
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
};
