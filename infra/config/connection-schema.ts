import {
  count,
  listOf,
  matching,
  object,
  oneOf,
  path,
  secretText,
  text,
  url,
  type SchemaNode,
} from './schema-words.js';

const tls = (peer: string): SchemaNode => ({
  ...object(`TLS with ${peer}: true, or the settings below. Its certificate is always verified.`, {
    caFile: path(
      `PEM file with the certificate authorities that may sign the certificate of ${peer}. Absent: those that Node trusts.`,
    ),
    certFile: path('PEM file with the client certificate (mTLS).'),
    keyFile: path('PEM file with the key of the client certificate.'),
    keyPassphrase: secretText('What the key is encrypted with.'),
    keyPassphraseFile: path('File with what the key is encrypted with.'),
    serverName: text(`Name in the certificate of ${peer}, where it is not the one that is dialled.`),
  }),
  type: ['boolean', 'object'],
});

const sasl = object('Who Holdfast is to the brokers.', {
  mechanism: oneOf('How it proves that.', ['plain', 'scram-sha-256', 'scram-sha-512', 'oauthbearer']),
  username: text('User of plain or SCRAM.'),
  password: secretText('Password of plain or SCRAM.'),
  passwordFile: path('File with the password; read again at each authentication.'),
  tokenEndpoint: url(
    'OAUTHBEARER: where tokens are asked for by client credentials (RFC 6749 §4.4).',
    'clientId and clientSecret',
  ),
  tokenEndpointCaFile: path('PEM file with the certificate authorities of the token endpoint.'),
  clientId: text('OAUTHBEARER: client ID at the token endpoint.'),
  clientSecret: secretText('OAUTHBEARER: client secret at the token endpoint.'),
  clientSecretFile: path('File with the client secret.'),
  scope: text('OAUTHBEARER: scope of the tokens.'),
  tokenFile: path(
    'OAUTHBEARER: file with a token that somebody else renews; read again at each authentication. Instead of the token endpoint.',
  ),
});

export const KAFKA_SCHEMA = object('The brokers, and what Holdfast has there.', {
  brokers: {
    ...listOf(
      'Where to begin, host:port each.',
      matching('Address of a broker.', 'host:port', '^(\\[[0-9A-Fa-f:.]+\\]|[^\\s:,/]+):[0-9]+$'),
    ),
    minItems: 1,
  },
  topicPrefix: matching(
    'Before every topic, group and transactional ID.',
    'letters, digits, . _ -',
    '^[A-Za-z0-9._-]*$',
  ),
  partitions: count('Partitions of the topics, fixed for ever once they are created.'),
  replicationFactor: count('Replicas of the topics that "topics create" makes.'),
  groups: count('Task groups of the ledger: at most so many instances work at a time.'),
  tls: tls('the brokers'),
  sasl,
});

export const REGISTRY_SCHEMA = object('The schema registry.', {
  url: url('Its Confluent-compatible API.', 'registry.auth'),
  tls: tls('the registry'),
  auth: object('Who Holdfast is to the registry: user and password, or a token.', {
    username: text('User (HTTP Basic).'),
    password: secretText('Password (HTTP Basic).'),
    passwordFile: path('File with the password; read again for each request.'),
    token: secretText('Bearer token.'),
    tokenFile: path('File with the bearer token; read again for each request.'),
  }),
});
