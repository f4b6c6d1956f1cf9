import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { configFromEnvironment, configFromFlags } from '../../infra/config/config-environment.js';
import { readConfigFile } from '../../infra/config/config-file.js';
import type { ConfigSource } from '../../infra/config/config-source.js';
import { DEFAULT_CONFIG } from '../../infra/config/default-config.js';
import { configYaml, redacted } from '../../infra/config/print-config.js';
import { resolveConfig, settleConfig } from '../../infra/config/read-config.js';
import { ConfigSources } from '../kit/config-sources.js';

const sources = new ConfigSources();
afterAll(() => {
  sources.remove();
});
const { directory } = sources;
const yaml = (...lines: readonly string[]): ConfigSource => sources.yaml(...lines);
const faultsOf = (...from: readonly ConfigSource[]): readonly string[] => sources.faultsOf(...from);
const warningsOf = (...from: readonly ConfigSource[]): readonly string[] =>
  settleConfig(from).warnings.map(({ place, text }) => sources.relative(`${place}: ${text}`));

describe('a configuration file', () => {
  it('should be laid over the defaults', () => {
    const { config } = settleConfig([yaml('gateway: { port: 8090 }', 'kafka:', '  groups: 2')]);

    expect(config).toStrictEqual({
      ...DEFAULT_CONFIG,
      gateway: { ...DEFAULT_CONFIG.gateway, port: 8090 },
      kafka: { ...DEFAULT_CONFIG.kafka, groups: 2 },
    });
  });

  it('should say nothing when it is empty', () => {
    expect(settleConfig([yaml('')]).config).toStrictEqual(DEFAULT_CONFIG);
  });

  it('should have paths that begin where it lies', () => {
    const { config } = settleConfig([yaml('stateDir: state', 'kafka: { tls: { caFile: ../ca.pem, serverName: x } }')]);

    expect([config.stateDir, config.kafka.tls]).toStrictEqual([
      join(directory, 'state'),
      { caFile: join(directory, '..', 'ca.pem'), serverName: 'x' },
    ]);
  });

  it('should be told everything that is wrong with it, each with its line', () => {
    const wrong = yaml(
      'kafka:',
      '  broker: [a:1]',
      '  brokers: [nowhere]',
      '  groups: two',
      'gateway: { port: 99999 }',
      'policy: { recovery: allways }',
      'agents:',
      '  - id: a',
      '    cardUrl: nope',
      '    canaries:',
      '      - { state: input-needed, message: hello }',
      '  - cardUrl: http://x.example',
    );

    expect(faultsOf(wrong)).toStrictEqual([
      'holdfast.yaml:2: unknown setting kafka.broker; did you mean brokers?',
      'holdfast.yaml:3: kafka.brokers[0] must be host:port',
      'holdfast.yaml:4: kafka.groups must be integer',
      'holdfast.yaml:5: gateway.port must be <= 65535',
      'holdfast.yaml:6: policy.recovery must be one of off, manual, always',
      'holdfast.yaml:9: agents[0].cardUrl must be an http or https URL',
      'holdfast.yaml:11: agents[0].canaries[0].state must be one of submitted, working, input-required, auth-required, completed, failed, canceled, rejected',
      'holdfast.yaml:12: agents[1] lacks id',
    ]);
  });

  it('should be told where it is no YAML, without a word of what stands there', () => {
    const faults = faultsOf(yaml('kafka:', '  sasl: { password: hush', 'registry: {}'));

    expect(faults.map((fault) => fault.slice(0, 16))).toStrictEqual(faults.map(() => 'holdfast.yaml:3:'));
    expect(faults.join()).not.toContain('hush');
    expect(faults).not.toStrictEqual([]);
  });

  it('should be named when it is not there', () => {
    expect(faultsOf(readConfigFile(join(directory, 'nowhere.yaml')))).toStrictEqual([
      'nowhere.yaml: cannot be read (ENOENT)',
    ]);
  });
});

describe('settings that do not go together', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    [
      'two forms of a password',
      ['kafka:', '  sasl:', '    mechanism: plain', '    username: me', '    password: a', '    passwordFile: b'],
      ['holdfast.yaml:6: kafka.sasl.passwordFile is set beside password; set one of them'],
    ],
    [
      'a user without a password',
      ['kafka:', '  sasl: { mechanism: scram-sha-512, username: me }'],
      ['holdfast.yaml:2: kafka.sasl password or passwordFile is missing'],
    ],
    ['no mechanism', ['kafka: { sasl: { username: me } }'], ['holdfast.yaml:1: kafka.sasl mechanism is missing']],
    [
      'a password for a token',
      ['kafka: { sasl: { mechanism: oauthbearer, tokenFile: t, password: p } }'],
      ['holdfast.yaml:1: kafka.sasl.password has no part in mechanism oauthbearer'],
    ],
    [
      'half a client of a token endpoint',
      ['kafka: { sasl: { mechanism: oauthbearer, tokenEndpoint: "https://i.example/t" } }'],
      [
        'holdfast.yaml:1: kafka.sasl clientId is missing',
        'holdfast.yaml:1: kafka.sasl clientSecret or clientSecretFile is missing',
      ],
    ],
    [
      'a certificate without a key',
      ['kafka: { tls: { certFile: c } }'],
      ['holdfast.yaml:1: kafka.tls.certFile is set, but keyFile is not'],
    ],
    [
      'TLS with a registry under http',
      ['registry: { tls: { caFile: c }, url: "http://r.example/" }'],
      ['holdfast.yaml:1: registry.tls is set, but registry.url begins with http:'],
    ],
    [
      'a user beside a token',
      ['registry: { auth: { token: t, username: me } }'],
      ['holdfast.yaml:1: registry.auth.username has no part where a token is set'],
    ],
    [
      'two agents of one name',
      ['agents:', '  - { id: a, cardUrl: "http://a.example" }', '  - { id: a, cardUrl: "http://b.example" }'],
      ['holdfast.yaml:3: agents[1].id is "a", and so is agents[0].id'],
    ],
    [
      'the gateway on the port of an agent',
      ['gateway: { port: 9001 }', 'agents: [{ id: a, cardUrl: "http://localhost:9001/card" }]'],
      ['holdfast.yaml:2: agents[0].cardUrl is the address of the gateway itself (gateway.port 9001)'],
    ],
    [
      'the gateway on the port of the registry',
      ['gateway: { port: 8081 }'],
      ['holdfast.yaml:1: gateway.port is the one of registry.url'],
    ],
  ])('should be an error: %s', (_, lines, faults) => {
    expect(faultsOf(yaml(...lines))).toStrictEqual(faults);
  });

  it.each<[string, readonly string[], readonly string[]]>([
    [
      'a group of agents that nobody configures',
      ['policy: { substitutionGroups: [[a, b]], preference: [c] }', 'agents: [{ id: a, cardUrl: "http://a.example" }]'],
      [
        'holdfast.yaml:1: policy.preference[0] names "c", which is no agent of this configuration',
        'holdfast.yaml:1: policy.substitutionGroups[0][1] names "b", which is no agent of this configuration',
      ],
    ],
    [
      'more groups than partitions',
      ['kafka: { groups: 20 }'],
      ['holdfast.yaml:1: kafka.groups is 20, but of 12 partitions no more groups come'],
    ],
    [
      'a password that anybody can read on its way',
      ['kafka: { sasl: { mechanism: plain, username: me, password: p } }'],
      ['holdfast.yaml:1: kafka.sasl.mechanism sends the secret readable to all: kafka.tls is not set'],
    ],
    [
      'a token that anybody can read on its way',
      ['registry: { url: "http://r.example", auth: { token: t } }'],
      ['holdfast.yaml:1: registry.url begins with http: the secret in registry.auth is readable to all'],
    ],
    [
      'a canary for nothing',
      ['agents:', '  - id: a', '    cardUrl: http://a.example', '    canaries:', '      - message: hello'],
      ['holdfast.yaml:5: agents[0].canaries[0] shows nothing: it has neither state nor mode'],
    ],
    ['nothing', ['kafka: { sasl: { mechanism: scram-sha-512, username: me, passwordFile: p } }'], []],
  ])('should be a warning: %s', (_, lines, warnings) => {
    expect(warningsOf(yaml(...lines))).toStrictEqual(warnings);
  });
});

describe('the environment', () => {
  it('should say each setting by its own name, over the file and under flags', () => {
    const { config, placeOf } = settleConfig([
      yaml('kafka: { brokers: [file:1], topicPrefix: file. }', 'instanceId: file'),
      configFromEnvironment({
        HOLDFAST_KAFKA_BROKERS: 'env:1, env:2',
        HOLDFAST_KAFKA_TOPIC_PREFIX: 'env.',
        HOLDFAST_KAFKA_TLS_CA_FILE: 'ca.pem',
        HOLDFAST_DISPATCHER_RECHECK_MS: '5,10',
        HOLDFAST_GATEWAY_API_KEY_ID_HEADER: 'x-key',
        HOLDFAST_POLICY_SUBSTITUTION_GROUPS: '[[a, b]]',
        HOLDFAST_GATEWAY_PUBLIC_URL: '',
      }),
      configFromFlags({ 'kafka.brokers': { flag: '--brokers', text: 'flag:1' } }),
    ]);

    expect(config).toStrictEqual(
      resolveConfig({
        kafka: { brokers: ['flag:1'], topicPrefix: 'env.', tls: { caFile: 'ca.pem' } },
        instanceId: 'file',
        dispatcher: { recheckMs: [5, 10] },
        gateway: { apiKeyIdHeader: 'x-key' },
        policy: { substitutionGroups: [['a', 'b']] },
      }),
    );
    expect(
      [['kafka', 'brokers'], ['kafka', 'topicPrefix'], ['instanceId'], ['logLevel']].map((path) =>
        sources.relative(placeOf(path)),
      ),
    ).toStrictEqual(['--brokers', 'HOLDFAST_KAFKA_TOPIC_PREFIX', 'holdfast.yaml:2', 'default']);
  });

  it('should name files with values', () => {
    const path = join(directory, 'salt');
    writeFileSync(path, 'grains\n');

    const { config } = settleConfig([configFromEnvironment({ HOLDFAST_GATEWAY_HOST_FILE: path })]);

    expect(config.gateway.host).toBe('grains');
  });

  it('should take the file of a secret for the setting of that name', () => {
    const { config } = settleConfig([
      configFromEnvironment({
        HOLDFAST_KAFKA_SASL_MECHANISM: 'plain',
        HOLDFAST_KAFKA_SASL_USERNAME: 'me',
        HOLDFAST_KAFKA_SASL_PASSWORD_FILE: 'secret',
        HOLDFAST_KAFKA_TLS: 'true',
      }),
    ]);

    expect([config.kafka.sasl, config.kafka.tls]).toStrictEqual([
      { mechanism: 'plain', username: 'me', passwordFile: 'secret' },
      true,
    ]);
  });

  it('should be told everything that is wrong with it, each with its name', () => {
    expect(
      faultsOf(
        configFromEnvironment({
          HOLDFAST_TOPIC_PREFIX: 'x',
          HOLDFAST_GATEWAY_PORT: 'many',
          HOLDFAST_KAFKA_GROUPS: '0',
          HOLDFAST_KAFKA_TLS: 'yes',
          HOLDFAST_LOG_LEVEL_FILE: join(directory, 'nowhere'),
          HOLDFAST_REGISTRY_URL: 'r.example',
        }),
      ).map((fault) => fault.replace(directory, '')),
    ).toStrictEqual([
      'HOLDFAST_TOPIC_PREFIX: unknown variable; did you mean HOLDFAST_KAFKA_TOPIC_PREFIX?',
      'HOLDFAST_LOG_LEVEL_FILE: nowhere cannot be read (ENOENT)',
      'HOLDFAST_KAFKA_TLS: is not true or false',
      'HOLDFAST_GATEWAY_PORT: is not a number',
      'HOLDFAST_KAFKA_GROUPS: kafka.groups must be >= 1',
      'HOLDFAST_REGISTRY_URL: registry.url must be an http or https URL',
    ]);
  });

  it('should pass over what others set', () => {
    const others = {
      HOLDFAST_CONFIG: 'holdfast.yaml',
      HOLDFAST_TEST_SEED: '1',
      HOLDFAST_GATEWAY_PORT: 'tcp://10.0.0.1:8080',
      HOLDFAST_PORT: 'tcp://10.0.0.1:8080',
      HOLDFAST_SERVICE_HOST: '10.0.0.1',
      HOLDFAST_GATEWAY_SERVICE_HOST: '10.0.0.1',
      HOLDFAST_GATEWAY_SERVICE_PORT_HTTP: '8080',
      HOLDFAST_GATEWAY_PORT_8080_TCP_ADDR: '10.0.0.1',
      HOME: '/',
    };

    expect(settleConfig([configFromEnvironment(others)]).config).toStrictEqual(DEFAULT_CONFIG);
  });
});

describe('a printed configuration', () => {
  const secretive = [
    'kafka: { sasl: { mechanism: plain, username: me, password: hush-1 }, tls: true }',
    'registry: { auth: { token: hush-2 }, url: "https://r.example" }',
    'gateway: { principalSalt: hush-3 }',
    'agents:',
    '  - { id: a, cardUrl: "http://a.example", serviceIdentity: { headers: { authorization: hush-4 } } }',
  ];

  it('should hold no secret, and say where everything comes from', () => {
    const settled = settleConfig([yaml(...secretive)]);

    const text = sources.relative(configYaml({ ...settled, config: redacted(settled.config) }));

    expect(text).not.toContain('hush');
    expect(text.split('\n').slice(0, 16)).toStrictEqual([
      'kafka:',
      '  brokers: [127.0.0.1:9092] # default',
      '  topicPrefix: "" # default',
      '  partitions: 12 # default',
      '  replicationFactor: 1 # default',
      '  groups: 4 # default',
      '  sasl:',
      '    mechanism: plain # holdfast.yaml:1',
      '    username: me # holdfast.yaml:1',
      '    password: "[redacted]" # holdfast.yaml:1',
      '  tls: true # holdfast.yaml:1',
      'registry:',
      '  url: https://r.example # holdfast.yaml:2',
      '  auth:',
      '    token: "[redacted]" # holdfast.yaml:2',
      'stateDir: .cache/state # default',
    ]);
  });

  it('should be a configuration file that says the same', () => {
    const { config, ...settled } = settleConfig([yaml(...secretive)]);

    const again = settleConfig([readConfigFile(sources.file(configYaml({ ...settled, config })))]);

    expect(again.config).toStrictEqual({ ...config, stateDir: join(directory, config.stateDir) });
  });
});
