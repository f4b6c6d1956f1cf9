import { formatCoordinates } from '../../topology/kit/coordinates.js';
import type { CommandRecord, LedgerEntry, Verdict } from '../../topology/ledger-records.js';
import { canonicalArtifacts } from '../../topology/task/unit.js';
import type { TapedRecord } from './story-tape.js';
import type { Played, VariantId } from './variants.js';

/** One thing that must be so, read back from Kafka, and what was found. */
export type Check = { readonly holds: boolean; readonly text: string };

type RedispatchRecord = CommandRecord & { readonly type: 'RedispatchTask' };

/** What the log says about the unit. */
export type Findings = {
  readonly verdicts: readonly Verdict[];
  readonly loss?: Verdict;
  readonly redispatch?: RedispatchRecord;
  readonly entry?: LedgerEntry;
};

export const findingsOf = (
  records: readonly TapedRecord[],
  correlationId: string,
  entry: LedgerEntry | undefined,
): Findings => {
  const verdicts = records.flatMap((record) =>
    record.topic === 'verdicts' && record.value.correlationId === correlationId ? [record.value] : [],
  );
  const loss = verdicts.find(({ verdict }) => verdict === 'indeterminate');
  const redispatch = records
    .flatMap(({ topic, value }) => (topic === 'commands' && value.type === 'RedispatchTask' ? [value] : []))
    .find((command) => command.correlationId === correlationId);
  return {
    verdicts,
    ...(loss === undefined ? {} : { loss }),
    ...(redispatch === undefined ? {} : { redispatch }),
    ...(entry === undefined ? {} : { entry }),
  };
};

const check = (holds: boolean, text: string): Check => ({ holds, text });

/** Everything that a variant must have shown (RULES.md section 14). */
export const checkVariant = (variant: VariantId, findings: Findings, played: Played): readonly Check[] => {
  const { entry, loss, redispatch, verdicts } = findings;
  const ids = [...new Set(entry?.serverTasks.map(({ id }) => id) ?? [])];
  const artifacts = entry === undefined ? [] : canonicalArtifacts(entry);
  const lacks = redispatch?.considered.find(({ agentId }) => agentId === 'W2')?.lacks ?? [];
  const target = variant === 'b' ? 'W1' : 'W3';
  return [
    check(
      loss?.cause !== undefined && loss.agentId === 'W1' && loss.state === 'input-required',
      `W1's loss in input-required was observed at ${loss?.cause === undefined ? 'no place' : formatCoordinates(loss.cause)}`,
    ),
    check(
      lacks.includes('input-required not verified'),
      `W2 was refused: ${lacks.join(', ') || 'it was not considered'}`,
    ),
    check(redispatch?.agentId === target, `redispatched to ${redispatch?.agentId ?? 'nobody'} (must be ${target})`),
    check(ids.length === 2, `both server task IDs are under one correlation ID: ${ids.join(', ') || 'none'}`),
    check(
      played.oldTaskState === 'TASK_STATE_COMPLETED',
      `the old task ID ${played.oldTaskId} answers ${played.oldTaskState ?? 'nothing'} (must be completed)`,
    ),
    check(played.ended.code === 0, `the orchestrator ended with ${JSON.stringify(played.outcome)}`),
    check(
      artifacts.length === 1 && artifacts[0]?.mediaTypes.join() === 'application/json',
      `canonical artifacts: ${artifacts.map((a) => `${a.artifactId} ${a.mediaTypes.join()} of attempt ${a.attempt}`).join('; ') || 'none'}`,
    ),
    check(
      entry?.state === 'completed' && entry.loss === undefined,
      `the ledger says ${entry?.loss === undefined ? (entry?.state ?? 'nothing') : 'indeterminate'} (must be completed)`,
    ),
    check(
      verdicts.every(({ state }) => state !== 'failed'),
      'no verdict ever says failed',
    ),
    check(inOrder(verdicts, variant), `verdicts in order: ${milestones(verdicts).join(' → ')}`),
    ...checkParticular(variant, findings),
  ];
};

const checkParticular = (variant: VariantId, { entry, verdicts, redispatch }: Findings): readonly Check[] => {
  if (variant === 'a') return [check(entry?.counts.violations === 0, `${entry?.counts.violations ?? '?'} violations`)];
  if (variant === 'b') {
    const codes = verdicts.flatMap(({ code }) => code ?? []);
    const kept = entry === undefined ? undefined : canonicalArtifacts(entry)[0];
    return [
      check(codes.join() === 'mode-not-advertised', `violations: ${codes.join(', ') || 'none'}`),
      check(kept?.attempt === 1, `the draft of attempt ${kept?.attempt ?? '?'} is canonical`),
    ];
  }
  const parked = verdicts.findIndex(({ contractError }) => contractError === 'no-capable-worker');
  const issued = verdicts.findIndex(({ commandIds }) => commandIds.includes(redispatch?.commandId ?? '-'));
  const error = verdicts[parked];
  return [
    check(parked >= 0 && issued > parked, 'no-capable-worker first, the redispatch by itself once W3 was verified'),
    check(error?.indeterminate === true, 'still indeterminate while nobody could take it over'),
  ];
};

/** The steps of the story, each once: what must have come in this order. */
const milestones = (verdicts: readonly Verdict[]): readonly string[] => {
  const steps = verdicts.flatMap(({ verdict, state, attempt, code, contractError, commandIds }) => {
    if (code !== undefined) return [`violation ${code}`];
    if (verdict === 'indeterminate') return ['indeterminate', ...(contractError === undefined ? [] : [contractError])];
    if (verdict === 'decided' && commandIds.length > 0) return ['decided'];
    return verdict === 'accepted' && state !== undefined && attempt !== undefined ? [`${state}#${attempt}`] : [];
  });
  return steps.filter((step, index) => steps.indexOf(step) === index);
};

const EXPECTED: Readonly<Record<VariantId, readonly string[]>> = {
  a: ['input-required#1', 'indeterminate', 'input-required#2', 'completed#2'],
  b: [
    'input-required#1',
    'indeterminate',
    'no-capable-worker',
    'decided',
    'input-required#2',
    'violation mode-not-advertised',
    'completed#2',
  ],
  c: ['input-required#1', 'indeterminate', 'no-capable-worker', 'decided', 'input-required#2', 'completed#2'],
};

const inOrder = (verdicts: readonly Verdict[], variant: VariantId): boolean => {
  const steps = milestones(verdicts);
  const places = EXPECTED[variant].map((step) => steps.indexOf(step));
  return places.every((at, index) => at >= 0 && (index === 0 || at > (places[index - 1] ?? 0)));
};
