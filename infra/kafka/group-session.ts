import type { Cluster, GroupCoordinator } from './kafkajs-internals.js';
import { corrected } from './corrected-kafkajs.js';
import { assignGroups, partitionsOf } from './group-assignment.js';
import type { GroupMember } from './group-assignment.js';

export type GroupTimes = { readonly sessionMs: number; readonly rebalanceMs: number; readonly heartbeatMs: number };

export type GroupDivision = {
  readonly groupId: string;
  readonly source: string;
  readonly partitions: number;
  readonly groups: number;
  readonly instanceId: string;
};

/** Our protocol of assignment. A member that speaks another one is refused by the coordinator. */
const PROTOCOL = 'holdfast-task-groups';
const VERSION = 1;

/** What a member says to the group's coordinator, one request at a time. Errors are kafkajs's. */
export class GroupSession {
  readonly #cluster: Cluster;
  readonly #division: GroupDivision;
  readonly #times: GroupTimes;
  #coordinator: GroupCoordinator | undefined;
  #memberId = '';
  #generationId = -1;

  constructor(cluster: Cluster, division: GroupDivision, times: GroupTimes) {
    this.#cluster = cluster;
    this.#division = division;
    this.#times = times;
  }

  /** Takes part in a rebalance; resolves with the partitions assigned in the new generation. */
  async join(owned: readonly number[]): Promise<readonly number[]> {
    const { groupId, source } = this.#division;
    const { MemberAssignment, MemberMetadata } = corrected().kafkajs.AssignerProtocol;
    const coordinator = await this.#found();
    const userData = Buffer.from(JSON.stringify({ instanceId: this.#division.instanceId, owned }));
    const joined = await coordinator.joinGroup({
      groupId,
      memberId: this.#memberId,
      sessionTimeout: this.#times.sessionMs,
      rebalanceTimeout: this.#times.rebalanceMs,
      groupProtocols: [
        { name: PROTOCOL, metadata: MemberMetadata.encode({ version: VERSION, topics: [source], userData }) },
      ],
    });
    this.#memberId = joined.memberId;
    this.#generationId = joined.generationId;
    const { memberAssignment } = await coordinator.syncGroup({
      groupId,
      generationId: joined.generationId,
      memberId: joined.memberId,
      // The coordinator hands this to everybody; only the leader is given the members.
      groupAssignment: joined.memberId === joined.leaderId ? this.#divide(joined.members) : [],
    });
    const assignment = memberAssignment.length === 0 ? null : MemberAssignment.decode(memberAssignment);
    return assignment?.assignment[source] ?? [];
  }

  async heartbeat(): Promise<void> {
    const coordinator = await this.#found();
    const { groupId } = this.#division;
    await coordinator.heartbeat({ groupId, groupGenerationId: this.#generationId, memberId: this.#memberId });
  }

  async leave(): Promise<void> {
    if (this.#memberId === '') return;
    await this.#coordinator?.leaveGroup({ groupId: this.#division.groupId, memberId: this.#memberId });
    this.#memberId = '';
  }

  /** The coordinator does not know this member any more: the next `join` is that of a new one. */
  forgetMember(): void {
    this.#memberId = '';
  }

  /** Where the coordinator is has to be asked again. */
  forgetCoordinator(): void {
    this.#coordinator = undefined;
  }

  async #found(): Promise<GroupCoordinator> {
    if (this.#coordinator === undefined) {
      await this.#cluster.connect();
      await this.#cluster.refreshMetadataIfNecessary();
      this.#coordinator = await this.#cluster.findGroupCoordinator({ groupId: this.#division.groupId });
    }
    return this.#coordinator;
  }

  #divide(
    members: readonly { memberId: string; memberMetadata: Buffer }[],
  ): { memberId: string; memberAssignment: Buffer }[] {
    const { source, groups, partitions } = this.#division;
    const { MemberAssignment } = corrected().kafkajs.AssignerProtocol;
    return [...assignGroups(members.map(presented), groups)].map(([memberId, of]) => ({
      memberId,
      memberAssignment: MemberAssignment.encode({
        version: VERSION,
        assignment: { [source]: of.flatMap((group) => partitionsOf(group, groups, partitions)) },
        userData: Buffer.alloc(0),
      }),
    }));
  }
}

/** A member whose words cannot be read owns nothing; it gets its share all the same. */
function presented({ memberId, memberMetadata }: { memberId: string; memberMetadata: Buffer }): GroupMember {
  try {
    const metadata = corrected().kafkajs.AssignerProtocol.MemberMetadata.decode(memberMetadata);
    const said: unknown = JSON.parse(metadata?.userData.toString() ?? '');
    const { instanceId, owned } = said as { instanceId?: unknown; owned?: unknown };
    return {
      memberId,
      instanceId: typeof instanceId === 'string' ? instanceId : memberId,
      owned: Array.isArray(owned) ? owned.filter((group): group is number => Number.isInteger(group)) : [],
    };
  } catch {
    return { memberId, instanceId: memberId, owned: [] };
  }
}
