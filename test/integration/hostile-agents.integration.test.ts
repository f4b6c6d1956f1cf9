import { afterAll, beforeAll, jest } from '@jest/globals';
import { AGENT_OUTCOMES } from '../outcomes/agent-outcomes.js';
import { describeOutcomes } from '../outcomes/describe-outcomes.js';
import { answerRows } from './hostile/answer-rows.js';
import { AnswerWorld } from './hostile/answer-world.js';
import { cardRows } from './hostile/card-rows.js';
import { CardWorld } from './hostile/card-world.js';
import { clientRows } from './hostile/client-rows.js';
import { streamRows } from './hostile/stream-rows.js';

jest.setTimeout(120_000);

let cards: CardWorld;
let answers: AnswerWorld;

beforeAll(async () => {
  cards = await CardWorld.open(Object.keys(AGENT_OUTCOMES.rows).filter((row) => row.startsWith('card')));
  answers = await AnswerWorld.open();
});
afterAll(async () => {
  await cards.close();
  await answers.close();
});

describeOutcomes(AGENT_OUTCOMES, {
  ...cardRows(() => cards),
  ...answerRows(() => answers),
  ...streamRows(() => answers),
  ...clientRows(() => answers),
});
