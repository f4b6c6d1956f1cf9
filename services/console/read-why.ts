import { foldContracts, NO_CONTRACTS, type Contracts } from '../../topology/agent/contracts.js';
import type { Considered } from '../../topology/command.js';
import { recordKey } from '../../topology/kit/record-key.js';
import type { CommandRecord, Verdict } from '../../topology/ledger-records.js';
import { chooseCandidates } from '../../topology/reconciliation/candidates.js';
import { AGENTS, COMMANDS, VERDICTS } from '../../topology/topics.js';
import type { FoundUnit } from './find-units.js';
import { readTopic } from './read-topic.js';
import type { LogSource, Placed } from './verdict-log.js';
import { explain, type Sentence } from './why.js';

type UnitCommand = Exclude<CommandRecord, { type: 'RefreshCard' }>;

/** Reads the story of a unit from the log: its verdicts, its commands, and the contracts that were in force. */
export const readWhy = async (source: LogSource, unit: FoundUnit): Promise<readonly Sentence[]> => {
  const verdicts: Placed<Verdict>[] = [];
  const commands: Placed<UnitCommand>[] = [];
  const { partition } = unit;
  await readTopic(source, VERDICTS, [partition], ({ value, at, time }) => {
    if (value !== undefined && isOf(value, unit)) verdicts.push({ value, at, time });
  });
  await readTopic(source, COMMANDS, [partition], ({ value, at, time }) => {
    if (value !== undefined && value.type !== 'RefreshCard' && isOf(value, unit)) commands.push({ value, at, time });
  });
  const asked = verdicts.filter(({ value }) => value.contractError === 'no-capable-worker');
  const then = asked.length === 0 ? new Map<bigint, Contracts>() : await contractsAt(source, asked);
  return explain({
    verdicts,
    commands,
    considered: (verdict) => consideredFor(unit, verdict, then.get(verdict.agentsOffset)),
  });
};

const isOf = (value: { readonly tenant?: string; readonly correlationId?: string }, { key }: FoundUnit): boolean =>
  value.correlationId !== undefined && recordKey(value.tenant, value.correlationId) === key;

/** The contracts as the ledger had read them for each of the verdicts. */
const contractsAt = async (
  source: LogSource,
  verdicts: readonly Placed<Verdict>[],
): Promise<ReadonlyMap<bigint, Contracts>> => {
  const wanted = new Set(verdicts.map(({ value }) => value.agentsOffset));
  const found = new Map<bigint, Contracts>([[-1n, NO_CONTRACTS]]);
  let contracts = NO_CONTRACTS;
  await readTopic(source, AGENTS, [0], ({ value, at: { offset }, time }) => {
    contracts = value === undefined ? { ...contracts, offset } : foldContracts(contracts, value, offset, time);
    if (wanted.has(offset)) found.set(offset, contracts);
  });
  return found;
};

/** By the record as it is now: what it says of losses and skill was settled when the verdict fell. */
const consideredFor = (
  { entry }: FoundUnit,
  { agentId, requiredState }: Verdict,
  contracts: Contracts | undefined,
): readonly Considered[] =>
  contracts === undefined || agentId === undefined || requiredState === undefined
    ? []
    : chooseCandidates(entry, contracts, { requiredState, lostBy: agentId, failed: [] }).considered;
