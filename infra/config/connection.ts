import { clientCredentialsTokens } from '../http/oauth-token.js';
import { httpAgent } from '../http/http-request.js';
import type { KafkaConnection } from '../kafka/kafka-config.js';
import type { KafkaSasl } from '../kafka/sasl.js';
import type { RegistryConnection } from '../registry/registry-connection.js';
import { readSecretFile, tlsSource, type TlsSource } from '../tls/tls-source.js';
import type { HoldfastConfig } from './config.js';
import type { RegistryAuthSettings, SaslSettings, TlsSettings } from './connection-settings.js';
import { secret } from './secret.js';

/** How the brokers are reached. Secrets and certificates are read when a connection is made, not here. */
export const kafkaConnection = ({ kafka }: HoldfastConfig, clientId: string): KafkaConnection => {
  const tls = tlsOf('kafka.tls', kafka.tls);
  return {
    brokers: kafka.brokers,
    clientId,
    ...(tls === undefined ? {} : { tls }),
    ...(kafka.sasl === undefined ? {} : { sasl: saslOf(kafka.sasl) }),
  };
};

/** How the registry is reached. Secrets and certificates are read when they are needed, not here. */
export const registryConnection = ({ registry }: HoldfastConfig): RegistryConnection => {
  const url = registry.url.replace(/\/+$/, '');
  return {
    url,
    ...(registry.auth === undefined ? {} : { authorization: authorizationOf(registry.auth) }),
    ...(url.startsWith('https:')
      ? { agent: httpAgent(url, tlsOf('registry.tls', registry.tls) ?? tlsSource('registry.tls'), 'registry.tls') }
      : {}),
  };
};

const tlsOf = (setting: string, tls: TlsSettings | undefined): TlsSource | undefined =>
  tls === undefined || tls === false ? undefined : tlsSource(setting, tls === true ? {} : tls);

const saslOf = (sasl: SaslSettings): KafkaSasl => {
  const { mechanism, username = '' } = sasl;
  if (mechanism === 'oauthbearer') return { mechanism, token: tokensOf(sasl) };
  const password = secret('kafka.sasl.password', sasl.password, sasl.passwordFile);
  return { mechanism, credentials: () => ({ username, password: password() }) };
};

const tokensOf = (sasl: SaslSettings): (() => Promise<string>) => {
  const { tokenFile, tokenEndpoint = '', tokenEndpointCaFile: caFile, clientId = '', scope } = sasl;
  if (tokenFile !== undefined) return async () => Promise.resolve(readSecretFile('kafka.sasl.tokenFile', tokenFile));
  const setting = 'kafka.sasl.tokenEndpoint';
  return clientCredentialsTokens({
    tokenEndpoint,
    clientId,
    clientSecret: secret('kafka.sasl.clientSecret', sasl.clientSecret, sasl.clientSecretFile),
    ...(scope === undefined ? {} : { scope }),
    agent: httpAgent(tokenEndpoint, tlsSource(setting, caFile === undefined ? {} : { caFile }), setting),
  });
};

const authorizationOf = (auth: RegistryAuthSettings): (() => string) => {
  if (auth.token !== undefined || auth.tokenFile !== undefined) {
    const token = secret('registry.auth.token', auth.token, auth.tokenFile);
    return () => `Bearer ${token()}`;
  }
  const password = secret('registry.auth.password', auth.password, auth.passwordFile);
  return () => `Basic ${Buffer.from(`${auth.username ?? ''}:${password()}`).toString('base64')}`;
};
