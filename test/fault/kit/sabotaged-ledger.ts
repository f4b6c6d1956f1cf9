/**
 * A ledger that commits the wrong way, for the oracle's own test: the real topology on Kafka and RocksDB, with the ports
 * put together wrongly. `sabotaged-ledger <sabotage> <killed at commit, 0: never> <schema prefix> --config F --instance I`
 */
import { parseArgs } from 'node:util';
import { readConfigFile } from '../../../infra/config/config-file.js';
import { resolveConfig } from '../../../infra/config/read-config.js';
import { createKafkaStreamClients } from '../../../infra/kafka/kafka-stream-clients.js';
import { prefixed } from '../../../infra/kafka/prefixed-stream-clients.js';
import { openRegistrySerdes } from '../../../infra/registry/registry-serdes.js';
import { RocksStateStores } from '../../../infra/rocksdb/rocks-state-stores.js';
import { storeName } from '../../../infra/streams/open-task.js';
import type { StateStore, StateStores, TransactionalProducer } from '../../../infra/streams/ports.js';
import { StreamApplication } from '../../../infra/streams/stream-application.js';
import { ledgerTopology } from '../../../topology/ledger.topology.js';
import { silent } from '../../integration/kafka-fixture.js';
import { sabotaged, type Sabotage } from '../../../infra/memory/sabotage.js';

/** `outputs-after-position`: what was decided is written after the position that says so, in a transaction of its own. */
export type LedgerSabotage = Sabotage | 'outputs-after-position' | 'none';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { config: { type: 'string', default: '' }, instance: { type: 'string', default: '' } },
});
const [word = '', nth = '0', schemaPrefix = ''] = positionals;
const sabotage = word as LedgerSabotage;
const { applicationId, store: storeOf } = ledgerTopology;
const changelog = storeOf.changelog.name;

let commits = 0;
/** SIGKILL at the moment that hurts. */
const dieAtTheWorst = (): void => {
  commits += 1;
  if (commits === Number(nth)) process.kill(process.pid, 'SIGKILL');
};

/** The producer below the sabotage: where the process dies. */
const mortal = (producer: TransactionalProducer): TransactionalProducer => ({
  close: producer.close,
  commit: async (transaction) => {
    if (sabotage === 'store-before-commit') dieAtTheWorst();
    const acknowledged = await producer.commit(transaction);
    if (sabotage === 'position-not-on-changelog') dieAtTheWorst();
    return acknowledged;
  },
});

const outputsAfterPosition = (producer: TransactionalProducer): TransactionalProducer => ({
  close: producer.close,
  commit: async ({ positions, records }) => {
    const first = records.filter(({ topic }) => topic === changelog);
    const acknowledged = await producer.commit({ positions, records: first });
    dieAtTheWorst();
    const later = records.filter(({ topic }) => topic !== changelog);
    return [...acknowledged, ...(await producer.commit({ positions: [], records: later }))];
  },
});

const open = new Map<string, StateStore>();

/** Stores that the sabotage can reach. */
const reachable = (stores: StateStores): StateStores => ({
  wipe: stores.wipe,
  open: async (name) => {
    const opened = await stores.open(name);
    open.set(name, opened.store);
    return opened;
  },
});

const config = resolveConfig(readConfigFile(values.config).values, { instanceId: values.instance });
const { instanceId, kafka, registry, schemaWaitMs, stateDir } = config;
const clients = prefixed(
  createKafkaStreamClients({
    connection: { brokers: kafka.brokers, clientId: instanceId },
    logger: silent,
    groupId: `${kafka.topicPrefix}${applicationId}`,
    times: { sessionMs: 6_000, rebalanceMs: 10_000, heartbeatMs: 300 },
  }),
  kafka.topicPrefix,
);
const application = new StreamApplication(
  ledgerTopology,
  {
    clients: {
      ...clients,
      fence: async (transactionalId) => {
        const producer = await clients.fence(transactionalId);
        if (sabotage === 'none') return producer;
        if (sabotage === 'outputs-after-position') return outputsAfterPosition(producer);
        return sabotaged(mortal(producer), sabotage, changelog, (partition) =>
          open.get(storeName(applicationId, storeOf.name, partition)),
        );
      },
    },
    stores: reachable(new RocksStateStores(`${stateDir}/${instanceId}`)),
    serdes: await openRegistrySerdes({ url: registry.url, topicPrefix: schemaPrefix, schemaWaitMs }),
  },
  { instanceId, groups: kafka.groups },
);
process.once('SIGTERM', () => {
  void application.stop();
});
await application.start();
