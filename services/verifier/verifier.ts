import { Egress } from '../../infra/http/egress.js';
import { AGENTS, COMMANDS, EVIDENCE } from '../../topology/topics.js';
import type { Service } from '../ledger/ledger-service.js';
import type { ContractsView } from '../mesh/contracts-view.js';
import type { EventLog } from '../mesh/event-log.js';
import type { Mesh } from '../mesh/mesh.js';
import { AgentWatch } from './agent-watch.js';
import { ContractWriter } from './contract-writer.js';
import { EvidenceIntake } from './evidence-intake.js';
import { configurationNews } from './published-configuration.js';
import { follow, type Follow } from './topic-follower.js';

/**
 * Starts the verifier: the only writer of cards and verifications on the agents topic (R4-R13, R42, R43). Publishes the
 * configuration where the topic says otherwise, then watches every configured agent, folds evidence from traffic and
 * answers `RefreshCard`. Takes the mesh over: it is closed with the service, or where starting fails.
 *
 * Run one: what it publishes follows from contracts that nobody else changes meanwhile, and nothing elects a leader yet.
 * @throws HoldfastError Kafka or the registry is not to be had
 */
export const startVerifier = async (mesh: Mesh): Promise<Service> => {
  const verifier = new Verifier(mesh);
  try {
    await verifier.start();
  } catch (error) {
    await verifier.stop();
    throw error;
  }
  return { failed: verifier.failed, stop: () => verifier.stop() };
};

class Verifier {
  readonly failed: Promise<never>;
  readonly #mesh: Mesh;
  readonly #stopping = new AbortController();
  readonly #watches = new Map<string, AgentWatch>();
  readonly #reading: Promise<void>[] = [];
  #fail: (error: unknown) => void = () => undefined;

  constructor(mesh: Mesh) {
    this.#mesh = mesh;
    const broken = new Promise<never>((_, reject) => {
      this.#fail = reject;
    });
    this.failed = Promise.race([broken, mesh.failed]);
    this.failed.catch(() => undefined);
  }

  async start(): Promise<void> {
    const log = this.#mesh.openLog();
    const contracts = await this.#mesh.openContracts();
    await this.#publishConfiguration(log, contracts);
    const writer = new ContractWriter(log, contracts);
    const intake = new EvidenceIntake(writer, await this.#lastVerifications(), (evidence, time) => {
      this.#watches.get(evidence.agentId)?.noteEvidence(evidence, time);
    });
    this.#createWatches(writer, intake);
    contracts.onChange((_, record) => {
      if ('agentId' in record) this.#watches.get(record.agentId)?.wake();
    });
    await this.#follow({
      topic: COMMANDS,
      // What was asked before is answered by the fetch of every card with which watching begins.
      from: 'now',
      take: (command, time) => {
        if (command.type === 'RefreshCard') this.#watches.get(command.agentId)?.refresh(time);
      },
    });
    for (const watch of this.#watches.values()) watch.start();
    // No position is kept: evidence that a verification has answered since is known by its time (`isNews`).
    await this.#follow({ topic: EVIDENCE, from: 'beginning', take: (record, time) => intake.take(record, time) });
    this.#mesh.logger.info({ agents: this.#watches.size }, 'the verifier is watching');
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([...this.#watches.values()].map((watch) => watch.stop()));
    await Promise.all(this.#reading);
    await this.#mesh.close();
  }

  async #publishConfiguration(log: EventLog, contracts: ContractsView): Promise<void> {
    const { config, logger } = this.#mesh;
    for (const record of configurationNews(contracts.current, config)) {
      const { offset } = await log.publishAgent(record);
      await contracts.until(offset + 1n);
      logger.info({ type: record.type, ...('agentId' in record ? { agentId: record.agentId } : {}) }, 'published');
    }
  }

  #createWatches(writer: ContractWriter, intake: EvidenceIntake): void {
    const { config, logger } = this.#mesh;
    const egress = new Egress(config.egress.allow);
    for (const agent of config.agents) {
      if (writer.contract(agent.id).removed)
        logger.warn({ agentId: agent.id }, 'was removed before, and stays so (R57): it needs another ID');
      const onVerified = (time: number): void => {
        intake.verified(agent.id, time);
      };
      const options = { agent, settings: config.verifier, writer, logger, egress, onVerified, onFailed: this.#fail };
      this.#watches.set(agent.id, new AgentWatch(options));
    }
  }

  /** When each agent was last verified: the contracts know the offset, evidence has only a time. */
  async #lastVerifications(): Promise<ReadonlyMap<string, number>> {
    const verifiedAt = new Map<string, number>();
    await this.#follow({
      topic: AGENTS,
      from: 'beginning',
      once: true,
      take: (record, time) => {
        if (record.type === 'AgentVerified') verifiedAt.set(record.agentId, time);
      },
    });
    return verifiedAt;
  }

  /** Resolves once the topic is being read; where it is read once, when it has been. */
  async #follow<Value>(what: Omit<Follow<Value>, 'partitions'>): Promise<void> {
    const { clients, serdes, logger } = this.#mesh;
    const counts = await clients.partitionCounts([what.topic.name]);
    const { ended } = await follow(
      { reader: clients.reader, serdes, logger },
      { ...what, partitions: counts.get(what.topic.name) ?? 1 },
      this.#stopping.signal,
      this.#fail,
    );
    if (what.once === true) await ended;
    else this.#reading.push(ended);
  }
}
