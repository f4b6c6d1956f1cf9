import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { checkoutRoot } from '../../infra/local/checkout.js';
import { memoryPipeline } from '../../services/simulate/memory-pipeline.js';
import { readStory, storyFiles } from '../../services/simulate/read-stories.js';
import { misroutes, runStory } from '../../services/simulate/run-story.js';

const files = await storyFiles([join(checkoutRoot(), 'test', 'stories')]);
const stories = await Promise.all(files.map(readStory));

describe.each([1, 3])('Stories on %d partition(s)', (partitions) => {
  test.each(stories.map((story) => [story.id, story] as const))('%s ends as it must', async (_id, story) => {
    // A record can lie in a wrong partition only where there is one.
    const enough = misroutes(story) ? Math.max(2, partitions) : partitions;
    const { differences } = await runStory(story, memoryPipeline(enough));
    expect(differences).toStrictEqual([]);
  });
});

test('every story tells what must be concluded, under an ID of its own', () => {
  expect(stories.filter(({ then }) => then === undefined).map(({ id }) => id)).toStrictEqual([]);
  expect(new Set(stories.map(({ id }) => id)).size).toBe(stories.length);
});
