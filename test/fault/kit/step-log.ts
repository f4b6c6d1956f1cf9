import { readFileSync } from 'node:fs';

/**
 * What the wire said of a ledger process. A2: it holds the lock. P3: what it wrote is acknowledged and not committed.
 * P4: the positions are in the transaction. P5-asked: the commit left the process. P5: it is committed.
 */
export type WireStep =
  | { readonly step: 'A2' | 'P3' | 'P5-asked' | 'P5'; readonly lock: string }
  | { readonly step: 'P4'; readonly lock: string; readonly positions: Readonly<Record<string, number>> };

export type KillStep = 'P3' | 'P4' | 'P5-asked' | 'P5';

/** A line of the log. `killed`: the process was killed or stopped right there; `continued`: it was stopped. `at`: ms since the epoch, one machine's. */
export type LoggedStep = (WireStep | { readonly step: 'killed' | 'continued'; readonly lock: string }) & {
  readonly at: number;
  readonly instance: string;
  /** Which start of the instance, from 1. */
  readonly start: number;
};

/** The task group of a lock, `<application>.g<group>`. */
export const groupOf = (lock: string): number => Number(/\.g(\d+)$/.exec(lock)?.[1] ?? -1);

export const readSteps = (file: string, instance: string, start: number): readonly LoggedStep[] => {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return [];
  }
  // The last line may be half written.
  const lines = text.split('\n').slice(0, -1);
  return lines.map((line) => ({ ...(JSON.parse(line) as LoggedStep), instance, start }));
};

/** A transaction that was committed, and what it decided: source positions by partition. */
export type Commit = {
  readonly instance: string;
  readonly lock: string;
  readonly at: number;
  readonly positions: Readonly<Record<string, number>>;
};

/**
 * The commits among the steps, in order. Whether a commit was asked for and not answered is settled by who goes on: it is
 * counted for whoever commits next, which is one transaction at most.
 */
export const commitsOf = (steps: readonly LoggedStep[]): readonly Commit[] => {
  const pending = new Map<string, Readonly<Record<string, number>>>();
  const commits: Commit[] = [];
  for (const step of inOrder(steps)) {
    const process = `${step.instance}/${step.start}/${step.lock}`;
    if (step.step === 'P4') pending.set(process, step.positions);
    if (step.step !== 'P5') continue;
    commits.push({ instance: step.instance, lock: step.lock, at: step.at, positions: pending.get(process) ?? {} });
    pending.delete(process);
  }
  return commits;
};

export const inOrder = (steps: readonly LoggedStep[]): readonly LoggedStep[] => steps.toSorted((a, b) => a.at - b.at);

/** Committed source position of each partition. */
export const positionsOf = (commits: readonly Commit[]): ReadonlyMap<number, number> => {
  const positions = new Map<number, number>();
  for (const commit of commits)
    for (const [partition, offset] of Object.entries(commit.positions))
      positions.set(Number(partition), Math.max(offset, positions.get(Number(partition)) ?? 0));
  return positions;
};

/** Inputs that each instance decided. */
export const sharesOf = (commits: readonly Commit[]): ReadonlyMap<string, number> => {
  const positions = new Map<string, number>();
  const shares = new Map<string, number>();
  for (const { instance, positions: committed } of commits)
    for (const [partition, offset] of Object.entries(committed)) {
      const decided = Math.max(0, offset - (positions.get(partition) ?? 0));
      positions.set(partition, Math.max(offset, positions.get(partition) ?? 0));
      shares.set(instance, (shares.get(instance) ?? 0) + decided);
    }
  return shares;
};
