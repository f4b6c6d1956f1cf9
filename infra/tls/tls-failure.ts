/** Where in the configuration the ways out are. */
type Place = {
  /** Who was called: `the broker kafka.example:9093`. */
  readonly peer: string;
  /** The settings of this connection: `kafka.tls`. */
  readonly setting: string;
};

const EXPIRED = ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'];
const UNKNOWN_CA = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
];
const OTHER_CERTIFICATE_FAULTS = [
  'CERT_SIGNATURE_FAILURE',
  'CERT_CHAIN_TOO_LONG',
  'CERT_REVOKED',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'CERT_UNTRUSTED',
  'CERT_REJECTED',
];

/**
 * Why TLS did not come about, and the way out; `undefined` where it is no matter of TLS. What is explained here stays so
 * until somebody changes something: trying again is of no use.
 */
export const explainTlsFailure = (error: unknown, { peer, setting }: Place): string | undefined => {
  const { code = '', message = '' } = error as { readonly code?: string; readonly message?: string };
  if (EXPIRED.includes(code)) return `the certificate of ${peer} is not valid at this time (${message})`;
  if (UNKNOWN_CA.includes(code))
    return `the certificate of ${peer} is signed by nobody known here (${message}): name its certificate authority in ${setting}.caFile`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `the certificate of ${peer} is for another host (${message}): call it by a name in its certificate, or give that name in ${setting}.serverName`;
  if (OTHER_CERTIFICATE_FAULTS.includes(code)) return `the certificate of ${peer} cannot be trusted (${message})`;
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG')
    return `${peer} does not speak TLS, but ${setting} asks for it`;
  if (/^ERR_SSL_.*(CERTIFICATE_REQUIRED|BAD_CERTIFICATE|HANDSHAKE_FAILURE)$/.test(code))
    return `${peer} accepts no client without a certificate that it knows (${code}): name one in ${setting}.certFile and ${setting}.keyFile`;
  if (/^ERR_SSL_.*(UNKNOWN_CA|CERTIFICATE_UNKNOWN|CERTIFICATE_EXPIRED)$/.test(code))
    return `${peer} does not accept the client certificate in ${setting}.certFile (${code})`;
  if (code.startsWith('ERR_SSL_')) return `no TLS with ${peer} (${code})`;
  return undefined;
};
