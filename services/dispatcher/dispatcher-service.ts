import { setTimeout as delay } from 'node:timers/promises';
import { kafkaConnection } from '../../infra/config/connection.js';
import { HoldfastError } from '../../infra/errors.js';
import { AgentDirectory } from '../../infra/http/agent-directory.js';
import { Egress } from '../../infra/http/egress.js';
import { consumeGroup } from '../../infra/kafka/group-consumer.js';
import { GroupOffsets } from '../../infra/kafka/group-offsets.js';
import { RecordTooLargeError } from '../../infra/kafka/kafka-errors.js';
import type { LogRecord, PartitionRef, Position } from '../../infra/streams/ports.js';
import { clientLogger, type Logger } from '../../infra/telemetry/logger.js';
import { formatCoordinates, type Coordinates } from '../../topology/kit/coordinates.js';
import type { Topic } from '../../topology/kit/topology.js';
import type { CommandRecord, DeadLetter } from '../../topology/ledger-records.js';
import { REPUBLISHED_HEADER, republished } from '../../topology/rewritten.js';
import { COMMANDS, DEAD_LETTERS } from '../../topology/topics.js';
import type { Service } from '../ledger/ledger-service.js';
import type { EventLog } from '../mesh/event-log.js';
import { unreadableTo, type Mesh } from '../mesh/mesh.js';
import { AgentQuestions } from './agent-questions.js';
import { AgentSlots } from './agent-slots.js';
import { executeCancel, executeQuery } from './query-task.js';
import { Redispatcher } from './redispatch.js';
import { ResultLog } from './result-log.js';
import { SettledView } from './settled-view.js';
import { StreamFollowers } from './stream-followers.js';

const CALLS_PER_AGENT = 16;
const STREAMS_PER_AGENT = 256;
const GRACE_MS = 1_000;
const DRAIN_MS = 10_000;
const AGAIN_AFTER_MS = 1_000;

/**
 * Starts one instance of the dispatcher: it executes the ledger's commands at agents and writes what came of them back as
 * task events, and puts misrouted records where they belong. Instances share the partitions. The mesh is its own: it is
 * closed when the service stops, or does not start. @throws HoldfastError
 */
export const startDispatcher = async (mesh: Mesh, directory?: AgentDirectory): Promise<Service> => {
  try {
    const { agents, egress } = mesh.config;
    return await start(mesh, directory ?? new AgentDirectory(agents, { egress: new Egress(egress.allow) }));
  } catch (error) {
    await mesh.close();
    throw error;
  }
};

const start = async (mesh: Mesh, directory: AgentDirectory): Promise<Service> => {
  const { config, clients, logger, serdes } = mesh;
  const { kafka, dispatcher, policy, instanceId } = config;
  let fail: (error: unknown) => void = () => undefined;
  const broken = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const [ledger, inputs, contracts] = [await mesh.openLedger(), await mesh.openInputs(), await mesh.openContracts()];
  const log = mesh.openLog();
  const results = new ResultLog(log, ledger, logger);
  const slots = new AgentSlots(CALLS_PER_AGENT);
  const questions = new AgentQuestions(directory, slots, dispatcher.sendTimeoutMs);
  const followers = new StreamFollowers(new AgentSlots(STREAMS_PER_AGENT), fail);
  const redispatcher = new Redispatcher({
    view: new SettledView(clients.reader, ledger, inputs, contracts),
    source: { reader: clients.reader, serdes },
    ...{ results, questions, directory, slots, followers, logger },
    recheckMs: dispatcher.recheckMs,
    times: {
      firstWordMs: dispatcher.sendTimeoutMs,
      // An agent that is silent for longer is asked anyway (R46).
      idleMs: policy.staleAfterMs,
      graceMs: GRACE_MS,
      drainMs: DRAIN_MS,
    },
  });

  const execute = async (record: LogRecord, signal: AbortSignal): Promise<void> => {
    if (record.topic === DEAD_LETTERS.name) {
      const letter = await decoded(mesh, DEAD_LETTERS, record, signal);
      if (letter !== undefined) await republishMisrouted({ log, logger }, letter, record);
      return;
    }
    const command = await decoded(mesh, COMMANDS, record, signal);
    if (command === undefined) return;
    await executeCommand(command, record, signal);
  };
  const executeCommand = async (command: CommandRecord, record: LogRecord, signal: AbortSignal): Promise<void> => {
    switch (command.type) {
      case 'RedispatchTask':
        return redispatcher.execute(command, record, signal);
      case 'QueryTask':
        return executeQuery({ questions, results, ledger }, command, signal);
      case 'CancelSuperseded':
        return executeCancel({ questions, results, ledger }, command, signal);
      case 'RefreshCard':
        // The verifier's.
        return;
    }
  };

  const connection = kafkaConnection(config, `${instanceId}-dispatcher`);
  const offsets = new GroupOffsets(connection, clientLogger(logger), mesh.groupId);
  const partitions = (await clients.partitionCounts([COMMANDS.name])).get(COMMANDS.name) ?? kafka.partitions;
  const consumer = await consumeGroup({
    clients,
    committed: committedUnder(offsets, kafka.topicPrefix),
    groupId: mesh.groupId.slice(kafka.topicPrefix.length),
    instanceId,
    topics: [COMMANDS.name, DEAD_LETTERS.name],
    partitions,
    groups: Math.min(kafka.groups, partitions),
    take: execute,
    onFailed: fail,
  });
  logger.info({ instanceId, partitions }, 'the dispatcher has joined');
  const failed = Promise.race([broken, mesh.failed]);
  failed.catch(() => undefined);
  return {
    failed,
    stop: async () => {
      await consumer.stop();
      await followers.idle();
      await offsets.close();
      await mesh.close();
    },
  };
};

const committedUnder =
  (offsets: GroupOffsets, prefix: string) =>
  async (refs: readonly PartitionRef[]): Promise<readonly Position[]> => {
    const found = await offsets.committed(refs.map((ref) => ({ ...ref, topic: `${prefix}${ref.topic}` })));
    return found.map((position) => ({ ...position, topic: position.topic.slice(prefix.length) }));
  };

/** What cannot be read is passed over: the ledger wrote it, so it is of a version to come, and is issued again (R60). */
const decoded = async <Value>(
  { serdes, logger }: Mesh,
  topic: Topic<Value>,
  { value, partition, offset, unreadable }: LogRecord,
  signal: AbortSignal,
): Promise<Value | undefined> => {
  const passedOver = (detail: string): void => {
    unreadableTo(logger)({ topic: topic.name, partition, offset }, detail);
  };
  if (unreadable !== undefined) passedOver(unreadable.detail);
  if (value === null) return undefined;
  for (;;) {
    try {
      await serdes.prepare(topic, [value]);
      break;
    } catch (error) {
      if (!(error instanceof HoldfastError && error.retryable)) throw error;
      logger.warn({ err: error }, 'the registry cannot be asked; trying again');
      await delay(AGAIN_AFTER_MS, undefined, { signal });
    }
  }
  const read = serdes.deserialize(topic, value);
  if (read.kind === 'value') return read.value;
  passedOver(read.detail);
  return undefined;
};

/** Once: one that comes back is misrouted by more than its partition (R58). Its event ID stays, so twice is once (R17). */
const republishMisrouted = async (
  { log, logger }: { readonly log: EventLog; readonly logger: Logger },
  letter: DeadLetter,
  at: Coordinates,
): Promise<void> => {
  if (letter.reason !== 'misrouted' || letter.headers.some(({ name }) => name === REPUBLISHED_HEADER)) return;
  try {
    await log.writeAgain([republished(letter, at)]);
  } catch (error) {
    if (!(error instanceof RecordTooLargeError)) throw error;
    // It stays a dead letter; waiting for it would hold up the others for good.
    logger.error({ letter: formatCoordinates(at), error: error.message }, 'a misrouted record cannot be re-published');
  }
};
