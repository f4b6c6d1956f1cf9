import type { Assigner, PartitionAssigner } from 'kafkajs';
import { corrected } from './corrected-kafkajs.js';
import { assignGroups, partitionsOf } from './group-assignment.js';
import type { GroupMember } from './group-assignment.js';

const NAME = 'holdfast-task-groups';
const VERSION = 1;

export type AssignedSource = {
  readonly source: string;
  readonly partitions: number;
  readonly groups: number;
  readonly instanceId: string;
  /** Read each time the member joins. */
  readonly owned: () => readonly number[];
};

/** Our own protocol of assignment: task groups as a whole, by what each member says it owns. */
export function taskGroupAssigner({
  source,
  partitions,
  groups,
  instanceId,
  owned,
}: AssignedSource): PartitionAssigner {
  const { MemberMetadata, MemberAssignment } = corrected().kafkajs.AssignerProtocol;
  return (): Assigner => ({
    name: NAME,
    version: VERSION,
    protocol: ({ topics }) => {
      const userData = Buffer.from(JSON.stringify({ instanceId, owned: owned() }));
      return { name: NAME, metadata: MemberMetadata.encode({ version: VERSION, topics, userData }) };
    },
    assign: ({ members }) => {
      const presented = members.map(({ memberId, memberMetadata }) =>
        presentedBy(memberId, MemberMetadata.decode(memberMetadata)?.userData),
      );
      const assignment = [...assignGroups(presented, groups)].map(([memberId, of]) => ({
        memberId,
        memberAssignment: MemberAssignment.encode({
          version: VERSION,
          assignment: { [source]: of.flatMap((group) => partitionsOf(group, groups, partitions)) },
          userData: Buffer.alloc(0),
        }),
      }));
      return Promise.resolve(assignment);
    },
  });
}

/** A member whose words cannot be read owns nothing; it gets its share all the same. */
function presentedBy(memberId: string, userData: Buffer | undefined): GroupMember {
  try {
    const said: unknown = JSON.parse(userData?.toString() ?? '');
    const { instanceId, owned } = said as { instanceId?: unknown; owned?: unknown };
    return {
      memberId,
      instanceId: typeof instanceId === 'string' ? instanceId : memberId,
      owned: Array.isArray(owned) ? owned.filter((group) => Number.isInteger(group)) : [],
    };
  } catch {
    return { memberId, instanceId: memberId, owned: [] };
  }
}
