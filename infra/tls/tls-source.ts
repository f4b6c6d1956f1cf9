import { readFileSync } from 'node:fs';
import { createSecureContext, type ConnectionOptions, type SecureContext } from 'node:tls';
import { errorCode } from '../error-code.js';
import { HoldfastError } from '../errors.js';

/** Files that TLS is spoken with, as configured: whose certificates are trusted, and who one is. */
export type TlsFiles = {
  /** PEM; what is not signed by one of these is refused. Absent: the certificate authorities that Node trusts. */
  readonly caFile?: string;
  readonly certFile?: string;
  readonly keyFile?: string;
  readonly keyPassphrase?: string;
  readonly keyPassphraseFile?: string;
  /** The name in the peer's certificate, where it is not the one that is dialled. */
  readonly serverName?: string;
};

/** Options for one new connection: files are read each time, so that renewed certificates need no restart. */
export type TlsSource = () => ConnectionOptions;

/** A file that a setting names cannot be read, or does not hold what it should. The message names both. */
export class SettingFileError extends HoldfastError {
  constructor(setting: string, detail: string, cause?: unknown) {
    super(`${setting}: ${detail}`, { code: 'HOLDFAST_CONFIG_FILE_UNUSABLE', retryable: false, cause });
  }
}

/** The text of the file that `setting` names. @throws SettingFileError */
export const readSettingFile = (setting: string, file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new SettingFileError(setting, `${file} cannot be read (${errorCode(cause)})`, cause);
  }
};

/** The secret in the file that `setting` names, without the line break that editors leave. @throws SettingFileError */
export const readSecretFile = (setting: string, file: string): string => {
  const secret = readSettingFile(setting, file).replace(/\r?\n$/, '');
  if (secret === '') throw new SettingFileError(setting, `${file} is empty`);
  return secret;
};

/** Verification is always on, whatever NODE_TLS_REJECT_UNAUTHORIZED says. @throws SettingFileError when it is called */
export const tlsSource =
  (setting: string, files: TlsFiles = {}): TlsSource =>
  () => ({
    secureContext: contextOf(setting, files),
    ...(files.serverName === undefined ? {} : { servername: files.serverName }),
    rejectUnauthorized: true,
  });

const contextOf = (setting: string, { caFile, certFile, keyFile, ...files }: TlsFiles): SecureContext => {
  const passphrase =
    files.keyPassphraseFile === undefined
      ? files.keyPassphrase
      : readSecretFile(`${setting}.keyPassphraseFile`, files.keyPassphraseFile);
  const options = {
    ...(caFile === undefined ? {} : { ca: certificates(`${setting}.caFile`, caFile) }),
    ...(certFile === undefined ? {} : { cert: certificates(`${setting}.certFile`, certFile) }),
    ...(keyFile === undefined ? {} : { key: readSettingFile(`${setting}.keyFile`, keyFile) }),
    ...(passphrase === undefined ? {} : { passphrase }),
  };
  try {
    return createSecureContext(options);
  } catch (cause) {
    const named = [caFile, certFile, keyFile].filter((file) => file !== undefined).join(', ');
    throw new SettingFileError(setting, `${named} cannot be used: ${reasonOf(cause)}`, cause);
  }
};

const certificates = (setting: string, file: string): string => {
  const text = readSettingFile(setting, file);
  // OpenSSL passes over a file without any, and then trusts nobody.
  if (!text.includes('-----BEGIN ')) throw new SettingFileError(setting, `${file} holds no certificate in PEM form`);
  return text;
};

/** OpenSSL says little of keys. */
const reasonOf = (error: unknown): string => {
  const code = errorCode(error);
  if (/BAD_DECRYPT|PASSWORD|CRYPTO_INTERRUPTED|CANCELLED/i.test(code)) return 'is keyPassphrase right?';
  if (code === 'ERR_OSSL_X509_KEY_VALUES_MISMATCH') return 'the key is not that of the certificate';
  return error instanceof Error ? error.message : code;
};
