import { TASK_EVENTS, VERDICTS } from '../../../topology/topics.js';
import type { FaultRun } from './fault-run.js';
import type { LedgerChild } from './ledger-child.js';
import { groupOf, inOrder, type LoggedStep } from './step-log.js';

/** Which start of which instance holds each task group now: whoever took its lock last. */
export const ownersOf = (steps: readonly LoggedStep[]): ReadonlyMap<number, string> => {
  const owners = new Map<number, string>();
  for (const { instance, lock, start, step } of inOrder(steps))
    if (step === 'A2') owners.set(groupOf(lock), `${instance}/${start}`);
  return owners;
};

export const groupsOwnedBy = (steps: readonly LoggedStep[], { instance, start }: LedgerChild): readonly number[] =>
  [...ownersOf(steps)].filter(([, owner]) => owner === `${instance}/${start}`).map(([group]) => group);

/** Inputs of the groups that are on the log and not decided: end offsets less the group's committed offsets. */
export const waitingIn = async (run: FaultRun, groups: readonly number[]): Promise<number> => {
  const topic = run.topic(TASK_EVENTS.name);
  const partitions = groups.flatMap((group) => run.partitionsOf(group));
  const ends = await run.admin.describeOffsets([topic], 'read-uncommitted');
  const committed = new Map(
    (await run.admin.committedOffsets(run.groupId, [topic])).map(({ offset, partition }) => [partition, offset]),
  );
  return ends
    .filter(({ partition }) => partitions.includes(partition))
    .reduce((sum, { end, partition }) => sum + Number(end - (committed.get(partition) ?? 0n)), 0);
};

/** Partitions of the verdicts in which a transaction is open: the last stable offset stands below the end. */
export const openVerdicts = async (
  run: FaultRun,
): Promise<readonly { readonly partition: number; readonly stable: bigint; readonly end: bigint }[]> => {
  const topic = run.topic(VERDICTS.name);
  // First the stable offsets: what is committed in between can only look less open than it was.
  const stable = new Map(
    (await run.admin.describeOffsets([topic], 'read-committed')).map(({ end, partition }) => [partition, end]),
  );
  const ends = await run.admin.describeOffsets([topic], 'read-uncommitted');
  return ends
    .map(({ end, partition }) => ({ partition, stable: stable.get(partition) ?? end, end }))
    .filter(({ end, stable: lso }) => lso < end);
};

/** What was found right after a process had died. */
export type Kill = {
  readonly instance: string;
  readonly step: string;
  readonly group: number;
  /** Partitions of the group whose transaction the dead process has left open. */
  readonly open: readonly string[];
  readonly waiting: number;
};

export const evidenceOf = async (run: FaultRun, child: LedgerChild, step: string): Promise<Kill> => {
  const steps = child.steps();
  const killed = steps.findLast((logged) => logged.step === 'killed');
  if (killed === undefined) throw new Error(`${child.instance} did not die at its step: ${child.said}`);
  const group = groupOf(killed.lock);
  const own = run.partitionsOf(group);
  const open = (await openVerdicts(run)).filter(({ partition }) => own.includes(partition));
  return {
    instance: `${child.instance}/${child.start}`,
    step,
    group,
    open: open.map(({ end, partition, stable }) => `${partition}: ${stable.toString()}…${end.toString()}`),
    waiting: await waitingIn(run, groupsOwnedBy(run.steps(), child)),
  };
};

export const describeKill = ({ group, instance, open, step, waiting }: Kill, number: number): string =>
  `kill ${number}: ${instance} at ${step} of g${group}; open verdicts ${open.join(', ') || 'none'}; ${waiting} inputs wait`;
