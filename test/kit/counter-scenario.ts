import {
  ADDITIONS,
  ALARMS,
  COUNTS,
  type Added,
  type Alarm,
  type Bonus,
  type Bonuses,
  type Counted,
  type Counter,
  type Seen,
} from './counter-topology.js';
import type { TopologyTestDriver } from '../../infra/memory/topology-test-driver.js';

export type CounterDriver = TopologyTestDriver<Added, Bonus, Counter, Seen, Bonuses>;

export const added = (amount: number, more: Partial<Added> = {}): Added => ({ type: 'Added', amount, ...more });
export const bonus = (team: string, amount = 10): Bonus => ({ type: 'Bonus', team, amount });

/** Everything that may be seen of a run, but the offsets of its outputs, which tell how often it was tried. */
export type Outcome = {
  readonly counts: readonly (readonly [key: string | null, value: Counted | null, time: number])[];
  readonly alarms: readonly (Alarm | null)[];
  readonly store: ReadonlyMap<string, Counter>;
  readonly changelog: ReadonlyMap<string, Counter>;
  readonly inconsistencies: readonly string[];
};

export const outcomeOf = async (driver: CounterDriver): Promise<Outcome> => {
  await driver.settle();
  return {
    counts: driver.read(COUNTS).map(({ key, time, value }) => [key, value, time]),
    alarms: driver.read(ALARMS).map(({ value }) => value),
    store: await driver.store(),
    changelog: driver.changelog(),
    inconsistencies: await driver.inconsistencies(),
  };
};

/** Inputs, a timer, a bonus and a deletion; `fault` is called before the step that has a bit of each. */
export const runScenario = async (driver: CounterDriver, fault?: (driver: CounterDriver) => void): Promise<Outcome> => {
  await driver.pipeGlobal(bonus('red'));
  await driver.pipe(ADDITIONS, 'a', added(1, { team: 'red', wakeAfter: 50 }), { time: 0 });
  await driver.pipe(ADDITIONS, 'b', added(2, { team: 'red' }), { time: 10 });
  await driver.pipe(ADDITIONS, 'c', added(2), { time: 10 });
  fault?.(driver);
  await driver.pipe(ADDITIONS, 'a', added(3, { wakeAfter: 100 }), { time: 60 });
  await driver.pipeGlobal(bonus('red'), 70);
  await driver.pipe(ADDITIONS, 'c', added(0, { remove: true }), { time: 80 });
  await driver.advanceTime(100);
  await driver.pipe(ADDITIONS, 'b', added(4), { time: 200 });
  return outcomeOf(driver);
};
