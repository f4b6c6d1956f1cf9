/** A member of the consumer group as it presents itself. `owned`: the task groups it had, or keeps warm. */
export type GroupMember = { readonly memberId: string; readonly instanceId: string; readonly owned: readonly number[] };

/**
 * Divides the task groups 0 to `groups` - 1 among the members: whole groups, shares that differ by one at most, as many
 * as possible left where they were. The same members, in any order, give the same division: whoever is the leader.
 */
export function assignGroups(members: readonly GroupMember[], groups: number): ReadonlyMap<string, readonly number[]> {
  const claims = claimsOf(members, groups);
  // The members that hold the most get the larger shares, so that fewest groups move.
  const order = members.toSorted((a, b) => held(claims, b) - held(claims, a) || byName(a, b));
  const small = members.length === 0 ? 0 : Math.floor(groups / members.length);
  const large = members.length === 0 ? 0 : groups % members.length;
  const shares = order.map((member, index) => {
    const size = index < large ? small + 1 : small;
    return { memberId: member.memberId, size, groups: (claims.get(member.memberId) ?? []).slice(0, size) };
  });
  const taken = new Set(shares.flatMap((share) => share.groups));
  const free = range(groups).filter((group) => !taken.has(group));
  for (const share of shares) share.groups.push(...free.splice(0, share.size - share.groups.length));
  return new Map(shares.map((share) => [share.memberId, share.groups.toSorted((a, b) => a - b)]));
}

/** Which groups each may keep: none twice, should two members claim the same after one missed a generation. */
function claimsOf(members: readonly GroupMember[], groups: number): Map<string, number[]> {
  const claimed = new Set<number>();
  return new Map(
    members.toSorted(byName).map(({ memberId, owned }) => {
      const own = [...new Set(owned)].filter((group) => group >= 0 && group < groups && !claimed.has(group));
      for (const group of own) claimed.add(group);
      return [memberId, own.toSorted((a, b) => a - b)];
    }),
  );
}

const held = (claims: ReadonlyMap<string, readonly number[]>, member: GroupMember): number =>
  claims.get(member.memberId)?.length ?? 0;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const byName = (a: GroupMember, b: GroupMember): number =>
  compare(a.instanceId, b.instanceId) || compare(a.memberId, b.memberId);

/** The partitions of task group `group` of `groups`: every p with p mod `groups` = `group`. */
export const partitionsOf = (group: number, groups: number, partitions: number): number[] =>
  range(partitions).filter((partition) => partition % groups === group);

/** The task groups that hold the partitions. */
export const groupsOf = (partitions: readonly number[], groups: number): number[] =>
  [...new Set(partitions.map((partition) => partition % groups))].toSorted((a, b) => a - b);

const range = (size: number): number[] => Array.from({ length: size }, (_, index) => index);
