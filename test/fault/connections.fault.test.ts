import { afterAll, beforeAll, expect } from '@jest/globals';
import type { PartialConfig } from '../../infra/config/config-source.js';
import { subjects } from '../../schemas/catalogue.js';
import { TOPICS } from '../../topology/topics.js';
import { CONNECTION_OUTCOMES } from '../outcomes/connection-outcomes.js';
import { describeOutcomes } from '../outcomes/describe-outcomes.js';
import { encryptedKey } from './kit/certificates.js';
import { guardRegistry } from './kit/guarded-registry.js';
import { countingProxy } from './kit/local-server.js';
import { USER } from './kit/secured-kafka.js';
import { said, SecuredWorld, type Installation } from './kit/secured-world.js';
import { serveTokens, unsignedToken } from './kit/token-endpoint.js';

const ROW_TIMEOUT_MS = 240_000;
const SUBJECTS = subjects('').length;

let world: SecuredWorld;
beforeAll(async () => {
  world = new SecuredWorld();
  await world.start();
}, 300_000);

afterAll(() => world.stop(), 60_000);

type Sasl = NonNullable<NonNullable<PartialConfig['kafka']>['sasl']>;

const over = (listener: string, more: PartialConfig['kafka'] = {}): PartialConfig => ({
  kafka: { brokers: [world.listener(listener)], tls: { caFile: world.caFile }, ...more },
});
const withSasl = (sasl: Sasl): PartialConfig => over('SASL', { sasl });
const withToken = (sasl: Omit<Sasl, 'mechanism'>): PartialConfig =>
  over('OAUTH', { sasl: { mechanism: 'oauthbearer', ...sasl } });

const failure = async (written: PartialConfig, ...command: readonly string[]): Promise<readonly [number, string]> => {
  const printed = await world.installation(written).run(...(command.length === 0 ? ['topics', 'check'] : command));
  expect(printed.stdout).toBe('');
  return [printed.code, said(printed)];
};

const createsTopics = async (installation: Installation): Promise<void> => {
  const { code, stdout, stderr } = await installation.run('topics', 'create', '--json');
  const { topicPrefix } = installation.config.kafka;
  expect([code, stderr, stdout]).toStrictEqual([
    0,
    '',
    `${JSON.stringify({ created: TOPICS.map(({ name }) => `${topicPrefix}${name}`) })}\n`,
  ]);
};

const registersSchemas = async (installation: Installation): Promise<void> => {
  const { code, stdout, stderr } = await installation.run('schemas', 'register', '--json');
  const { subjects: registered } = JSON.parse(stdout || '{"subjects":[]}') as { subjects: { outcome: string }[] };
  expect([code, stderr, registered.map(({ outcome }) => outcome)]).toStrictEqual([
    0,
    '',
    Array.from({ length: SUBJECTS }, () => 'new'),
  ]);
};

const worksWhole = async (installation: Installation): Promise<void> => {
  await createsTopics(installation);
  await registersSchemas(installation);
  expect(await installation.judging((judge) => judge())).toBe('accepted');
};

describeOutcomes(
  CONNECTION_OUTCOMES,
  {
    tls: async () => {
      await worksWhole(world.installation(over('TLS')));
    },

    mutualTls: async () => {
      const { cert, key } = world.authority.issue({ name: 'client' });
      const tls = {
        caFile: world.caFile,
        certFile: world.file('client.pem', cert),
        keyFile: world.file('client.key', encryptedKey(key, world.password)),
        keyPassphraseFile: world.file('passphrase', `${world.password}\n`),
      };
      await worksWhole(world.installation(over('MTLS', { tls })));
    },

    plain: async () => {
      const passwordFile = world.file('password', `${world.password}\n`);
      await worksWhole(world.installation(withSasl({ mechanism: 'plain', username: USER, passwordFile })));
    },

    scram256: async () => {
      const sasl = { mechanism: 'scram-sha-256', username: USER, password: world.password } as const;
      await createsTopics(world.installation(withSasl(sasl)));
    },

    scram512: async () => {
      await worksWhole(
        world.installation(
          {},
          {
            HOLDFAST_KAFKA_BROKERS: world.listener('SASL'),
            HOLDFAST_KAFKA_TLS_CA_FILE: world.caFile,
            HOLDFAST_KAFKA_SASL_MECHANISM: 'scram-sha-512',
            HOLDFAST_KAFKA_SASL_USERNAME: USER,
            HOLDFAST_KAFKA_SASL_PASSWORD: world.password,
          },
        ),
      );
    },

    tokenEndpoint: async () => {
      const client = { id: 'ledger', secret: world.secret('s e:cret/%'), scope: 'kafka', lifeSeconds: 15 };
      const certificate = world.authority.issue({ name: 'tokens', hosts: ['127.0.0.1'] });
      const endpoint = await serveTokens(client, certificate);
      const installation = world.installation(
        withToken({
          tokenEndpoint: endpoint.url,
          tokenEndpointCaFile: world.caFile,
          clientId: client.id,
          clientSecretFile: world.file('client-secret', client.secret),
          scope: client.scope,
        }),
      );
      try {
        await createsTopics(installation);
        await registersSchemas(installation);
        const verdicts = await installation.judging(async (judge) => {
          const first = [await judge()];
          const before = endpoint.requests();
          // Each of the first tokens has ended long before so many more were asked for.
          while (endpoint.requests() < before + 6) first.push(await judge());
          return [...first, await judge()];
        });
        expect(verdicts).toStrictEqual(verdicts.map(() => 'accepted'));
      } finally {
        await endpoint.stop();
      }
    },

    tokenFile: async () => {
      const tokenFile = world.file('token', `${world.secret(unsignedToken(USER, 600))}\n`);
      await createsTopics(world.installation(withToken({ tokenFile })));
    },

    registryBasic: async () => {
      const authorization = `Basic ${Buffer.from(`${USER}:${world.password}`).toString('base64')}`;
      const registry = await guardRegistry(world.registryUrl, { authorization: world.secret(authorization) });
      const auth = { username: USER, passwordFile: world.file('registry-password', world.password) };
      try {
        await worksWhole(
          world.installation({ kafka: { brokers: world.kafka.brokers }, registry: { url: registry.url, auth } }),
        );
      } finally {
        await registry.stop();
      }
    },

    registryBearer: async () => {
      const token = world.secret();
      const certificate = world.authority.issue({ name: 'registry', hosts: ['127.0.0.1'] });
      const registry = await guardRegistry(world.registryUrl, { authorization: `Bearer ${token}`, certificate });
      const installation = world.installation({
        registry: { url: `${registry.url}/`, tls: { caFile: world.caFile }, auth: { token } },
      });
      try {
        await registersSchemas(installation);
        const { code, stdout } = await installation.run('schemas', 'check');
        expect([code, stdout]).toStrictEqual([0, `${SUBJECTS} of ${SUBJECTS} registered and equal\n`]);
      } finally {
        await registry.stop();
      }
    },

    topicPrefix: async () => {
      const [one, other] = [world.installation(over('TLS')), world.installation(over('TLS'))] as const;
      for (const installation of [one, other]) {
        await createsTopics(installation);
        await registersSchemas(installation);
      }
      const verdicts = await one.judging((first) =>
        other.judging(async (second) => [await first(), await second(), await first()]),
      );
      expect(verdicts).toStrictEqual(['accepted', 'accepted', 'accepted']);
    },

    wrongPassword: async () => {
      const proxy = await countingProxy(world.listener('SASL'));
      const kafka = { brokers: [`127.0.0.1:${proxy.port}`], tls: { caFile: world.caFile } };
      const sasl = { mechanism: 'scram-sha-512', username: USER, password: world.secret() } as const;
      try {
        const refusal = 'holdfast: the broker HOST does not let this client in:';
        const way = '(are username and password of kafka.sasl right?) [HOLDFAST_KAFKA_REFUSED]';
        const scram = `${refusal} SASL SCRAM SHA512 authentication failed: Authentication failed during authentication due to invalid credentials with SASL mechanism SCRAM-SHA-512 ${way}`;
        expect([
          await failure({ kafka: { ...kafka, sasl } }),
          await failure({ kafka: { ...kafka, sasl: { ...sasl, mechanism: 'plain' } } }),
        ]).toStrictEqual([
          [2, scram],
          [
            2,
            `${refusal} SASL PLAIN authentication failed: Authentication failed: Invalid username or password ${way}`,
          ],
        ]);
        expect(proxy.connections()).toBe(2);
        const installation = world.installation({ kafka: { ...kafka, sasl } });
        await registersSchemas(installation);
        const served = await installation.run('serve', 'ledger');
        expect([served.code, said(served).split('\n').at(-1)]).toStrictEqual([2, scram]);
      } finally {
        await proxy.stop();
      }
    },

    wrongMechanism: async () => {
      const sasl = { mechanism: 'scram-sha-512', username: USER, password: world.password } as const;
      expect(await failure(over('OAUTH', { sasl }))).toStrictEqual([
        2,
        'holdfast: checking topics: UNSUPPORTED_SASL_MECHANISM: The broker does not support the requested SASL mechanism: set kafka.sasl.mechanism to one that it does [HOLDFAST_KAFKA_REFUSED]',
      ]);
    },

    unknownAuthority: async () => {
      const told =
        'holdfast: the certificate of the broker HOST is signed by nobody known here (self-signed certificate in certificate chain): name its certificate authority in kafka.tls.caFile [HOLDFAST_KAFKA_REFUSED]';
      const strange = world.file('strangers.pem', world.strangers.cert);
      expect([
        await failure(over('TLS', { tls: true })),
        await failure(over('TLS', { tls: { caFile: strange } })),
      ]).toStrictEqual([
        [2, told],
        [2, told],
      ]);
    },

    expiredCertificate: async () => {
      expect(await failure(over('EXPIRED'))).toStrictEqual([
        2,
        'holdfast: the certificate of the broker HOST is not valid at this time (certificate has expired) [HOLDFAST_KAFKA_REFUSED]',
      ]);
    },

    otherHost: async () => {
      expect(await failure(over('ELSEWHERE'))).toStrictEqual([
        2,
        "holdfast: the certificate of the broker HOST is for another host (Hostname/IP does not match certificate's altnames: IP: 127.0.0.1 is not in the cert's list: ): call it by a name in its certificate, or give that name in kafka.tls.serverName [HOLDFAST_KAFKA_REFUSED]",
      ]);
      const tls = { caFile: world.caFile, serverName: 'elsewhere.example' };
      await createsTopics(world.installation(over('ELSEWHERE', { tls })));
    },

    noClientCertificate: async () => {
      const stranger = world.strangers.issue({ name: 'client' });
      const tls = {
        caFile: world.caFile,
        certFile: world.file('stranger.pem', stranger.cert),
        keyFile: world.file('stranger.key', stranger.key),
      };
      expect([await failure(over('MTLS')), await failure(over('MTLS', { tls }))]).toStrictEqual([
        [
          2,
          'holdfast: the broker HOST accepts no client without a certificate that it knows (ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE): name one in kafka.tls.certFile and kafka.tls.keyFile [HOLDFAST_KAFKA_REFUSED]',
        ],
        [
          2,
          'holdfast: the broker HOST does not accept the client certificate in kafka.tls.certFile (ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN) [HOLDFAST_KAFKA_REFUSED]',
        ],
      ]);
    },

    plainToTls: async () => {
      expect(await failure({ kafka: { brokers: [world.listener('TLS')] } })).toStrictEqual([
        2,
        'holdfast: the broker HOST speaks TLS: set kafka.tls [HOLDFAST_KAFKA_REFUSED]',
      ]);
    },

    tlsToPlain: async () => {
      expect(await failure(over('PLAINTEXT'))).toStrictEqual([
        2,
        'holdfast: checking topics: KafkaJSConnectionError: Connection error: Client network socket disconnected before secure TLS connection was established: does the broker HOST speak TLS, as kafka.tls says? [HOLDFAST_STREAM_BROKER]',
      ]);
    },

    noSasl: async () => {
      const sasl = { mechanism: 'plain', username: USER, password: world.password } as const;
      expect([
        await failure(over('SASL')),
        await failure({ kafka: { brokers: world.kafka.brokers, sasl } }),
      ]).toStrictEqual([
        [
          2,
          'holdfast: checking topics: KafkaJSConnectionClosedError: Closed connection: does the broker HOST ask for SASL (kafka.sasl)? [HOLDFAST_STREAM_BROKER]',
        ],
        [
          2,
          'holdfast: checking topics: ILLEGAL_SASL_STATE: Request is not valid given the current SASL state: does the broker ask for SASL at this port, as kafka.sasl says? [HOLDFAST_KAFKA_REFUSED]',
        ],
      ]);
    },

    tokenEndpointDown: async () => {
      const gone = await serveTokens({ id: 'c', secret: 's', scope: '', lifeSeconds: 60 });
      await gone.stop();
      const sasl = { tokenEndpoint: gone.url, clientId: 'c', clientSecret: world.secret() };
      expect(await failure(withToken(sasl))).toStrictEqual([
        2,
        'holdfast: the token endpoint http://HOST/token gives no token: connect ECONNREFUSED HOST [HOLDFAST_OAUTH_UNAVAILABLE]',
      ]);
    },

    tokenRefused: async () => {
      const endpoint = await serveTokens({ id: 'c', secret: 's', scope: '', lifeSeconds: 60 });
      const sasl = { tokenEndpoint: endpoint.url, clientId: 'c', clientSecret: world.secret() };
      const tokenFile = world.file('no-token', world.secret());
      try {
        expect([await failure(withToken(sasl)), await failure(withToken({ tokenFile }))]).toStrictEqual([
          [
            2,
            'holdfast: the token endpoint http://HOST/token refuses: 401, invalid_client (are clientId, clientSecret and scope of kafka.sasl right?) [HOLDFAST_OAUTH_REFUSED]',
          ],
          [
            2,
            'holdfast: the broker HOST does not let this client in: the token is refused ({"status":"invalid_token"}) (is the token of kafka.sasl right?) [HOLDFAST_KAFKA_REFUSED]',
          ],
        ]);
        expect(endpoint.requests()).toBe(1);
      } finally {
        await endpoint.stop();
      }
    },

    secretMissing: async () => {
      const sasl = { mechanism: 'plain', username: USER, passwordFile: '/nowhere/gone' } as const;
      const auth = { tokenFile: '/nowhere/gone' };
      expect([
        await failure(withSasl(sasl)),
        await failure(over('TLS', { tls: { caFile: '/nowhere/gone' } })),
        await failure({ registry: { url: world.registryUrl, auth } }, 'schemas', 'check'),
      ]).toStrictEqual([
        [2, 'holdfast: kafka.sasl.passwordFile: gone cannot be read (ENOENT) [HOLDFAST_CONFIG_FILE_UNUSABLE]'],
        [2, 'holdfast: kafka.tls.caFile: gone cannot be read (ENOENT) [HOLDFAST_CONFIG_FILE_UNUSABLE]'],
        [2, 'holdfast: registry.auth.tokenFile: gone cannot be read (ENOENT) [HOLDFAST_CONFIG_FILE_UNUSABLE]'],
      ]);
    },

    registryUnauthorized: async () => {
      const token = world.secret();
      const registry = await guardRegistry(world.registryUrl, { authorization: `Bearer ${token}`, readOnly: true });
      const { pathname } = new URL(world.registryUrl);
      const at = (auth: { readonly token: string }): PartialConfig => ({ registry: { url: registry.url, auth } });
      try {
        expect([
          await failure(at({ token: world.secret() }), 'schemas', 'check'),
          await failure(at({ token }), 'schemas', 'register'),
        ]).toStrictEqual([
          [
            2,
            `holdfast: the schema registry http://HOST${pathname} does not know who asks (401): is registry.auth right? [HOLDFAST_REGISTRY_REFUSED]`,
          ],
          [
            2,
            `holdfast: the schema registry http://HOST${pathname} does not allow this (403): has the user of registry.auth the right to it? [HOLDFAST_REGISTRY_REFUSED]`,
          ],
        ]);
      } finally {
        await registry.stop();
      }
    },

    registryUntrusted: async () => {
      const certificate = world.authority.issue({ name: 'registry', hosts: ['127.0.0.1'] });
      const registry = await guardRegistry(world.registryUrl, { authorization: '', certificate });
      const { pathname } = new URL(world.registryUrl);
      try {
        expect(await failure({ registry: { url: registry.url } }, 'schemas', 'check')).toStrictEqual([
          2,
          `holdfast: the schema registry https://HOST${pathname} gives no answer: the certificate of HOST is signed by nobody known here (self-signed certificate in certificate chain): name its certificate authority in registry.tls.caFile [HOLDFAST_REGISTRY_UNREACHABLE]`,
        ]);
      } finally {
        await registry.stop();
      }
    },
  },
  ROW_TIMEOUT_MS,
);
