import type { Contracts } from './agent/contracts.js';
import type { Decision, Step, Wait, Waits } from './decision.js';
import type { Effects, Outgoing, Surroundings } from './kit/topology.js';
import { dueAt } from './ledger.decider.js';
import { commandRecord, evidenceRecord, verdictRecord, violationRecords, type LedgerEntry } from './ledger-records.js';
import { evolve, openUnit } from './task/evolve.js';
import type { UnitRecord } from './task/unit.js';
import { COMMANDS, EVIDENCE, INPUTS, VERDICTS, VIOLATIONS } from './topics.js';

/** What a partition knows as a whole: the questions it asked the verifier, per agent (R8). */
export type LedgerShared = { readonly waits: Waits };

export type Around = Surroundings<LedgerShared, Contracts>;
export type LedgerEffects = Effects<LedgerEntry, LedgerShared>;

const entryOf = (record: UnitRecord, { global }: Around): LedgerEntry => ({
  ...record,
  type: 'LedgerEntry',
  dueAt: dueAt(record, global.policy) ?? null,
});

/** Writes a step out: each decision's verdict, alerts, commands and evidence, in order of decision. */
export const effectsOf = (
  step: Step,
  before: LedgerEntry | null,
  around: Around,
  key: string | null,
): LedgerEffects => {
  const entry = step.record && entryOf(step.record, around);
  // Nothing was decided, and it wants to be woken as before: there is nothing to write.
  if (step.decisions.length === 0 && entry?.dueAt === before?.dueAt)
    return { state: before, shared: around.shared, outputs: [] };
  const outputs: Outgoing[] = [];
  let record: UnitRecord | null = before;
  for (const decision of step.decisions) {
    record = follow(record, decision);
    outputs.push({ topic: VERDICTS, key, value: verdictRecord(decision, record ?? step.record) });
    const unit = record ?? step.record;
    if (unit !== null)
      for (const violation of violationRecords(decision, unit))
        outputs.push({ topic: VIOLATIONS, key, value: violation });
    for (const command of decision.commands)
      outputs.push({
        topic: COMMANDS,
        key: command.type === 'refresh-card' ? command.agentId : key,
        value: commandRecord(command, around.now),
      });
    for (const evidence of decision.evidence)
      outputs.push({ topic: EVIDENCE, key: evidence.agentId, value: evidenceRecord(evidence, around.now) });
  }
  if (step.dropInput) outputs.push({ topic: INPUTS, key, value: null });
  return {
    state: entry,
    shared: { waits: foldWaits(around, step.decisions) },
    outputs,
  };
};

/** The record as it stood right after one decision: what its verdict shows. */
const follow = (record: UnitRecord | null, { events }: Decision): UnitRecord | null =>
  events.reduce<UnitRecord | null>((current, event) => {
    if (current !== null) return evolve(current, event);
    return event.type === 'UnitOpened' ? openUnit(event) : null;
  }, record);

/** Adds the questions that were asked, and lets go of those too old to matter (R8). */
const foldWaits = ({ shared, now, global }: Around, decisions: readonly Decision[]): Waits => {
  const asked = decisions.flatMap(({ waits }) => waits);
  if (asked.length === 0) return shared.waits;
  const { deferTimeoutMs, refreshBackoffMs } = global.policy;
  const matters = (wait: Wait | undefined): boolean =>
    wait !== undefined && now < wait.since + deferTimeoutMs + refreshBackoffMs;
  const waits = new Map(
    [...shared.waits].filter(([, { card, verification }]) => matters(card) || matters(verification)),
  );
  for (const { agentId, awaits, wait } of asked) waits.set(agentId, { ...waits.get(agentId), [awaits]: wait });
  return waits;
};
