import type { AgentRecord } from './agent/agent-records.js';
import { foldContracts, NO_CONTRACTS, type Contracts } from './agent/contracts.js';
import type { DecisionContext } from './decision.js';
import { effectsOf, type Around, type LedgerEffects, type LedgerShared } from './effects.js';
import { recordKey } from './kit/record-key.js';
import type { Incoming, Processor, Topology } from './kit/topology.js';
import { agentsChanged, deferredIndex, fireDue, indexesOf, observe, PARKED_INDEX } from './ledger.decider.js';
import type { LedgerEntry } from './ledger-records.js';
import type { Observation } from './observation.js';
import { ignoreTombstone, quarantine, setAside, unitKeyOf } from './quarantine.js';
import {
  AGENTS,
  COMMANDS,
  DEAD_LETTERS,
  EVIDENCE,
  INPUTS,
  LEDGER,
  TASK_EVENTS,
  VERDICTS,
  VIOLATIONS,
} from './topics.js';

const contextOf = ({ now, global, shared }: Around): Omit<DecisionContext, 'trigger'> => ({
  now,
  contracts: global,
  waits: shared.waits,
});

const process = (incoming: Incoming<Observation>, state: LedgerEntry | null, around: Around): LedgerEffects => {
  const { coordinates, time, sha256, event, decoded } = incoming;
  const { shared } = around;
  const aside = quarantine(incoming, around);
  if (aside !== undefined) return { state, shared, outputs: setAside(incoming, aside, around) };
  if (decoded.kind !== 'value') return { state, shared, outputs: ignoreTombstone(incoming, around) };
  const identity = event === undefined ? {} : { event };
  const input = { observation: decoded.value, coordinates, time, inputSha256: sha256, ...identity };
  const step = observe(state, input, { ...contextOf(around), trigger: { kind: 'observation' } });
  return effectsOf(step, state, around, unitKeyOf(incoming));
};

const keyOfUnit = ({ tenant, correlationId }: LedgerEntry): string => recordKey(tenant, correlationId);

/** Whose units to look at after a record of the agents topic: those that wait for the agent, and the parked ones. */
const affected = ({ decoded }: Incoming<AgentRecord>): readonly string[] => {
  if (decoded.kind !== 'value' || decoded.value.type === 'GapObserved') return [];
  if (decoded.value.type === 'PolicyChanged') return [PARKED_INDEX];
  return [deferredIndex(decoded.value.agentId), PARKED_INDEX];
};

const processor: Processor<Observation, AgentRecord, LedgerEntry, LedgerShared, Contracts> = {
  initialShared: () => ({ waits: new Map() }),
  initialGlobal: () => NO_CONTRACTS,
  foldGlobal: (contracts, { decoded, coordinates, time }) =>
    decoded.kind === 'value'
      ? foldContracts(contracts, decoded.value, coordinates.offset, time)
      : { ...contracts, offset: coordinates.offset },
  keyOf: unitKeyOf,
  process,
  due: ({ dueAt }) => dueAt ?? undefined,
  fire: (state, around) => effectsOf(fireDue(state, contextOf(around)), state, around, keyOfUnit(state)),
  indexes: indexesOf,
  affected,
  react: (state, around, { coordinates, rank }) => {
    const trigger = { kind: 'agents', offset: coordinates.offset } as const;
    return effectsOf(agentsChanged(state, { ...contextOf(around), trigger }, rank), state, around, keyOfUnit(state));
  },
};

/** The ledger as a value: what it reads, keeps and writes, and the pure processor inside. */
export const ledgerTopology: Topology<Observation, AgentRecord, LedgerEntry, LedgerShared, Contracts> = {
  applicationId: 'holdfast-ledger',
  source: TASK_EVENTS,
  global: AGENTS,
  store: { name: 'ledger', changelog: LEDGER },
  sinks: [VERDICTS, VIOLATIONS, COMMANDS, EVIDENCE, DEAD_LETTERS, INPUTS],
  chained: { topic: VERDICTS, link: (value, previousDigest) => ({ ...value, previousDigest }) },
  processor,
};
