import { contractsFrom } from '../../kit/decider-kit/agents.js';
import { foldContracts, type Contracts } from '../../../topology/agent/contracts.js';
import type { AgentRecord } from '../../../topology/agent/agent-records.js';
import type { Coordinates } from '../../../topology/kit/coordinates.js';
import { recordKey } from '../../../topology/kit/record-key.js';
import { observe } from '../../../topology/ledger.decider.js';
import type { LedgerEntry } from '../../../topology/ledger-records.js';
import type { Observation } from '../../../topology/observation.js';
import type { UnitRecord } from '../../../topology/task/unit.js';
import type { TaskInput } from '../../../topology/topics.js';
import { indexesOfEntry } from '../../../services/gateway/ledger-index.js';
import type { ContractsSource, FactLog, LedgerTable } from '../../../services/gateway/ports.js';

type Listener = Parameters<LedgerTable['onChange']>[0];

/** Log, ledger and contracts in memory, behind the gateway's ports: the decisions are the real ones. */
export class MemoryLedger implements FactLog, LedgerTable {
  readonly contracts: MemoryContracts;
  /** Everything that was written, in order. */
  readonly written: Observation[] = [];
  readonly inputs = new Map<string, TaskInput>();
  /** While true the ledger decides nothing: the table stays behind the log. */
  standsStill = false;
  /** While set, writing fails with it. */
  broken: Error | undefined;
  readonly #records = new Map<string, UnitRecord>();
  readonly #listeners = new Set<Listener>();
  #decided = 0;

  constructor(agents: readonly AgentRecord[]) {
    this.contracts = new MemoryContracts(agents);
  }

  observe = (observations: readonly Observation[]): Promise<readonly Coordinates[]> => {
    if (this.broken !== undefined) return Promise.reject(this.broken);
    const places = observations.map((observation) => {
      this.written.push(observation);
      return { topic: 'a2a.task-events.v1', partition: 0, offset: BigInt(this.written.length - 1) };
    });
    if (!this.standsStill) this.decide();
    return Promise.resolve(places);
  };

  keepInput = (input: TaskInput): Promise<void> => {
    if (this.broken !== undefined) return Promise.reject(this.broken);
    this.inputs.set(recordKey(input.tenant, input.correlationId), input);
    return Promise.resolve();
  };

  get = (key: string): Promise<LedgerEntry | undefined> => Promise.resolve(this.entry(key));

  find = (index: string): Promise<readonly string[]> =>
    Promise.resolve(
      [...this.#records.keys()].filter((key) => {
        const entry = this.entry(key);
        return entry !== undefined && indexesOfEntry(key, entry).includes(index);
      }),
    );

  onChange = (listener: Listener): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Decides about everything written, and lets the table follow. */
  decide(): void {
    for (; this.#decided < this.written.length; this.#decided += 1) {
      const observation = this.written[this.#decided];
      if (observation === undefined) return;
      const key = recordKey(observation.tenant, observation.correlationId);
      const offset = BigInt(this.#decided);
      const coordinates = { topic: 'a2a.task-events.v1', partition: 0, offset };
      const now = 1_750_000_000_000 + this.#decided;
      const { record } = observe(
        this.#records.get(key) ?? null,
        { observation, coordinates, time: now, inputSha256: offset.toString() },
        { now, contracts: this.contracts.current, waits: new Map(), trigger: { kind: 'observation' } },
      );
      if (record === null) this.#records.delete(key);
      else this.#records.set(key, record);
      this.#tell(key, this.entry(key));
      this.#tell('!position', { source: offset + 1n } as unknown as LedgerEntry);
    }
  }

  entry(key: string): LedgerEntry | undefined {
    const record = this.#records.get(key);
    return record === undefined ? undefined : { type: 'LedgerEntry', dueAt: null, ...record };
  }

  #tell(key: string, value: LedgerEntry | undefined): void {
    for (const listener of [...this.#listeners]) listener(key, value, 0);
  }
}

/** The contracts in force, told by hand. */
export class MemoryContracts implements ContractsSource {
  current: Contracts;
  readonly #listeners = new Set<(contracts: Contracts) => void>();

  constructor(records: readonly AgentRecord[]) {
    this.current = contractsFrom(records);
  }

  onChange = (listener: (contracts: Contracts) => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  tell(record: AgentRecord): void {
    this.current = foldContracts(this.current, record, this.current.offset + 1n, 0);
    for (const listener of [...this.#listeners]) listener(this.current);
  }
}
