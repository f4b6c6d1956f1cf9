import type { Command } from './command.js';
import type { Decision } from './decision.js';
import type { Evidence } from './evidence.js';
import type { Coordinates } from './kit/coordinates.js';
import type { TaskState } from './task/task-state.js';
import type { UnitRecord } from './task/unit.js';
import type { TimerName } from './verdict.js';
import type { ContractErrorCode, QuarantineReason, VerdictWord, ViolationCode } from './vocabulary.js';

/** What the ledger writes. One Avro record each; optional fields are absent where there is nothing to say. */

/** One decision, always exactly one record: the audit trail. Times in ms. */
export type Verdict = {
  readonly type: 'Verdict';
  readonly verdict: VerdictWord;
  readonly code?: ViolationCode;
  readonly quarantine?: QuarantineReason;
  readonly contractError?: ContractErrorCode;
  /** The state a worker must have verified, with a contract error (R35). */
  readonly requiredState?: TaskState;
  readonly rule: string;
  readonly reason: string;
  readonly tenant?: string;
  readonly correlationId?: string;
  readonly agentId?: string;
  readonly serverTaskId?: string;
  readonly attempt?: number;
  /** The unit's last valid state after the decision, and whether it is indeterminate then. */
  readonly state?: TaskState;
  readonly indeterminate: boolean;
  readonly mediaTypes?: 'declared' | 'inferred';
  readonly skillKnown?: boolean;
  readonly commandIds: readonly string[];

  /** `observation`: itself; `agents`: a record of the agents topic; `timer`: a due time. */
  readonly trigger: 'observation' | 'agents' | 'timer';
  readonly triggerOffset?: bigint;
  readonly timer?: TimerName;
  readonly due?: number;
  /** Coordinates of the observation judged. */
  readonly cause?: Coordinates;
  readonly inputSha256?: string;
  readonly agentsOffset: bigint;
  readonly cardHash?: string;
  readonly verificationRevision?: bigint;
  readonly policyVersion: string;
  readonly decidedAt: number;
  /** SHA-256 of the verdict before it in the partition; empty for the first. */
  readonly previousDigest: string;
};

/** Violations and contract errors once more, for those who only want to be alerted. */
export type Violation = {
  readonly type: 'Violation';
  readonly code: ViolationCode | ContractErrorCode;
  readonly tenant?: string;
  readonly correlationId: string;
  readonly agentId?: string;
  readonly serverTaskId?: string;
  readonly attempt?: number;
  readonly requiredState?: TaskState;
  readonly rule: string;
  readonly reason: string;
  readonly cause?: Coordinates;
  readonly decidedAt: number;
};

/** Commands as they are written: the type of record is the type of command. */
export type CommandRecord =
  | (Omit<Command & { type: 'redispatch' }, 'type'> & { readonly type: 'RedispatchTask'; readonly issuedAt: number })
  | (Omit<Command & { type: 'query-task' }, 'type'> & { readonly type: 'QueryTask'; readonly issuedAt: number })
  | (Omit<Command & { type: 'cancel-superseded' }, 'type'> & {
      readonly type: 'CancelSuperseded';
      readonly issuedAt: number;
    })
  | (Omit<Command & { type: 'refresh-card' }, 'type'> & { readonly type: 'RefreshCard'; readonly issuedAt: number });

/** Evidence as it is written (R10). */
export type EvidenceRecord = {
  readonly type: 'Evidence';
  readonly kind: Evidence['kind'];
  readonly agentId: string;
  readonly tenant?: string;
  readonly correlationId: string;
  readonly serverTaskId: string;
  readonly state?: TaskState;
  readonly observedAt: number;
};

/** A record that was set aside, whole, with the reason (R58, R59). */
export type DeadLetter = {
  readonly type: 'DeadLetter';
  readonly reason: QuarantineReason;
  readonly detail: string;
  readonly source: Coordinates;
  readonly sourceTime: number;
  readonly sourceSha256: string;
  readonly key?: Uint8Array;
  readonly value?: Uint8Array;
  readonly headers: readonly { readonly name: string; readonly value: Uint8Array }[];
  readonly quarantinedAt: number;
};

/** The current record of a unit, as the store and its changelog hold it. */
export type LedgerEntry = {
  readonly type: 'LedgerEntry';
  /** When it wants to be woken, by the policy in force when it was written, ms: a restored task wakes as the one before. */
  readonly dueAt: number | null;
} & UnitRecord;

export const verdictRecord = ({ judgement, grounds, commands }: Decision, record: UnitRecord | null): Verdict => {
  const { word, contractError, ...said } = judgement;
  const { trigger, ...rest } = grounds;
  return {
    type: 'Verdict',
    verdict: word,
    ...said,
    ...(contractError === undefined
      ? {}
      : { contractError: contractError.code, requiredState: contractError.requiredState }),
    ...(record?.tenant === undefined ? {} : { tenant: record.tenant }),
    ...(record === null ? {} : { correlationId: record.correlationId }),
    ...(record?.state ? { state: record.state } : {}),
    indeterminate: record?.loss !== undefined,
    commandIds: commands.map(({ commandId }) => commandId),
    trigger: trigger.kind,
    ...(trigger.kind === 'agents' ? { triggerOffset: trigger.offset } : {}),
    ...(trigger.kind === 'timer' ? { timer: trigger.timer, due: trigger.due } : {}),
    ...rest,
    previousDigest: '',
  };
};

/** The alerts that a decision gives rise to: its violation, its contract error, or both. */
export const violationRecords = ({ judgement, grounds }: Decision, unit: UnitRecord): readonly Violation[] => {
  const { code, contractError, rule, reason, agentId, serverTaskId, attempt } = judgement;
  const common = {
    type: 'Violation',
    ...(unit.tenant === undefined ? {} : { tenant: unit.tenant }),
    correlationId: unit.correlationId,
    ...(agentId === undefined ? {} : { agentId }),
    ...(serverTaskId === undefined ? {} : { serverTaskId }),
    ...(attempt === undefined ? {} : { attempt }),
    rule,
    reason,
    ...(grounds.cause === undefined ? {} : { cause: grounds.cause }),
    decidedAt: grounds.decidedAt,
  } as const;
  return [
    ...(code === undefined ? [] : [{ ...common, code }]),
    ...(contractError === undefined
      ? []
      : [{ ...common, code: contractError.code, requiredState: contractError.requiredState }]),
  ];
};

export const commandRecord = (command: Command, issuedAt: number): CommandRecord => {
  switch (command.type) {
    case 'redispatch':
      return { ...command, type: 'RedispatchTask', issuedAt };
    case 'query-task':
      return { ...command, type: 'QueryTask', issuedAt };
    case 'cancel-superseded':
      return { ...command, type: 'CancelSuperseded', issuedAt };
    case 'refresh-card':
      return { ...command, type: 'RefreshCard', issuedAt };
  }
};

export const evidenceRecord = (evidence: Evidence, observedAt: number): EvidenceRecord => {
  const { state, ...rest } = evidence;
  return { type: 'Evidence', ...rest, ...(state === null ? {} : { state }), observedAt };
};
