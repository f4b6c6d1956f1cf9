import type { Contracts } from './agent/contracts.js';
import type { Command } from './command.js';
import type { Evidence } from './evidence.js';
import type { Coordinates } from './kit/coordinates.js';
import type { Observation } from './observation.js';
import type { UnitEvent } from './task/unit-events.js';
import type { UnitRecord } from './task/unit.js';
import type { Grounds, Judgement, Trigger } from './verdict.js';

/** An open question to the verifier, asked once per partition and agent (R8). */
export type Wait = { readonly since: number; readonly agentsOffset: bigint };
/** Per agent: what this partition waits for, or has waited for in vain. */
export type Waits = ReadonlyMap<string, { readonly card?: Wait; readonly verification?: Wait }>;

/** An observation as the task read it. Hashes are computed by the caller: deciders know no crypto. */
export type ObservedRecord = {
  readonly observation: Observation;
  readonly coordinates: Coordinates;
  /** Append time, ms. */
  readonly time: number;
  /** SHA-256 over key, value, headers and timestamp. */
  readonly inputSha256: string;
  /** Identity of the event where its producer gave one: hashes of (source, ID) and of the content (R17). */
  readonly event?: { readonly idHash: string; readonly contentHash: string };
};

/** What a decision may depend on besides the record and the observation. Nothing else. */
export type DecisionContext = {
  /** Stream time, ms (R16). */
  readonly now: number;
  readonly contracts: Contracts;
  readonly waits: Waits;
  readonly trigger: Trigger;
};

/** One decision: exactly one verdict, and what follows from it. Events evolve the record; the rest is written out. */
export type Decision = {
  readonly judgement: Judgement;
  readonly grounds: Grounds;
  readonly events: readonly UnitEvent[];
  readonly commands: readonly Command[];
  readonly evidence: readonly Evidence[];
  /** Questions to the verifier that this decision opened. */
  readonly waits: readonly {
    readonly agentId: string;
    readonly awaits: 'card' | 'verification';
    readonly wait: Wait;
  }[];
};

/** The decisions of one step over one unit, in order, and the record after them; `null`: let go (R56), or never there. */
export type Step = {
  readonly record: UnitRecord | null;
  readonly decisions: readonly Decision[];
  /** The kept input is not needed any more: write a tombstone (R34). */
  readonly dropInput: boolean;
};
