import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { resolveConfig } from '../../infra/config/read-config.js';
import { checkoutRoot } from '../../infra/local/checkout.js';
import { resolveBackend } from '../../infra/local/resolve-backend.js';
import { registerAll } from '../../infra/registry/registration.js';
import { openRegistryClient } from '../../infra/registry/registry-client.js';
import { subjects } from '../../schemas/catalogue.js';
import { kafkaPipelines, type Pipelines } from '../../services/simulate/pipelines.js';
import { readStory, storyFiles } from '../../services/simulate/read-stories.js';
import { runStory } from '../../services/simulate/run-story.js';

const files = await storyFiles([join(checkoutRoot(), 'test', 'stories')]);

/** The same stories as in memory, through broker, registry and RocksDB, on three partitions. */
describe('stories on the running pipeline', () => {
  let pipelines: Pipelines;

  beforeAll(async () => {
    const { brokers, registryUrl } = await resolveBackend();
    await registerAll(openRegistryClient({ url: registryUrl }), subjects(''));
    const config = resolveConfig({ kafka: { brokers }, registry: { url: registryUrl } });
    pipelines = await kafkaPipelines({ config, located: true }, () => undefined);
  }, 120_000);

  afterAll(() => pipelines.close());

  test.each(files.map((file) => [file.slice(file.lastIndexOf('/') + 1), file]))(
    'should conclude %s as expected',
    async (_, file) => {
      const { differences } = await runStory(await readStory(file), await pipelines.open(3));

      expect(differences).toStrictEqual([]);
    },
    120_000,
  );
});
