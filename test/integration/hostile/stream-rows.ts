import { expect } from '@jest/globals';
import type { AGENT_OUTCOMES } from '../../outcomes/agent-outcomes.js';
import { type AnswerWorld, type Behaviour, NOT_FOUND, notFound, result, stream, task, well } from './answer-world.js';
import { flood, growthDuring } from './hostile-agent.js';

type Row = Extract<keyof (typeof AGENT_OUTCOMES)['rows'], `stream${string}` | 'sentAtOnce'>;

const BOUND = 512;

/** A test for each row about streams, and about sends that come at once. */
export const streamRows = (world: () => AnswerWorld): Record<Row, () => Promise<void>> => {
  const working = (row: string) => ({ result: { task: task(`t-${row}`, 'WORKING') } });
  /** Works, then says in the middle of it that there is no such task. */
  const breaksOff =
    (row: string, more: Behaviour): Behaviour =>
    (asked) =>
      asked.method === 'SendStreamingMessage' || asked.method === 'SubscribeToTask'
        ? stream(asked, working(row), { error: NOT_FOUND }).end()
        : more(asked);
  return {
    streamEndless: async () => {
      for (const begin of ['data: ', ': ', 'data: x\n'.repeat(10)]) {
        const row = `streamEndless-${begin.length}`;
        world().behave((asked) => {
          if (asked.method !== 'SendStreamingMessage') well(asked);
          else flood((stream(asked, working(row)).write(begin), asked.response), 64);
        });
        const growth = await growthDuring(async () => {
          const answer = await world().ask('SendStreamingMessage', world().message(row));
          expect(answer.events).toStrictEqual([`t-${row} WORKING`]);
        });
        expect(growth).toBeLessThan(BOUND);
        const { losses } = await world().mesh.unit(row, ({ state }) => state === 'completed', 'asked for and done');
        expect(losses).toBe(0);
      }
    },
    streamLost: async () => {
      world().behave(breaksOff('streamLost', notFound));
      const answer = await world().ask('SendStreamingMessage', world().message('streamLost'));
      expect(answer.events).toStrictEqual([
        't-streamLost WORKING',
        't-streamLost UNSPECIFIED',
        't-streamLost COMPLETED',
      ]);
      const { attempts } = await world().mesh.unit('streamLost', ({ state }) => state === 'completed', 'taken over');
      expect(attempts.map(({ agentId }) => agentId)).toStrictEqual(['w1', 'w3']);
    },
    streamLostAtOnce: async () => {
      const answers: Readonly<Record<string, Behaviour>> = {
        body: notFound,
        event: (asked) =>
          asked.method === 'SubscribeToTask' ? stream(asked, { error: NOT_FOUND }).end() : notFound(asked),
      };
      for (const [how, behave] of Object.entries(answers)) {
        const row = `streamLostAtOnce-${how}`;
        const id = await world().dispatched(row);
        world().behave(behave);
        const answer = await world().ask('SubscribeToTask', { id });
        expect(answer.events).toStrictEqual([`${id} UNSPECIFIED`, `${id} COMPLETED`]);
      }
    },
    streamContradicted: async () => {
      const row = 'streamContradicted';
      const id = await world().dispatched(row);
      world().behave(breaksOff(row, (asked) => result(asked, task(id, 'WORKING'))));
      const answer = await world().ask('SubscribeToTask', { id });
      expect(answer.events).toStrictEqual([...Array.from({ length: 5 }, () => `${id} WORKING`), '-32603']);
      expect((await world().goesOn(row)).losses).toBe(0);
    },
    sentAtOnce: async () => {
      const row = 'sentAtOnce';
      let sent = 0;
      world().behave((asked) => {
        if (asked.method !== 'SendMessage') {
          result(asked, task('t-1', 'WORKING'));
          return;
        }
        sent += 1;
        const id = `t-${sent}`;
        setTimeout(() => result(asked, { task: task(id, 'WORKING') }), 100);
      });
      const send = () => world().ask('SendMessage', world().message(row));
      const answers = [...(await Promise.all(Array.from({ length: 50 }, send))), await send()];
      expect(answers.map(({ body }) => body.result)).toStrictEqual(
        answers.map(() => ({ task: task('t-1', 'WORKING') })),
      );
      expect(sent).toBe(1);
      const { attempts } = await world().mesh.unit(row, ({ state }) => state === 'working', 'working');
      expect(attempts.map(({ messageIds }) => messageIds)).toStrictEqual([[row]]);
    },
  };
};
