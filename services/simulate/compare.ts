import { isDeepStrictEqual } from 'node:util';
import type { Concluded, ConcludedCommand } from './conclude.js';
import type { Conclusion, StoryCommand, StoryUnit } from './story.js';

/** One expectation that does not hold. `where` is a JSON pointer into `then`. */
export type Difference = { readonly where: string; readonly expected: unknown; readonly concluded: unknown };

/** Compares what was concluded with what must be. Only what the expectation names is compared. */
export const compare = (expected: Conclusion, concluded: Concluded): readonly Difference[] => [
  ...compareVerdicts(expected, concluded),
  ...compareLists('/violations', expected.violations, concluded.violations, isDeepStrictEqual),
  ...compareLists('/contractErrors', expected.contractErrors, concluded.contractErrors, (want, got) => {
    const { early, ...error } = got;
    const seqs = early ? [error.seq, error.seq - 1] : [error.seq];
    return seqs.includes(want.seq) && named({ ...want, seq: 0 }, { ...error, seq: 0 });
  }),
  ...(expected.quarantined === undefined || expected.quarantined === concluded.quarantined
    ? []
    : [{ where: '/quarantined', expected: expected.quarantined, concluded: concluded.quarantined }]),
  ...compareCommands(expected.commands, concluded.commands),
  ...compareLedger(expected.ledger, concluded.ledger),
];

/** Every field that `want` names is equal in `got`. */
const named = (want: object, got: object): boolean =>
  Object.entries(want).every(([key, value]) => isDeepStrictEqual(value, (got as Record<string, unknown>)[key]));

const compareVerdicts = (expected: Conclusion, concluded: Concluded): readonly Difference[] =>
  (expected.verdicts ?? []).flatMap((want, index) => {
    const got = concluded.verdicts.find(({ seq }) => seq === want.seq);
    const holds = got?.verdict === want.verdict && (want.code === undefined || got.code === want.code);
    return holds ? [] : [{ where: `/verdicts/${index}`, expected: want, concluded: got }];
  });

/** Complete lists, whatever their order: what is missing, and what is too much. */
const compareLists = <Want, Got>(
  where: string,
  expected: readonly Want[] | undefined,
  concluded: readonly Got[],
  matches: (want: Want, got: Got) => boolean,
): readonly Difference[] => {
  if (expected === undefined) return [];
  const left = [...concluded];
  const missing = expected.flatMap((want, index) => {
    const at = left.findIndex((got) => matches(want, got));
    if (at >= 0) left.splice(at, 1);
    return at >= 0 ? [] : [{ where: `${where}/${index}`, expected: want, concluded: undefined }];
  });
  return [...missing, ...left.map((got) => ({ where, expected: undefined, concluded: got }))];
};

/** Everybody that may be chosen and nobody else, in whatever order. */
const sameMembers = (want: readonly string[], got: readonly string[] = []): boolean =>
  isDeepStrictEqual([...want].sort(), [...got].sort());

const commandMatches = (want: StoryCommand, got: ConcludedCommand): boolean => {
  const { after, toAnyOf, to, never, again, ...rest } = want;
  return (
    (after === got.after || (got.early && after === got.after - 1)) &&
    named(rest, got) &&
    (got.released || (again ?? false) === (got.again ?? false)) &&
    (to === undefined || to === got.to) &&
    (toAnyOf === undefined ||
      (got.to !== undefined && toAnyOf.includes(got.to) && sameMembers(toAnyOf, got.toAnyOf))) &&
    (never === undefined ||
      ![got.to, ...(got.toAnyOf ?? [])].some((agent) => agent !== undefined && never.includes(agent)))
  );
};

/**
 * Redispatches and card refreshes must be complete and, after one event, in order; an extra query or cancel is no fault.
 * Neither is a further repetition under an ID already issued, nor the release of an approved redispatch.
 */
const compareCommands = (
  expected: readonly StoryCommand[] | undefined,
  concluded: readonly ConcludedCommand[],
): readonly Difference[] => {
  if (expected === undefined) return [];
  const taken = new Set<ConcludedCommand>();
  const last = new Map<string, number>();
  const differences: Difference[] = [];
  for (const [number, want] of expected.entries()) {
    const where = `/commands/${number}`;
    const index = concluded.findIndex((got) => !taken.has(got) && commandMatches(want, got));
    const got = concluded[index];
    if (got === undefined) {
      const near = concluded.filter(({ type }) => type === want.type);
      differences.push({ where, expected: want, concluded: near.length === 0 ? undefined : near });
      continue;
    }
    taken.add(got);
    if (!isOrdered(want)) continue;
    const place = `${want.after}/${got.partition}`;
    if (index < (last.get(place) ?? -1))
      differences.push({ where, expected: 'issued after the one before', concluded: 'issued before it' });
    last.set(place, index);
  }
  const extra = concluded.filter((got) => !taken.has(got) && isOrdered(got) && got.again !== true);
  return [...differences, ...extra.map((got) => ({ where: '/commands', expected: undefined, concluded: got }))];
};

const isOrdered = ({ type }: { readonly type: string }): boolean => type === 'redispatch' || type === 'refresh-card';

const compareLedger = (
  expected: Conclusion['ledger'],
  concluded: Readonly<Record<string, StoryUnit | null>>,
): readonly Difference[] =>
  Object.entries(expected ?? {}).flatMap(([name, want]): Difference[] => {
    const where = `/ledger/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const got = concluded[name] ?? null;
    if (want === null || got === null) return want === got ? [] : [{ where, expected: want, concluded: got }];
    return Object.entries(want).flatMap(([field, value]) => {
      const other = (got as Record<string, unknown>)[field];
      const same = field === 'artifacts' ? sameArtifacts(want, got) : isDeepStrictEqual(value, other);
      return same ? [] : [{ where: `${where}/${field}`, expected: value, concluded: other }];
    });
  });

const sameArtifacts = ({ artifacts: want = {} }: StoryUnit, { artifacts: got = {} }: StoryUnit): boolean =>
  isDeepStrictEqual(Object.keys(want).sort(), Object.keys(got).sort()) &&
  Object.entries(want).every(([id, artifact]) => named(artifact, got[id] ?? {}));
