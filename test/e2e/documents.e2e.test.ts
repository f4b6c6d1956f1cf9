import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import { KafkaAdmin } from '../../infra/kafka/kafka-admin.js';
import { createLogger } from '../../infra/telemetry/logger.js';
import { holdfastCommands } from '../kit/document-commands.js';
import { fencesIn, shellLinesIn } from '../kit/markdown.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const README = readFileSync(join(root, 'README.md'), 'utf8');
const TOPIC_PREFIX = 'documents.';
/** What runs until it is stopped, needs a backend of its own, or is a test by itself. */
const ELSEWHERE = ['serve', 'up', 'backend', 'tail', 'doctor', '--kafka'];
/** What a reader fills in cannot be run as it is written. */
const PLACEHOLDER = /^[A-Z]+$/;

const here = mkdtempSync(join(tmpdir(), 'holdfast-documents-'));

afterAll(async () => {
  rmSync(here, { recursive: true, force: true });
  const brokers = (process.env.HOLDFAST_KAFKA_BROKERS ?? '').split(',');
  const admin = new KafkaAdmin({ brokers, clientId: 'documents' }, createLogger('error'));
  await admin.deleteTopics(TOPIC_PREFIX);
  await admin.close();
});

/** A reader's folder: the stories of the repository, an incident of his own, the configuration that the README shows. */
const settle = (): void => {
  const [yaml] = fencesIn(README).filter(({ language }) => language === 'yaml');
  writeFileSync(join(here, 'holdfast.yaml'), yaml?.text ?? '');
  symlinkSync(join(root, 'test'), join(here, 'test'));
  const story = JSON.parse(readFileSync(join(root, 'test/stories/seed-01-three-vendors.json'), 'utf8')) as object;
  writeFileSync(join(here, 'my-incident.json'), JSON.stringify({ ...story, then: undefined }));
};

test('should do what the README shows, in its order', () => {
  settle();
  const commands = shellLinesIn(README)
    .flatMap(holdfastCommands)
    .filter((words) => !words.some((word) => ELSEWHERE.includes(word) || PLACEHOLDER.test(word)));

  const ended = commands.map((words) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(root, 'services/cli/holdfast.mjs'), ...words],
      {
        cwd: here,
        encoding: 'utf8',
        env: { ...process.env, HOLDFAST_KAFKA_TOPIC_PREFIX: TOPIC_PREFIX },
      },
    );
    // Exit code 1 is an answer too: something was found.
    const could = status === 0 || status === 1;
    return { command: words.join(' '), could, said: stdout !== '', fault: could ? '' : stderr };
  });

  expect(ended).toStrictEqual(
    commands.map((words) => ({ command: words.join(' '), could: true, said: true, fault: '' })),
  );
  expect(commands.map(([group]) => group)).toEqual(expect.arrayContaining(['simulate', 'schemas', 'topics', 'tasks']));
}, 600_000);
