/**
 * Task events as a busy mesh writes them, from a seed: some hundred units at work at a time, each with its dispatch, states
 * and artifacts, now and then a lost task, a broken promise, the same event twice, or a record that has to be set aside.
 */
import { cloudEventHeaders } from '../../../infra/registry/cloud-event-headers.js';
import type { PlainRecord } from '../../../infra/kafka/plain-producer.js';
import type { Serdes } from '../../../infra/streams/serdes.js';
import { partitionOf } from '../../../topology/kit/partition.js';
import { recordKey, utf8 } from '../../../topology/kit/record-key.js';
import type { Observation } from '../../../topology/observation.js';
import { TASK_EVENTS } from '../../../topology/topics.js';
import { dispatched, lostTask, redispatched, said, wrote } from '../../kit/decider-kit/builders.js';
import { Choices } from '../../kit/decider-kit/random.js';
import { KNOWN_AGENTS, UNKNOWN_AGENT } from './mesh.js';

const AT_WORK = 400;
const REPEATABLE = 2_000;

type Story = { readonly unit: number; readonly left: Observation[] };

/** What one unit lives through. */
const storyOf = (unit: number, choices: Choices): Observation[] => {
  const agent = choices.chance(2) ? UNKNOWN_AGENT : choices.pick(KNOWN_AGENTS);
  const task = `t-${unit}`;
  const of = {
    correlationId: `unit-${unit}`,
    ...choices.maybe(25, () => ({ tenant: choices.pick(['acme', 'globex']) })),
  };
  const state = (name: string, by = agent, id = task): Observation =>
    said(by, id, name, { ...of, messageId: `${id}-${name}` });
  const artifact = (index: number, mediaType = 'application/json'): Observation =>
    wrote(agent, task, { ...of, artifactId: `a-${index}`, parts: [{ kind: 'data', mediaType, bytes: 40 + index }] });
  const begun = [
    dispatched(agent, { ...of, messageId: `m-${unit}`, serverTaskId: task }),
    state('submitted'),
    state('working'),
  ];
  const asked = choices.chance(10) ? [state('input-required'), state('working')] : [];
  const made = Array.from({ length: choices.below(4) }, (_, index) => artifact(index));
  const broken = choices.chance(6)
    ? [
        choices.pick([
          state('pondering'),
          artifact(9, 'image/png'),
          artifact(9, 'no media type'),
          state('auth-required'),
        ]),
      ]
    : [];
  const end = choices.chance(85)
    ? [state(choices.pick(['completed', 'completed', 'completed', 'failed', 'canceled']))]
    : [];
  const late = choices.chance(5) ? [state('working')] : [];
  if (!choices.chance(7)) return [...begun, ...asked, ...made, ...broken, ...end, ...late];
  const other = choices.pick(KNOWN_AGENTS);
  const again = choices.chance(60)
    ? [redispatched(other, of), state('working', other, `${task}-b`), state('completed', other, `${task}-b`)]
    : [];
  return [...begun, ...made, lostTask(agent, task, of), ...again, ...(choices.chance(20) ? [state('working')] : [])];
};

/** An endless, repeatable sequence of records for the task-events topic. */
export class Workload {
  readonly #choices: Choices;
  readonly #serdes: Serdes;
  readonly #topic: string;
  readonly #partitions: number;
  readonly #atWork: Story[] = [];
  readonly #written: PlainRecord[] = [];
  #units = 0;
  #events = 0;

  constructor(seed: number, serdes: Serdes, topic: string, partitions: number) {
    this.#choices = new Choices(seed);
    this.#serdes = serdes;
    this.#topic = topic;
    this.#partitions = partitions;
  }

  /** Units begun so far. */
  get units(): number {
    return this.#units;
  }

  next(count: number): readonly PlainRecord[] {
    return Array.from({ length: count }, () => this.#next());
  }

  #next(): PlainRecord {
    const choices = this.#choices;
    this.#events += 1;
    if (choices.chance(1)) return this.#unreadable();
    const before = choices.chance(6) ? choices.any(this.#written) : undefined;
    if (before !== undefined) return before;
    const record = this.#recordOf(this.#observation());
    // Any of the last ones may come again, under the same event ID.
    this.#written[this.#events % REPEATABLE] = record;
    return record;
  }

  #observation(): Observation {
    while (this.#atWork.length < AT_WORK) {
      this.#units += 1;
      this.#atWork.push({ unit: this.#units, left: storyOf(this.#units, this.#choices) });
    }
    const index = this.#choices.below(this.#atWork.length);
    const { left } = this.#atWork[index] ?? { left: [] };
    const [observation, ...rest] = left;
    left.splice(0, left.length, ...rest);
    if (rest.length === 0) this.#atWork.splice(index, 1);
    return observation ?? this.#observation();
  }

  #recordOf(observation: Observation): PlainRecord {
    return {
      topic: this.#topic,
      key: utf8(recordKey(observation.tenant, observation.correlationId)),
      value: this.#serdes.serialize(TASK_EVENTS, observation.type, observation),
      headers: cloudEventHeaders({ id: `e-${this.#events}`, source: 'fault-test', record: observation.type }),
    };
  }

  /** A record that is set aside: no Avro, no key, or in the wrong partition. */
  #unreadable(): PlainRecord {
    const good = this.#recordOf(dispatched('w1', { correlationId: `aside-${this.#events}` }));
    const home = partitionOf(good.key ?? utf8(''), this.#partitions);
    return this.#choices.pick<PlainRecord>([
      { ...good, value: utf8('no Avro') },
      { ...good, key: null, partition: home },
      { ...good, partition: (home + 1) % this.#partitions },
      { ...good, value: null },
    ]);
  }
}
