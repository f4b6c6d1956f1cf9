import { afterAll, beforeAll } from '@jest/globals';
import { describeOutcomes } from '../outcomes/describe-outcomes.js';
import { TOPIC_OUTCOMES } from '../outcomes/topic-outcomes.js';
import { batchRows } from './batch-rows.js';
import { otherTopicRows } from './other-topic-rows.js';
import { taskEventRows } from './task-event-rows.js';
import { TopicWorld } from './topic-world.js';

let world: TopicWorld;

beforeAll(async () => {
  world = await TopicWorld.open();
}, 120_000);

afterAll(async () => {
  await world.close();
}, 60_000);

const the = (): TopicWorld => world;

describeOutcomes(TOPIC_OUTCOMES, { ...taskEventRows(the), ...batchRows(the), ...otherTopicRows(the) }, 120_000);
