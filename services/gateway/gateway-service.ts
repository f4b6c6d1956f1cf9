import { callAgent } from '../../infra/http/agent-client.js';
import { fetchCard } from '../../infra/http/card-fetch.js';
import { Egress } from '../../infra/http/egress.js';
import type { HoldfastConfig } from '../../infra/config/config.js';
import { secret } from '../../infra/config/secret.js';
import { RocksStateStores } from '../../infra/rocksdb/rocks-state-stores.js';
import type { StateStore } from '../../infra/streams/ports.js';
import type { Serdes } from '../../infra/streams/serdes.js';
import type { Logger } from '../../infra/telemetry/logger.js';
import { LEDGER } from '../../topology/topics.js';
import type { LedgerEntry } from '../../topology/ledger-records.js';
import type { Service } from '../ledger/ledger-service.js';
import { Mesh, unreadableTo } from '../mesh/mesh.js';
import { TopicTable } from '../mesh/topic-table.js';
import { explained } from '../rights/missing-rights.js';
import { AgentCards } from './agent-cards.js';
import { createGateway } from './gateway.js';
import { serveGateway } from './gateway-server.js';
import { indexesOfEntry } from './ledger-index.js';
import { DEFAULT_SETTINGS, type GatewaySettings } from './ports.js';

export type GatewayOptions = {
  readonly config: HoldfastConfig;
  readonly serdes: Serdes;
  readonly logger: Logger;
  /** What differs from `DEFAULT_SETTINGS`; what the configuration says of them unless named here. */
  readonly settings?: Partial<GatewaySettings>;
};

export type GatewayService = Service & {
  /** Where it listens: what an agent's URL begins with, before `/agents/{agentId}`. */
  readonly url: string;
};

const ROLE = 'gateway';

/**
 * Starts a gateway: JSON-RPC 1.0 in front of every configured agent. Resolves once it listens and the ledger and the
 * contracts are read. @throws HoldfastError
 */
export const startGateway = async ({ config, logger, serdes, ...options }: GatewayOptions): Promise<GatewayService> => {
  const mesh = new Mesh(ROLE, config, serdes, logger);
  let fail: (error: unknown) => void = () => undefined;
  const tableFailed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  tableFailed.catch(() => undefined);
  const closing: (() => Promise<void>)[] = [() => mesh.close()];
  const close = async (): Promise<void> => {
    for (const one of closing.toReversed()) await one();
  };
  try {
    const contracts = await mesh.openContracts();
    const ledger = await ledgerTable(mesh, fail);
    closing.push(() => ledger.stop());
    let url = config.gateway.publicUrl ?? '';
    const egress = new Egress(config.egress.allow);
    const gateway = createGateway({
      // A gateway that may not write goes on refusing what it cannot write down; its log says what it lacks.
      log: mesh.openLog((error) => explained(error, ROLE, config.kafka)),
      ledger,
      contracts,
      agents: new AgentCards(
        config.agents,
        () => url,
        (request) => fetchCard({ ...request, egress }),
      ),
      call: callAgent,
      settings: { ...DEFAULT_SETTINGS, ...settingsOf(config), ...options.settings },
      serviceIdentity: (agentId) => config.agents.find(({ id }) => id === agentId)?.serviceIdentity?.headers ?? {},
      logger,
    });
    // Watched by now: what the table reads on its way up tells how far the ledger is.
    await ledger.start();
    const server = await serveGateway(gateway, config.gateway);
    closing.push(server.stop);
    url ||= server.url;
    logger.info({ url, agents: config.agents.length }, 'the gateway listens');
    return { url, failed: Promise.race([mesh.failed, tableFailed]), stop: close };
  } catch (error) {
    await close();
    throw error;
  }
};

const settingsOf = ({ probeHoldMs, gateway }: HoldfastConfig): Partial<GatewaySettings> => {
  const { principalSalt, principalSaltFile, apiKeyIdHeader } = gateway;
  const isSalted = principalSalt !== undefined || principalSaltFile !== undefined;
  return {
    probeHoldMs,
    ...(isSalted ? { principalSalt: secret('gateway.principalSalt', principalSalt, principalSaltFile)() } : {}),
    ...(apiKeyIdHeader === undefined ? {} : { apiKeyIdHeader }),
  };
};

/** The ledger with the gateway's own indexes. Position entries are held too: they say how far the ledger has come. */
const ledgerTable = async (mesh: Mesh, onFailed: (error: unknown) => void): Promise<TopicTable<LedgerEntry>> => {
  const { config, clients, serdes } = mesh;
  const counts = await clients.partitionCounts([LEDGER.name]);
  return new TopicTable<LedgerEntry>({
    topic: LEDGER,
    partitions: counts.get(LEDGER.name) ?? config.kafka.partitions,
    reader: clients.reader,
    serdes,
    store: await openStore(new RocksStateStores(`${config.stateDir}/${config.instanceId}-${ROLE}`)),
    indexes: indexesOfEntry,
    onUnreadable: unreadableTo(mesh.logger),
    onFailed,
  });
};

/** What a machine that went down left behind may have holes: it is read again from the log. */
const openStore = async (stores: RocksStateStores): Promise<StateStore> => {
  const opened = await stores.open(LEDGER.name);
  if (opened.trusted) return opened.store;
  await opened.store.close();
  await stores.wipe(LEDGER.name);
  return (await stores.open(LEDGER.name)).store;
};
