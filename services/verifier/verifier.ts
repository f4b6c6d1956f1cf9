import { AGENTS, COMMANDS, EVIDENCE } from '../../topology/topics.js';
import type { Service } from '../ledger/ledger-service.js';
import type { Mesh } from '../mesh/mesh.js';
import { AgentWatch } from './agent-watch.js';
import { ContractWriter } from './contract-writer.js';
import { EvidenceIntake } from './evidence-intake.js';
import { configurationNews } from './published-configuration.js';
import { follow } from './topic-follower.js';

/**
 * Starts the verifier: the only writer of cards and verifications on the agents topic (R4-R13, R42, R43). Publishes the
 * configuration where the topic says otherwise, then watches every configured agent, folds evidence from traffic and
 * answers `RefreshCard`. Takes the mesh over: it is closed with the service.
 *
 * One verifier is active at a time. A second one would do no wrong to anybody's records, but fetch and probe once more.
 * Commands are read from now on: every card is fetched at the start, which answers whatever was asked before. Evidence is
 * read from its beginning; what a verification has answered since is told by its time (see `EvidenceIntake`).
 * @throws HoldfastError Kafka or the registry is not to be had
 */
export const startVerifier = async (mesh: Mesh): Promise<Service> => {
  const { config, logger, serdes, clients } = mesh;
  const stopping = new AbortController();
  let fail: (error: unknown) => void = () => undefined;
  const broken = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const failed = Promise.race([broken, mesh.failed]);
  failed.catch(() => undefined);

  const log = mesh.openLog();
  const contracts = await mesh.openContracts();
  for (const record of configurationNews(contracts.current, config)) {
    const { offset } = await log.publishAgent(record);
    await contracts.until(offset + 1n);
    logger.info({ type: record.type, ...('agentId' in record ? { agentId: record.agentId } : {}) }, 'published');
  }

  const ports = { reader: clients.reader, serdes, logger };
  const counts = await clients.partitionCounts([COMMANDS.name, EVIDENCE.name]);
  const verifiedAt = new Map<string, number>();
  const past = await follow(
    ports,
    {
      topic: AGENTS,
      partitions: 1,
      from: 'beginning',
      once: true,
      take: (record, time) => {
        if (record.type === 'AgentVerified') verifiedAt.set(record.agentId, time);
      },
    },
    stopping.signal,
    fail,
  );
  await past.ended;

  const writer = new ContractWriter(log, contracts);
  const intake = new EvidenceIntake(writer, verifiedAt, (evidence, time) => {
    watches.get(evidence.agentId)?.noteEvidence(evidence, time);
  });
  const watches = new Map<string, AgentWatch>();
  for (const agent of config.agents) {
    if (writer.contract(agent.id).removed)
      logger.warn({ agentId: agent.id }, 'was removed before, and stays so (R57): it needs another ID');
    const onVerified = (time: number): void => {
      intake.verified(agent.id, time);
    };
    watches.set(
      agent.id,
      new AgentWatch({ agent, settings: config.verifier, writer, logger, onVerified, onFailed: fail }),
    );
  }
  const unsubscribe = contracts.onChange((_, record) => {
    if ('agentId' in record) watches.get(record.agentId)?.wake();
  });

  const commands = await follow(
    ports,
    {
      topic: COMMANDS,
      partitions: counts.get(COMMANDS.name) ?? config.kafka.partitions,
      from: 'now',
      take: (command, time) => {
        if (command.type === 'RefreshCard') watches.get(command.agentId)?.refresh(time);
      },
    },
    stopping.signal,
    fail,
  );
  // After the position in the commands is known: what is asked from here on is read, what was asked before is answered.
  for (const watch of watches.values()) watch.start();
  const evidence = await follow(
    ports,
    {
      topic: EVIDENCE,
      partitions: counts.get(EVIDENCE.name) ?? config.kafka.partitions,
      from: 'beginning',
      take: (record, time) => intake.take(record, time),
    },
    stopping.signal,
    fail,
  );
  logger.info({ agents: config.agents.length }, 'the verifier is watching');

  return {
    failed,
    stop: async () => {
      stopping.abort();
      unsubscribe();
      await Promise.all([...watches.values()].map((watch) => watch.stop()));
      await Promise.all([commands.ended, evidence.ended]);
      await mesh.close();
    },
  };
};
