import { spawn } from 'node:child_process';
import { kafkaTool } from '../../../infra/local/kafka-tool.js';
import { startLocalKafka, type LocalKafka } from '../../../infra/local/local-backend.js';
import { dyingWithParent } from '../../../infra/local/run-command.js';
import type { Authority, Certificate } from './certificates.js';

export const USER = 'holdfast';

const keystore = (listener: string, { cert, key }: Certificate): Readonly<Record<string, string>> => ({
  [`listener.name.${listener}.ssl.keystore.type`]: 'PEM',
  [`listener.name.${listener}.ssl.keystore.certificate.chain`]: cert,
  [`listener.name.${listener}.ssl.keystore.key`]: key,
});

const PASSWORDS = ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'];
const scramLogin = 'org.apache.kafka.common.security.scram.ScramLoginModule required;';

/** One broker with a listener for each way to be let in: TLS, MTLS, SASL (over TLS), OAUTH (over TLS), and faulty ones. */
export const startSecuredKafka = async (authority: Authority, password: string): Promise<LocalKafka> => {
  const good = authority.issue({ name: 'broker', hosts: ['127.0.0.1', 'broker.example'] });
  const plainLogin = `org.apache.kafka.common.security.plain.PlainLoginModule required user_${USER}="${password}";`;
  const kafka = await startLocalKafka({
    kafka: {
      listeners: [
        { name: 'TLS', protocol: 'SSL' },
        { name: 'MTLS', protocol: 'SSL' },
        { name: 'EXPIRED', protocol: 'SSL' },
        { name: 'ELSEWHERE', protocol: 'SSL' },
        { name: 'SASL', protocol: 'SASL_SSL' },
        { name: 'OAUTH', protocol: 'SASL_SSL' },
      ],
      properties: {
        ...keystore('tls', good),
        ...keystore('mtls', good),
        'listener.name.mtls.ssl.client.auth': 'required',
        'listener.name.mtls.ssl.truststore.type': 'PEM',
        'listener.name.mtls.ssl.truststore.certificates': authority.cert,
        ...keystore('expired', authority.issue({ name: 'expired', hosts: ['127.0.0.1'], expired: true })),
        ...keystore('elsewhere', authority.issue({ name: 'elsewhere', hosts: ['elsewhere.example'] })),
        ...keystore('sasl', good),
        'listener.name.sasl.sasl.enabled.mechanisms': PASSWORDS.join(','),
        'listener.name.sasl.plain.sasl.jaas.config': plainLogin,
        'listener.name.sasl.scram-sha-256.sasl.jaas.config': scramLogin,
        'listener.name.sasl.scram-sha-512.sasl.jaas.config': scramLogin,
        ...keystore('oauth', good),
        'listener.name.oauth.sasl.enabled.mechanisms': 'OAUTHBEARER',
        'listener.name.oauth.oauthbearer.sasl.jaas.config':
          'org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub="broker";',
        // Tokens end while connections are in use.
        'listener.name.oauth.connections.max.reauth.ms': 60_000,
      },
    },
  });
  // Kafka takes one of them at a time.
  await Promise.all(['SCRAM-SHA-256', 'SCRAM-SHA-512'].map((mechanism) => addScramUser(kafka, mechanism, password)));
  return kafka;
};

const addScramUser = async ({ brokers }: LocalKafka, mechanism: string, password: string): Promise<void> => {
  const { command, args } = await kafkaTool('org.apache.kafka.tools.ConfigCommand', [
    ...['--bootstrap-server', brokers.join(',')],
    ...['--alter', '--entity-type', 'users', '--entity-name', USER],
    ...['--add-config', `${mechanism}=[password=${password}]`],
  ]);
  const [file = '', ...words] = await dyingWithParent([command, ...args]);
  const child = spawn(file, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`the SCRAM user could not be made: ${said}`);
};
