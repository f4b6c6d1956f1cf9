import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { configFromEnvironment } from '../../infra/config/config-environment.js';
import type { ConfigSource } from '../../infra/config/config-source.js';
import { ConfigSources } from '../kit/config-sources.js';

const sources = new ConfigSources();
afterAll(() => {
  sources.remove();
});
const yaml = (...lines: readonly string[]): ConfigSource => sources.yaml(...lines);
const faultsOf = (...from: readonly ConfigSource[]): readonly string[] => sources.faultsOf(...from);

describe('a configuration file that is refused', () => {
  it.each<[string, string]>([
    ['*hush', 'is an alias (*) of nothing; quote a text that begins with *'],
    ['*', 'is no alias; quote a text that begins with *'],
    ['|hush', 'has something that does not belong there; quote a text with special characters'],
    ['!e!hush', 'has a tag (!) that is not known; quote a text that begins with !'],
    ['"\\hush"', 'has an unknown escape (\\) between double quotes; use single ones'],
    ['@hush', 'begins with a character that has to be quoted'],
  ])('should be told of the kind of a fault only: %s', (password, text) => {
    const faults = faultsOf(yaml('kafka:', '  sasl:', `    password: ${password}`));

    expect(faults[0]).toBe(`holdfast.yaml:3: ${text}`);
    expect(faults.join('\n')).not.toContain('hush');
  });

  it('should be told where a value became a key', () => {
    expect(
      faultsOf(
        yaml(
          'registry: { auth: { token:hush } }',
          'agents:',
          '  - { id: a, cardUrl: "http://a.example", serviceIdentity: { headers: { authorization:hush } } }',
        ),
      ),
    ).toStrictEqual([
      'holdfast.yaml:1: unknown setting in registry.auth; is there a colon, and a space behind it?',
      'holdfast.yaml:3: agents[0].serviceIdentity.headers.… must be string',
    ]);
  });

  it('should be told of aliases that grow beyond all bounds', () => {
    const grown = Array.from({ length: 12 }, (_, n) => `  - &l${n + 1} [${`*l${n}, `.repeat(10)}]`);

    expect(faultsOf(yaml('agents:', '  - &l0 [x]', ...grown))).toStrictEqual([
      'holdfast.yaml: has aliases (*) that lead too far',
    ]);
  });

  it('should be told where credentials belong that stand in a URL, and not show them', () => {
    const faults = faultsOf(
      yaml(
        'registry: { url: "https://me:hush@r.example" }',
        'kafka: { sasl: { mechanism: oauthbearer, tokenEndpoint: "https://me:hush@i.example" } }',
        'gateway: { publicUrl: "http://hush@g.example" }',
        'agents: [{ id: a, cardUrl: "http://:hush@a.example" }]',
      ),
    );

    expect(faults).toStrictEqual([
      'holdfast.yaml:1: registry.url must hold no user or password: they belong in registry.auth',
      'holdfast.yaml:2: kafka.sasl.tokenEndpoint must hold no user or password: they belong in clientId and clientSecret',
      'holdfast.yaml:3: gateway.publicUrl must hold no user or password: they belong in the requests of clients',
      'holdfast.yaml:4: agents[0].cardUrl must hold no user or password: they belong in serviceIdentity.headers',
    ]);
  });

  it('should be told of durations that no timer and no clock can bear, and of no brokers', () => {
    expect(
      faultsOf(
        yaml(
          'probeHoldMs: 2147483648',
          'schemaWaitMs: .inf',
          'dispatcher: { recheckMs: [.nan], sendTimeoutMs: 0.5 }',
          'policy:',
          '  retainForMs: 315360000001',
          '  staleAfterMs: .inf',
          'kafka: { brokers: [] }',
        ),
      ),
    ).toStrictEqual([
      'holdfast.yaml:1: probeHoldMs must be <= 2147483647',
      'holdfast.yaml:2: schemaWaitMs must be integer',
      'holdfast.yaml:3: dispatcher.recheckMs[0] must be integer',
      'holdfast.yaml:3: dispatcher.sendTimeoutMs must be integer',
      'holdfast.yaml:5: policy.retainForMs must be <= 315360000000',
      'holdfast.yaml:6: policy.staleAfterMs must be integer',
      'holdfast.yaml:7: kafka.brokers must not be empty',
    ]);
    expect(faultsOf(yaml('probeHoldMs: 2147483647', 'policy: { retainForMs: 315360000000 }'))).toStrictEqual([]);
  });
});

describe('an environment that is refused', () => {
  it('should be told of a list of nothing, and of YAML that leads nowhere', () => {
    expect(
      faultsOf(configFromEnvironment({ HOLDFAST_KAFKA_BROKERS: ',', HOLDFAST_POLICY_SUBSTITUTION_GROUPS: '[*hush]' })),
    ).toStrictEqual([
      'HOLDFAST_POLICY_SUBSTITUTION_GROUPS: is not a list',
      'HOLDFAST_KAFKA_BROKERS: kafka.brokers must not be empty',
    ]);
  });

  it('should be told of an address where no service link is', () => {
    expect(
      faultsOf(
        configFromEnvironment({
          HOLDFAST_REGISTRY_URL: 'tcp://10.0.0.1:8081',
          HOLDFAST_STATE: 'udp://10.0.0.1:1',
          HOLDFAST_GATEWAY_PORT: 'tcp://somewhere',
        }),
      ),
    ).toStrictEqual([
      'HOLDFAST_STATE: unknown variable; did you mean HOLDFAST_STATE_DIR?',
      'HOLDFAST_GATEWAY_PORT: is not a number',
      'HOLDFAST_REGISTRY_URL: registry.url must be an http or https URL',
    ]);
  });

  it('should read values from regular files of a bearable size only', () => {
    const large = join(sources.directory, 'large');
    writeFileSync(large, 'x'.repeat(1024 * 1024 + 1));
    const others = { HOLDFAST_GATEWAY_HOST_FILE: '/dev/zero', HOLDFAST_INSTANCE_ID_FILE: large };

    expect(faultsOf(configFromEnvironment(others))).toStrictEqual([
      'HOLDFAST_INSTANCE_ID_FILE: large is no file of at most 1 MiB',
      'HOLDFAST_GATEWAY_HOST_FILE: /dev/zero is no file of at most 1 MiB',
    ]);
  });
});
