import type { Position } from '../streams/ports.js';

export type MemoryMember = {
  readonly instanceId: string;
  readonly groups: number;
  readonly onAssigned: (groups: readonly number[]) => void;
  /** Does not answer: the group goes on without it, and it is told nothing. */
  paused: boolean;
  /** What it was told last. */
  owned: readonly number[];
};

/** A consumer group: members in order of joining, whole task groups dealt out, those owned before preferred. */
export class MemoryGroup {
  #members: readonly MemoryMember[] = [];
  readonly #positions = new Map<string, bigint>();

  get members(): readonly MemoryMember[] {
    return this.#members;
  }

  join(member: MemoryMember): void {
    this.#members = [...this.#members, member];
    this.rebalance();
  }

  leave(member: MemoryMember): void {
    if (!this.#members.includes(member)) return;
    this.#members = this.#members.filter((other) => other !== member);
    member.owned = [];
    this.rebalance();
  }

  /** A new generation among those that answer. */
  rebalance(): void {
    const present = this.#members.filter(({ paused }) => !paused);
    const shares = deal(present);
    for (const member of present) {
      member.owned = shares.get(member) ?? [];
      member.onAssigned(member.owned);
    }
  }

  commit({ topic, partition, offset }: Position): void {
    this.#positions.set(`${topic}/${partition}`, offset);
  }

  position(topic: string, partition: number): bigint | undefined {
    return this.#positions.get(`${topic}/${partition}`);
  }
}

const deal = (members: readonly MemoryMember[]): ReadonlyMap<MemoryMember, readonly number[]> => {
  const groups = Array.from({ length: members[0]?.groups ?? 0 }, (_, group) => group);
  const most = Math.ceil(groups.length / Math.max(1, members.length));
  const shares = new Map<MemoryMember, number[]>(members.map((member) => [member, []]));
  const left = groups.filter((group) => {
    const owner = members.find((member) => member.owned.includes(group) && (shares.get(member)?.length ?? 0) < most);
    if (owner !== undefined) shares.get(owner)?.push(group);
    return owner === undefined;
  });
  for (const group of left) {
    const [poorest] = [...shares].sort(([, a], [, b]) => a.length - b.length);
    poorest?.[1].push(group);
  }
  return new Map([...shares].map(([member, share]) => [member, share.sort((a, b) => a - b)]));
};
