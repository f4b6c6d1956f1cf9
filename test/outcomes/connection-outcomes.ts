import { outcomeTable } from './outcome.js';

/** How brokers and registries are reached, and what is told where that fails. */
export const CONNECTION_OUTCOMES = outcomeTable('Connections', {
  tls: {
    given: 'Brokers with TLS whose certificate is of a private authority (`kafka.tls.caFile`)',
    outcome: 'Topics are created and observations judged; the certificate is always verified',
  },
  mutualTls: {
    given:
      'Brokers that ask for a client certificate, whose key is encrypted (`certFile`, `keyFile`, `keyPassphraseFile`)',
    outcome: 'Topics are created and observations judged',
  },
  plain: {
    given: 'SASL PLAIN over TLS, the password in a file (`kafka.sasl.passwordFile`)',
    outcome: 'Topics are created and observations judged',
  },
  scram256: { given: 'SASL SCRAM-SHA-256', outcome: 'Topics are created' },
  scram512: {
    given: 'SASL SCRAM-SHA-512, all of it from the environment, the password by `HOLDFAST_KAFKA_SASL_PASSWORD`',
    outcome: 'Topics are created and observations judged',
  },
  tokenEndpoint: {
    given:
      'SASL OAUTHBEARER with tokens of an https endpoint (client credentials) that end while connections are in use',
    outcome: 'Observations are judged before and after; each token is renewed in time',
  },
  tokenFile: {
    given: 'SASL OAUTHBEARER with a token in a file that somebody else renews',
    outcome: 'Topics are created',
  },
  registryBasic: {
    given: 'A registry that asks for user and password',
    outcome: 'Schemas are registered and observations judged',
  },
  registryBearer: {
    given: 'A registry with https of a private authority that asks for a bearer token',
    outcome: 'Schemas are registered and checked',
  },
  topicPrefix: {
    given: 'A topic prefix',
    outcome: 'Topics, groups and schemas of two installations on one broker lie side by side; each judges its own',
  },
  wrongPassword: {
    given: 'A wrong password',
    outcome:
      'Exit code 2 at once, after one attempt a connection; the message names the broker and `kafka.sasl`, not the password',
  },
  wrongMechanism: {
    given: 'A mechanism that the broker does not offer',
    outcome: 'Exit code 2 at once, with the setting to change',
  },
  unknownAuthority: {
    given: 'A broker whose certificate is of an unknown authority',
    outcome: 'Exit code 2 at once; the message names `kafka.tls.caFile`',
  },
  expiredCertificate: {
    given: 'A broker whose certificate has expired',
    outcome: 'Exit code 2 at once, saying so',
  },
  otherHost: {
    given: 'A broker whose certificate is for another host',
    outcome: 'Exit code 2 at once; the message names `kafka.tls.serverName`, which then lets it in',
  },
  noClientCertificate: {
    given: 'No client certificate, or a stranger’s, where the broker asks for one',
    outcome: 'Exit code 2; the message names `kafka.tls.certFile`',
  },
  plainToTls: {
    given: 'No TLS towards a port that speaks TLS',
    outcome: 'Exit code 2; the message says to set `kafka.tls`',
  },
  tlsToPlain: {
    given: 'TLS towards a port that does not speak it',
    outcome: 'Exit code 2 after some seconds; the message asks whether `kafka.tls` is right',
  },
  noSasl: {
    given: 'No SASL where the broker asks for it, or the reverse',
    outcome: 'Exit code 2 after some seconds; the message asks whether `kafka.sasl` is right',
  },
  tokenEndpointDown: {
    given: 'A token endpoint that is not there',
    outcome: 'Exit code 2 after some seconds; the message names the endpoint',
  },
  tokenRefused: {
    given: 'A token endpoint that refuses, or a broker that refuses the token',
    outcome: 'Exit code 2 at once; the message quotes the refusal',
  },
  secretMissing: {
    given: 'A file with a secret that is not there',
    outcome: 'Exit code 2 at once; the message names setting and file',
  },
  registryUnauthorized: {
    given: 'A registry that answers 401 or 403',
    outcome: 'Exit code 2; the message names `registry.auth`, or the right that its user lacks',
  },
  registryUntrusted: {
    given: 'A registry whose certificate is of an unknown authority',
    outcome: 'Exit code 2; the message names `registry.tls.caFile`',
  },
});
