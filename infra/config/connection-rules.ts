import type { RegistryAuthSettings, SaslSettings, TlsSettings } from './connection-settings.js';

/** What is wrong with settings that are well-formed each, and at which of them. */
export type Conflict = { readonly path: readonly string[]; readonly text: string };

type Connections = {
  readonly kafka?: { readonly tls?: TlsSettings; readonly sasl?: Partial<SaslSettings> };
  readonly registry?: { readonly url?: string; readonly tls?: TlsSettings; readonly auth?: RegistryAuthSettings };
};

const PASSWORDS = ['username', 'password', 'passwordFile'] as const;
const GRANT = [
  'tokenEndpoint',
  'tokenEndpointCaFile',
  'clientId',
  'clientSecret',
  'clientSecretFile',
  'scope',
] as const;

/** Settings of connections that contradict each other or lack their counterpart, over all sources together. */
export const connectionConflicts = ({ kafka, registry }: Connections): readonly Conflict[] => [
  ...tlsConflicts(['kafka', 'tls'], kafka?.tls),
  ...(kafka?.sasl === undefined ? [] : saslConflicts(kafka.sasl)),
  ...tlsConflicts(['registry', 'tls'], registry?.tls),
  ...(registry?.tls !== undefined && registry.tls !== false && registry.url?.startsWith('http:') === true
    ? [{ path: ['registry', 'tls'], text: 'is set, but registry.url begins with http:' }]
    : []),
  ...(registry?.auth === undefined ? [] : authConflicts(registry.auth)),
];

const tlsConflicts = (at: readonly string[], tls: TlsSettings | undefined): readonly Conflict[] => {
  if (tls === undefined || typeof tls === 'boolean') return [];
  const together = has(at, tls);
  return [
    ...together.needs('certFile', 'keyFile'),
    ...together.needs('keyFile', 'certFile'),
    ...together.needs('keyPassphrase', 'keyFile'),
    ...together.needs('keyPassphraseFile', 'keyFile'),
    ...together.excludes('keyPassphrase', 'keyPassphraseFile'),
  ];
};

const saslConflicts = (sasl: Partial<SaslSettings>): readonly Conflict[] => {
  const at = ['kafka', 'sasl'];
  const together = has(at, sasl);
  const { mechanism } = sasl;
  if (mechanism === undefined) return [{ path: at, text: 'mechanism is missing' }];
  if (mechanism !== 'oauthbearer')
    return [
      ...together.wants('username'),
      ...together.wantsOne('password', 'passwordFile'),
      ...together.foreign([...GRANT, 'tokenFile'], `has no part in mechanism ${mechanism}`),
    ];
  return [
    ...together.foreign(PASSWORDS, 'has no part in mechanism oauthbearer'),
    ...(sasl.tokenFile === undefined
      ? [
          ...together.wantsOne('tokenEndpoint', 'tokenFile'),
          ...together.wants('clientId'),
          ...together.wantsOne('clientSecret', 'clientSecretFile'),
        ]
      : together.foreign(GRANT, 'has no part where tokenFile is set')),
  ];
};

const authConflicts = (auth: RegistryAuthSettings): readonly Conflict[] => {
  const together = has(['registry', 'auth'], auth);
  if (auth.token !== undefined || auth.tokenFile !== undefined)
    return [
      ...together.excludes('token', 'tokenFile'),
      ...together.foreign(PASSWORDS, 'has no part where a token is set'),
    ];
  return [...together.wants('username'), ...together.wantsOne('password', 'passwordFile')];
};

const has = <Settings extends object>(at: readonly string[], settings: Settings) => {
  type Name = keyof Settings & string;
  const set = (name: Name): boolean => settings[name] !== undefined;
  const excludes = (one: Name, other: Name): readonly Conflict[] =>
    set(one) && set(other) ? [{ path: [...at, other], text: `is set beside ${one}; set one of them` }] : [];
  return {
    excludes,
    needs: (one: Name, other: Name): readonly Conflict[] =>
      set(one) && !set(other) ? [{ path: [...at, one], text: `is set, but ${other} is not` }] : [],
    wants: (name: Name): readonly Conflict[] => (set(name) ? [] : [{ path: at, text: `${name} is missing` }]),
    wantsOne: (one: Name, other: Name): readonly Conflict[] =>
      set(one) || set(other) ? excludes(one, other) : [{ path: at, text: `${one} or ${other} is missing` }],
    foreign: (names: readonly Name[], why: string): readonly Conflict[] =>
      names.filter(set).map((name) => ({ path: [...at, name], text: why })),
  };
};
