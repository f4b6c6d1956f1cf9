import type { callAgent } from '../../infra/http/agent-client.js';
import type { Logger } from '../../infra/telemetry/logger.js';
import type { Contracts } from '../../topology/agent/contracts.js';
import type { LedgerEntry } from '../../topology/ledger-records.js';
import type { EventLog } from '../mesh/event-log.js';
import type { AgentCards } from './agent-cards.js';

/** What the gateway needs of the rest of Holdfast, as types: the whole of it runs without Kafka. */

/** Where facts are written, acknowledged before the call resolves. */
export type FactLog = Pick<EventLog, 'observe' | 'keepInput'>;

/** The materialised ledger, found by the names of `ledger-index.ts`. It is eventually what the ledger decided. */
export type LedgerTable = {
  readonly get: (key: string) => Promise<LedgerEntry | undefined>;
  readonly find: (index: string) => Promise<readonly string[]>;
  readonly onChange: (listener: (key: string, value: LedgerEntry | undefined, partition: number) => void) => () => void;
};

/** Contracts and policy in force. */
export type ContractsSource = {
  readonly current: Contracts;
  readonly onChange: (listener: (contracts: Contracts) => void) => () => void;
};

export type GatewaySettings = {
  /** How long a first dispatch to an agent that was never verified is held, ms (R12). */
  readonly probeHoldMs: number;
  /** How long a client waits at most for what the ledger decides about a TaskNotFound or a cancellation, ms. */
  readonly verdictWaitMs: number;
  /** Without a word for so long an answer to a message, or a stream, is over, ms: blocking sends take their time. */
  readonly answerTimeoutMs: number;
  /** The same for questions, ms. */
  readonly questionTimeoutMs: number;
  /** How long requests in flight have on a graceful stop, ms. */
  readonly drainMs: number;
  readonly maxBodyBytes: number;
  /** Key of the principals' hashes: the same in every gateway of an installation, for ever (R25). */
  readonly principalSalt: string;
  /** Header with the ID, not the secret, of an API key. Absent: keys identify nobody. */
  readonly apiKeyIdHeader?: string;
};

export const DEFAULT_SETTINGS: GatewaySettings = {
  probeHoldMs: 30_000,
  verdictWaitMs: 2_000,
  answerTimeoutMs: 600_000,
  questionTimeoutMs: 30_000,
  drainMs: 10_000,
  maxBodyBytes: 4 * 1024 * 1024,
  principalSalt: 'holdfast',
};

/** Everything that one gateway is made of. */
export type GatewayParts = {
  readonly log: FactLog;
  readonly ledger: LedgerTable;
  readonly contracts: ContractsSource;
  readonly agents: AgentCards;
  readonly call: typeof callAgent;
  readonly settings: GatewaySettings;
  /** Headers that identify Holdfast itself at an agent (R25); empty where the operator gave it no identity there. */
  readonly serviceIdentity: (agentId: string) => Readonly<Record<string, string>>;
  readonly logger: Logger;
};
