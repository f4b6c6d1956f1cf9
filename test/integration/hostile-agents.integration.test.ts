import { afterAll, beforeAll, jest } from '@jest/globals';
import { AGENT_OUTCOMES } from '../outcomes/agent-outcomes.js';
import { describeOutcomes } from '../outcomes/describe-outcomes.js';
import { cardRows } from './hostile/card-rows.js';
import { CardWorld } from './hostile/card-world.js';

jest.setTimeout(120_000);

let cards: CardWorld;

beforeAll(async () => {
  cards = await CardWorld.open(Object.keys(AGENT_OUTCOMES.rows).filter((row) => row.startsWith('card')));
});
afterAll(() => cards.close());

describeOutcomes(AGENT_OUTCOMES, { ...cardRows(() => cards) });
