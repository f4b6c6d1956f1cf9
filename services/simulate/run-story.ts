import { compare, type Difference } from './compare.js';
import { asConclusion, conclude } from './conclude.js';
import type { Pipeline } from './pipeline.js';
import { Simulator } from './simulator.js';
import type { Conclusion, Story } from './story.js';

export type StoryResult = {
  readonly id: string;
  readonly title: string;
  readonly concluded: Required<Conclusion>;
  /** Empty: as expected, or nothing was expected. */
  readonly differences: readonly Difference[];
};

/** Runs one story through a pipeline and closes it. */
export const runStory = async (story: Story, pipeline: Pipeline): Promise<StoryResult> => {
  try {
    const { id, title, given, then } = story;
    const concluded = conclude(await new Simulator(story, pipeline).run(), given.policy?.deferTimeoutMs);
    const differences = then === undefined ? [] : compare(then, concluded);
    return { id, title, concluded: asConclusion(concluded), differences };
  } finally {
    await pipeline.close();
  }
};

/** A record in another partition than its key's needs another partition (R58). */
export const misroutes = ({ when }: Story): boolean => when.some(({ misrouted }) => misrouted === true);
