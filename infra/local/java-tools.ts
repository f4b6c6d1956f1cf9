import { join } from 'node:path';
import { HoldfastError } from '../errors.js';
import { findExecutable, isExecutable, runCommand } from './run-command.js';

const MINIMUM_JAVA = 17;

const WAYS_OUT = [
  `install Java ${MINIMUM_JAVA} or newer and Maven, and put both on the PATH`,
  'or start Kafka and a Confluent-compatible schema registry in Docker (docker-compose.yml)',
  'or point HOLDFAST_KAFKA_BROKERS and HOLDFAST_REGISTRY_URL at a Kafka and a registry that already run',
];

/**
 * The Java launcher, from JAVA_HOME or the PATH, known to be new enough.
 * @throws HoldfastError `HOLDFAST_BACKEND_JAVA_MISSING` with the ways out when there is none, or only an older one.
 */
export async function requireJava(): Promise<string> {
  const java = await findJava();
  const mavenToo = (await findExecutable('mvn', process.env)) === undefined ? ' and no Maven (mvn)' : '';
  if (java === undefined) {
    throw missing('HOLDFAST_BACKEND_JAVA_MISSING', `found no Java (java) in JAVA_HOME or on the PATH${mavenToo}`);
  }
  const { code, output } = await runCommand([java, '-version']);
  const version = /version "(?:1\.)?(\d+)/.exec(output)?.[1];
  if (code !== 0 || version === undefined) {
    throw missing('HOLDFAST_BACKEND_JAVA_MISSING', `found a Java that does not run (${output.trim().slice(0, 200)})`);
  }
  if (Number(version) < MINIMUM_JAVA) {
    throw missing('HOLDFAST_BACKEND_JAVA_MISSING', `found only Java ${version}, it needs ${MINIMUM_JAVA} or newer`);
  }
  return java;
}

/**
 * The Maven launcher: needed only to fetch what the cache does not hold yet.
 * @throws HoldfastError `HOLDFAST_BACKEND_MAVEN_MISSING` with the ways out when the PATH has none.
 */
export async function requireMaven(): Promise<string> {
  const maven = await findExecutable('mvn', process.env);
  if (maven === undefined) {
    throw missing('HOLDFAST_BACKEND_MAVEN_MISSING', 'found no Maven (mvn) on the PATH to fetch Kafka and the registry');
  }
  return maven;
}

async function findJava(): Promise<string | undefined> {
  const home = process.env.JAVA_HOME;
  if (home !== undefined && home !== '') {
    const candidate = join(home, 'bin', 'java');
    if (await isExecutable(candidate)) return candidate;
  }
  return findExecutable('java', process.env);
}

function missing(
  code: 'HOLDFAST_BACKEND_JAVA_MISSING' | 'HOLDFAST_BACKEND_MAVEN_MISSING',
  what: string,
): HoldfastError {
  return new HoldfastError(`The local backend cannot start: ${what}. Ways out: ${WAYS_OUT.join('; ')}.`, {
    code,
    retryable: false,
  });
}
