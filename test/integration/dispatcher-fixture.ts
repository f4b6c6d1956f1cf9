import type { AgentConfig } from '../../infra/config/config.js';
import { verdictOn } from '../../services/console/verdict-log.js';
import { startDispatcher } from '../../services/dispatcher/dispatcher-service.js';
import { startLedger, type Service } from '../../services/ledger/ledger-service.js';
import type { EventLog } from '../../services/mesh/event-log.js';
import { Mesh } from '../../services/mesh/mesh.js';
import type { TopicTable } from '../../services/mesh/topic-table.js';
import type { AgentRecord } from '../../topology/agent/agent-records.js';
import { partitionOf } from '../../topology/kit/partition.js';
import { recordKey, utf8 } from '../../topology/kit/record-key.js';
import type { LedgerEntry, Verdict } from '../../topology/ledger-records.js';
import type { Observation } from '../../topology/observation.js';
import { eventually, silent } from './kafka-fixture.js';
import { MeshWorld } from './mesh-world.js';

export const PARTITIONS = 3;

/** A ledger and dispatchers on the real broker and registry, under topics of their own. */
export class DispatcherWorld extends MeshWorld {
  #log: EventLog | undefined;
  #ledger: TopicTable<LedgerEntry> | undefined;

  constructor(agents: readonly AgentConfig[]) {
    super('dispatcher', PARTITIONS, { dispatcher: { recheckMs: [100, 300], sendTimeoutMs: 2_000 }, agents });
  }

  override async start(): Promise<void> {
    await super.start();
    this.services.push(await startLedger(this.config, this.serdes, silent));
    this.#log = this.mesh.openLog();
    this.#ledger = await this.mesh.openLedger();
  }

  async dispatcher(instanceId: string, recheckMs = this.config.dispatcher.recheckMs): Promise<Service> {
    const config = { ...this.config, instanceId, dispatcher: { ...this.config.dispatcher, recheckMs } };
    const service = await startDispatcher(new Mesh('dispatcher', config, this.serdes, silent));
    this.services.push(service);
    return service;
  }

  get log(): EventLog {
    if (this.#log === undefined) throw new Error('not started');
    return this.#log;
  }

  async tell(...records: readonly AgentRecord[]): Promise<void> {
    for (const record of records) await this.log.publishAgent(record);
  }

  partition(correlationId: string): number {
    return partitionOf(utf8(recordKey(undefined, correlationId)), PARTITIONS);
  }

  /** Writes it, and waits for what the ledger concludes. */
  async verdict(observation: Observation): Promise<Verdict> {
    const found = await verdictOn(
      { reader: this.mesh.clients.reader, serdes: this.serdes },
      this.partition(observation.correlationId),
      async () => (await this.log.observe([observation]))[0],
      30_000,
    );
    if (found === undefined) throw new Error(`no verdict on ${observation.type}`);
    return found.value;
  }

  /** A client's dispatch to `agentId`, whose task says `state`. */
  async dispatched(correlationId: string, agentId: string, state = 'input-required'): Promise<void> {
    const message = { messageId: `m-${correlationId}`, role: 'ROLE_USER', parts: [{ text: 'twenty chairs' }] };
    const request = JSON.stringify({ message, configuration: { acceptedOutputModes: ['application/json'] } });
    await this.log.keepInput({ type: 'TaskInput', correlationId, agentId, request, keptAt: Date.now() });
    await this.verdict({
      type: 'DispatchObserved',
      correlationId,
      agentId,
      by: 'client',
      principal: 'p',
      messageId: message.messageId,
      acceptedOutputModes: ['application/json'],
      inputKept: true,
      continues: false,
    });
    const spoken = { correlationId, agentId, serverTaskId: `t-${correlationId}` } as const;
    await this.verdict({ type: 'TaskStateObserved', ...spoken, via: 'send-response', state });
  }

  /** The client asks and is told that there is no such task. */
  async lost(correlationId: string, agentId: string): Promise<Verdict> {
    return this.verdict({
      type: 'TaskNotFoundObserved',
      correlationId,
      agentId,
      serverTaskId: `t-${correlationId}`,
      method: 'GetTask',
      principal: 'p',
      by: 'client',
    });
  }

  /** The unit's record, once it is as wanted. */
  async unit(
    correlationId: string,
    wanted: (entry: LedgerEntry) => boolean,
    what: string,
    within = 30_000,
  ): Promise<LedgerEntry> {
    const key = recordKey(undefined, correlationId);
    return eventually(
      async () => {
        const entry = await this.#ledger?.get(key);
        return entry !== undefined && wanted(entry) ? entry : undefined;
      },
      `${correlationId}: ${what}`,
      within,
    );
  }
}
