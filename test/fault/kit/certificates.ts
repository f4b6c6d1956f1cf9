import { createPrivateKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import forge from 'node-forge';

/** PEM texts. */
export type Certificate = { readonly cert: string; readonly key: string };

type Wanted = {
  readonly name: string;
  /** DNS names and IP addresses it is good for. */
  readonly hosts?: readonly string[];
  readonly expired?: true;
};

const DAY_MS = 24 * 60 * 60 * 1000;
const DNS = 2;
const IP = 7;

/** A certificate authority of the test's own. */
export class Authority {
  readonly #own: Certificate;

  constructor(name: string) {
    this.#own = issued({ name }, undefined);
  }

  get cert(): string {
    return this.#own.cert;
  }

  issue(wanted: Wanted): Certificate {
    const { cert, key } = issued(wanted, this.#own);
    return { cert: `${cert}${this.cert}`, key };
  }
}

/** The key as files of users hold it. */
export const encryptedKey = (key: string, passphrase: string): string =>
  createPrivateKey(key).export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase }).toString();

const issued = ({ name, hosts = [], expired }: Wanted, by: Certificate | undefined): Certificate => {
  const pair = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(pair.publicKey);
  certificate.serialNumber = `01${randomBytes(8).toString('hex')}`;
  const until = expired === true ? -DAY_MS : DAY_MS;
  certificate.validity.notBefore = new Date(Date.now() - 2 * DAY_MS);
  certificate.validity.notAfter = new Date(Date.now() + until);
  const issuer = by === undefined ? undefined : forge.pki.certificateFromPem(by.cert);
  certificate.setSubject([{ name: 'commonName', value: name }]);
  certificate.setIssuer(issuer?.subject.attributes ?? certificate.subject.attributes);
  certificate.setExtensions([
    { name: 'basicConstraints', cA: by === undefined, critical: true },
    ...(hosts.length === 0 ? [] : [{ name: 'subjectAltName', altNames: hosts.map(altName) }]),
  ]);
  certificate.sign(forge.pki.privateKeyFromPem(by?.key ?? pair.privateKey), forge.md.sha256.create());
  return { cert: forge.pki.certificateToPem(certificate).replaceAll('\r', ''), key: pair.privateKey };
};

const altName = (host: string) => (/^[\d.]+$/.test(host) ? { type: IP, ip: host } : { type: DNS, value: host });
