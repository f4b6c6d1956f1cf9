import type { TlsFiles } from '../tls/tls-source.js';

/** Who one is to the brokers. Of each secret one form is set: the text, or the file that holds it. */
export type SaslSettings = {
  readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512' | 'oauthbearer';
  readonly username?: string;
  readonly password?: string;
  readonly passwordFile?: string;
  /** OAUTHBEARER: tokens of the client credentials grant (RFC 6749 §4.4) … */
  readonly tokenEndpoint?: string;
  readonly tokenEndpointCaFile?: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly clientSecretFile?: string;
  readonly scope?: string;
  /** … or the token in a file that somebody else renews. */
  readonly tokenFile?: string;
};

/** `true`: TLS with the certificate authorities that Node trusts. */
export type TlsSettings = boolean | TlsFiles;

/** Who one is to the registry: a user with a password, or the bearer of a token. */
export type RegistryAuthSettings = {
  readonly username?: string;
  readonly password?: string;
  readonly passwordFile?: string;
  readonly token?: string;
  readonly tokenFile?: string;
};
