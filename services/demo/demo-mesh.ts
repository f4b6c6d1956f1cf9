import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PartialConfig } from '../../infra/config/config-source.js';
import { HoldfastError } from '../../infra/errors.js';
import { dyingWithParent } from '../../infra/local/run-command.js';

/** All services of Holdfast in one process of their own (`holdfast up`), over the topics of one variant. */
export type DemoMesh = {
  readonly gatewayUrl: string;
  readonly configFile: string;
  readonly stop: () => Promise<void>;
};

const READY_PATIENCE_MS = 60_000;
const STOP_PATIENCE_MS = 15_000;

/**
 * Writes the configuration and starts `holdfast up` with it; resolves when its gateway answers.
 * @throws HoldfastError `HOLDFAST_DEMO_MESH_NOT_READY` with the end of its log
 */
export const startMesh = async (directory: string, config: PartialConfig): Promise<DemoMesh> => {
  await mkdir(directory, { recursive: true });
  const configFile = join(directory, 'holdfast.yaml');
  const logFile = join(directory, 'holdfast.log');
  // JSON is YAML.
  await writeFile(configFile, JSON.stringify(config, null, 2));
  const main = fileURLToPath(new URL('../cli/main.js', import.meta.url));
  const [file = '', ...args] = await dyingWithParent([process.execPath, main, 'up', '--config', configFile]);
  const child = spawn(file, args, { stdio: ['ignore', 'ignore', 'pipe'], env: withoutBackend(process.env) });
  child.stderr.pipe(createWriteStream(logFile));
  const log: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => log.push(chunk.toString()));
  const ended = new Promise<void>((resolve) =>
    child.once('close', () => {
      resolve();
    }),
  );
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    const kill = setTimeout(() => child.kill('SIGKILL'), STOP_PATIENCE_MS);
    await ended;
    clearTimeout(kill);
  };
  const gatewayUrl = `http://${config.gateway?.host ?? '127.0.0.1'}:${config.gateway?.port ?? 0}`;
  const ready = await Promise.race([ended.then(() => false), answers(`${gatewayUrl}/healthz`)]);
  if (ready) return { gatewayUrl, configFile, stop };
  await stop();
  throw new HoldfastError(`Holdfast did not come up. It said:\n${log.join('').split('\n').slice(-20).join('\n')}`, {
    code: 'HOLDFAST_DEMO_MESH_NOT_READY',
    retryable: false,
  });
};

/** The configuration file alone decides where broker and registry are. */
const withoutBackend = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('HOLDFAST_')));

const answers = async (url: string): Promise<boolean> => {
  const giveUpAt = performance.now() + READY_PATIENCE_MS;
  while (performance.now() < giveUpAt) {
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok === true) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
};
