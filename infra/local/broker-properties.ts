/** A listener besides the plain one, for tests of SASL or TLS; what it needs further goes into the properties. */
export type ExtraListener = {
  /** Upper case, and the key in `LocalKafka.listeners`. */
  readonly name: string;
  readonly protocol: 'PLAINTEXT' | 'SASL_PLAINTEXT' | 'SSL' | 'SASL_SSL';
};

export type BrokerPorts = { readonly client: number; readonly controller: number; readonly extra: readonly number[] };

export type Properties = Readonly<Record<string, string | number | boolean>>;

export const NODE_ID = 1;

/** The listener that plain clients and the health check use. */
export const PLAIN_LISTENER = 'PLAINTEXT';

/**
 * A single KRaft node on the loopback interface. `overrides` win over everything here, so a caller can ask for another
 * `message.max.bytes` or configure a listener.
 */
export function brokerProperties(options: {
  readonly directory: string;
  readonly ports: BrokerPorts;
  readonly listeners?: readonly ExtraListener[];
  readonly overrides?: Properties;
}): Properties {
  const { ports, listeners = [] } = options;
  const client = [
    { name: PLAIN_LISTENER, protocol: 'PLAINTEXT', port: ports.client },
    ...listeners.map(({ name, protocol }, index) => ({ name, protocol, port: ports.extra[index] ?? 0 })),
  ];
  const addresses = client.map(({ name, port }) => `${name}://127.0.0.1:${port}`);
  const protocols = client.map(({ name, protocol }) => `${name}:${protocol}`);
  return {
    'process.roles': 'broker,controller',
    'node.id': NODE_ID,
    'controller.quorum.voters': `${NODE_ID}@127.0.0.1:${ports.controller}`,
    'controller.listener.names': 'CONTROLLER',
    listeners: [`CONTROLLER://127.0.0.1:${ports.controller}`, ...addresses].join(','),
    'advertised.listeners': addresses.join(','),
    'listener.security.protocol.map': ['CONTROLLER:PLAINTEXT', ...protocols].join(','),
    'inter.broker.listener.name': PLAIN_LISTENER,
    'log.dirs': options.directory,
    // Topics come from the catalogue; one that appears by itself hides a misspelt name.
    'auto.create.topics.enable': false,
    // One node cannot hold the default of three replicas: without these the first transaction or group hangs.
    'offsets.topic.replication.factor': 1,
    'transaction.state.log.replication.factor': 1,
    'transaction.state.log.min.isr': 1,
    'share.coordinator.state.topic.replication.factor': 1,
    'share.coordinator.state.topic.min.isr': 1,
    // The default of fifty partitions each costs seconds at the first use and buys one node nothing.
    'offsets.topic.num.partitions': 4,
    'transaction.state.log.num.partitions': 4,
    'share.coordinator.state.topic.num.partitions': 4,
    'group.initial.rebalance.delay.ms': 0,
    'log.cleaner.enable': true,
    // The default of 128 MiB is a quarter of this broker's heap.
    'log.cleaner.dedupe.buffer.size': 16 * 1024 * 1024,
    ...options.overrides,
  };
}

/** The text of a Java properties file, escaped so that values with line breaks (PEM) survive. */
export function propertiesText(properties: Properties): string {
  const lines = Object.entries(properties).map(([key, value]) => `${key}=${escape(String(value))}`);
  return `${lines.join('\n')}\n`;
}

function escape(value: string): string {
  return value
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replace(/^ /, '\\ ')
    .replace(/[^\x20-\x7e]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
