import { randomBytes } from 'node:crypto';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HoldfastError } from '../errors.js';
import { brokerProperties, NODE_ID, propertiesText } from './broker-properties.js';
import { runCommand } from './run-command.js';

const META = 'meta.properties';

/**
 * Formats an empty storage directory with Kafka's own tool.
 * @throws HoldfastError `HOLDFAST_BACKEND_FETCH_FAILED` when the fetched Kafka cannot do it.
 */
export async function formatTemplate(options: {
  readonly java: string;
  readonly classPath: string;
  readonly logging: string;
  readonly directory: string;
}): Promise<void> {
  const config = `${options.directory}.properties`;
  // Ports do not reach the formatted files (the voters are static), so any will do.
  const ports = { client: 1, controller: 2, extra: [] };
  await writeFile(config, propertiesText(brokerProperties({ directory: options.directory, ports })));
  const { code, output } = await runCommand([
    options.java,
    '-XX:+UseSerialGC',
    '-XX:TieredStopAtLevel=1',
    `-Dlog4j2.configurationFile=${options.logging}`,
    '-cp',
    options.classPath,
    'kafka.tools.StorageTool',
    'format',
    '--cluster-id',
    kafkaUuid(),
    '--config',
    config,
  ]);
  await rm(config);
  if (code === 0) return;
  throw new HoldfastError(`Kafka could not format its storage:\n${output.trim().slice(-2000)}`, {
    code: 'HOLDFAST_BACKEND_FETCH_FAILED',
    retryable: true,
  });
}

/** A new, empty storage directory with identifiers of its own, made from the formatted template. */
export async function newStorage(template: string, directory: string): Promise<void> {
  await cp(template, directory, { recursive: true });
  const meta = await readFile(join(template, META), 'utf8');
  const renewed = meta
    .replace(/^cluster\.id=.*$/m, `cluster.id=${kafkaUuid()}`)
    .replace(/^directory\.id=.*$/m, `directory.id=${kafkaUuid()}`)
    .replace(/^node\.id=.*$/m, `node.id=${NODE_ID}`);
  await writeFile(join(directory, META), renewed);
}

/** Kafka's text form of a UUID; one that begins with a dash would be taken for an option by its tools. */
function kafkaUuid(): string {
  const text = randomBytes(16).toString('base64url');
  return text.startsWith('-') ? kafkaUuid() : text;
}
