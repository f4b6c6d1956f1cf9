import { compare, type Difference } from './compare.js';
import { conclude, type Concluded } from './conclude.js';
import type { Pipeline } from './pipeline.js';
import { Simulator } from './simulator.js';
import type { Story } from './story.js';

export type StoryResult = {
  readonly id: string;
  readonly title: string;
  readonly concluded: Concluded;
  /** Empty: as expected, or nothing was expected. */
  readonly differences: readonly Difference[];
};

/** Runs one story through a pipeline and closes it. */
export const runStory = async (story: Story, pipeline: Pipeline): Promise<StoryResult> => {
  try {
    const concluded = conclude(await new Simulator(story, pipeline).run());
    const { id, title, then } = story;
    return { id, title, concluded, differences: then === undefined ? [] : compare(then, concluded) };
  } finally {
    await pipeline.close();
  }
};

/** A record in another partition than its key's needs another partition (R58). */
export const misroutes = ({ when }: Story): boolean => when.some(({ misrouted }) => misrouted === true);
