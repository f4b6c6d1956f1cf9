import type { PlainRecord } from '../../../infra/kafka/plain-producer.js';
import type { Position } from '../../../infra/streams/ports.js';
import type { FaultRun } from './fault-run.js';
import { meshAtFirst, meshLater } from './mesh.js';
import { AGENTS, TASK_EVENTS } from '../../../topology/topics.js';
import type { AgentRecord } from '../../../topology/agent/agent-records.js';
import { Workload } from './workload.js';

/** Writes a workload, acknowledged, and counts it. */
export class Feeder {
  readonly workload: Workload;
  readonly #run: FaultRun;
  #written = 0;
  #turns = 0;

  constructor(run: FaultRun, seed: number) {
    this.#run = run;
    this.workload = new Workload(seed, run.serdes, run.topic(TASK_EVENTS.name), run.config.kafka.partitions);
  }

  get written(): number {
    return this.#written;
  }

  async introduceMesh(): Promise<void> {
    for (const record of meshAtFirst()) await this.#publish(record);
  }

  /** Something about an agent becomes known. */
  async changeMesh(): Promise<void> {
    this.#turns += 1;
    await this.#publish(meshLater(this.#turns));
  }

  async feed(count: number): Promise<void> {
    await this.#run.producer.send(this.workload.next(count));
    this.#written += count;
  }

  /** One record of the test's own. */
  async write(record: PlainRecord): Promise<Position> {
    const [position] = await this.#run.producer.send([record]);
    if (position === undefined) throw new Error('nothing was acknowledged');
    this.#written += 1;
    return position;
  }

  async #publish(value: AgentRecord): Promise<void> {
    await this.#run.producer.send([
      {
        topic: this.#run.topic(AGENTS.name),
        partition: 0,
        key: null,
        value: this.#run.serdes.serialize(AGENTS, value.type, value),
        headers: {},
      },
    ]);
  }
}
