import type { AgentConfig, HoldfastConfig } from './config.js';
import { connectionConflicts } from './connection-rules.js';
import { pathText, type SettingPath } from './config-source.js';

/** What is wrong, or hardly meant, with settings that are well-formed each. The text names the setting. */
export type Finding = {
  readonly path: SettingPath;
  readonly text: string;
  readonly severity: 'error' | 'warning';
};

type Severity = Finding['severity'];

const finding = (severity: Severity, path: SettingPath, text: string): Finding => ({
  path,
  text: `${pathText(path)} ${text}`,
  severity,
});

/** Everything there is to say of the whole configuration, in the order of the settings. */
export const configFindings = (config: HoldfastConfig): readonly Finding[] => [
  ...connectionConflicts(config).map(({ path, text }) => finding('error', path, text)),
  ...cleartextSecrets(config),
  ...groupCount(config),
  ...gatewayFindings(config),
  ...unknownAgents(config),
  ...config.agents.flatMap((agent, index) => agentFindings(config, agent, index)),
];

const cleartextSecrets = ({ kafka, registry }: HoldfastConfig): readonly Finding[] => {
  const isPlainMechanism = kafka.sasl?.mechanism === 'plain' || kafka.sasl?.mechanism === 'oauthbearer';
  const isSecured = kafka.tls !== undefined && kafka.tls !== false;
  const endpoint = kafka.sasl?.tokenEndpoint;
  return [
    ...(isPlainMechanism && !isSecured
      ? [finding('warning', ['kafka', 'sasl', 'mechanism'], 'sends the secret readable to all: kafka.tls is not set')]
      : []),
    ...(endpoint !== undefined && isCleartext(endpoint)
      ? [
          finding(
            'warning',
            ['kafka', 'sasl', 'tokenEndpoint'],
            'begins with http: the client secret is readable to all',
          ),
        ]
      : []),
    ...(registry.auth !== undefined && isCleartext(registry.url)
      ? [finding('warning', ['registry', 'url'], 'begins with http: the secret in registry.auth is readable to all')]
      : []),
  ];
};

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]', '::1'];

const isCleartext = (url: string): boolean => {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !LOOPBACK.includes(hostname);
};

const groupCount = ({ kafka: { groups, partitions } }: HoldfastConfig): readonly Finding[] =>
  groups > partitions
    ? [finding('warning', ['kafka', 'groups'], `is ${groups}, but of ${partitions} partitions no more groups come`)]
    : [];

const gatewayFindings = ({ gateway, registry, kafka, agents }: HoldfastConfig): readonly Finding[] => {
  const both = gateway.principalSalt !== undefined && gateway.principalSaltFile !== undefined;
  const taken = (address: string): boolean => isSameAddress(address, gateway);
  const agentsAt = agents.map(({ cardUrl }, index) => ({ index, address: addressOf(cardUrl) }));
  return [
    ...(both
      ? [finding('error', ['gateway', 'principalSaltFile'], 'is set beside principalSalt; set one of them')]
      : []),
    ...(taken(addressOf(registry.url)) ? [finding('error', ['gateway', 'port'], 'is the one of registry.url')] : []),
    ...(kafka.brokers.some(taken) ? [finding('error', ['gateway', 'port'], 'is the one of a broker')] : []),
    ...agentsAt
      .filter(({ address }) => taken(address))
      .map(({ index }) =>
        finding(
          'error',
          ['agents', index, 'cardUrl'],
          `is the address of the gateway itself (gateway.port ${gateway.port})`,
        ),
      ),
  ];
};

const addressOf = (url: string): string => {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port === '' ? (protocol === 'https:' ? '443' : '80') : port}`;
};

const isSameAddress = (address: string, { host, port }: { readonly host: string; readonly port: number }): boolean => {
  const colon = address.lastIndexOf(':');
  const other = address.slice(0, colon);
  if (port === 0 || Number(address.slice(colon + 1)) !== port) return false;
  const isLocal = LOOPBACK.includes(host) || host === '0.0.0.0' || host === '::';
  return other === host || (isLocal && LOOPBACK.includes(other));
};

const unknownAgents = ({ policy, agents }: HoldfastConfig): readonly Finding[] => {
  const known = new Set(agents.map(({ id }) => id));
  const named: readonly (readonly [SettingPath, string])[] = [
    ...policy.preference.map((id, index): [SettingPath, string] => [['policy', 'preference', index], id]),
    ...policy.substitutionGroups.flatMap((group, at) =>
      group.map((id, index): [SettingPath, string] => [['policy', 'substitutionGroups', at, index], id]),
    ),
  ];
  return named
    .filter(([, id]) => !known.has(id))
    .map(([path, id]) =>
      finding('warning', path, `names ${JSON.stringify(id)}, which is no agent of this configuration`),
    );
};

const agentFindings = ({ agents }: HoldfastConfig, agent: AgentConfig, index: number): readonly Finding[] => {
  const first = agents.findIndex(({ id }) => id === agent.id);
  return [
    ...(first < index
      ? [finding('error', ['agents', index, 'id'], `is ${JSON.stringify(agent.id)}, and so is agents[${first}].id`)]
      : []),
    ...(agent.canaries ?? []).flatMap(({ state, mode }, at): readonly Finding[] => {
      const path: SettingPath = ['agents', index, 'canaries', at];
      if (state === undefined && mode === undefined)
        return [finding('warning', path, 'shows nothing: it has neither state nor mode')];
      return state !== undefined && agent.configuredStates?.includes(state) === false
        ? [finding('warning', [...path, 'state'], `is ${state}, which configuredStates does not list`)]
        : [];
    }),
  ];
};
