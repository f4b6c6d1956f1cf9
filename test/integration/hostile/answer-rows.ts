import { gzipSync } from 'node:zlib';
import { expect } from '@jest/globals';
import type { AGENT_OUTCOMES } from '../../outcomes/agent-outcomes.js';
import { type AnswerWorld, type Behaviour, NOT_FOUND, result, task, well } from './answer-world.js';
import { drip, flood, growthDuring } from './hostile-agent.js';

type Row = Extract<keyof (typeof AGENT_OUTCOMES)['rows'], `answer${string}`>;

const BOUND = 512;
const INVALID = [502, -32006] as const;
const UNREACHABLE = [502, -32603] as const;
const LATE = [504, -32603] as const;
const JSON_TYPE = { 'content-type': 'application/json' };
const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

/** A test for each row about answers that are bodies. */
export const answerRows = (world: () => AnswerWorld): Record<Row, () => Promise<void>> => {
  /** The client is told so, and the task is where it was: the next good answer is heard. */
  const refused = async (row: string, bad: Behaviour, [status, code]: readonly [number, number]): Promise<void> => {
    const id = await world().dispatched(row);
    world().behave((asked) => (asked.method === 'GetTask' ? bad(asked) : well(asked)));
    const answer = await world().ask('GetTask', { id });
    expect([answer.status, answer.body.error?.code]).toStrictEqual([status, code]);

    const { losses, attempts, violations } = await world().goesOn(row);
    expect([losses, attempts.length, violations]).toStrictEqual([0, 1, []]);
  };
  return {
    answerEndless: async () => {
      const growth = await growthDuring(() =>
        refused('answerEndless', ({ response }) => flood(response.writeHead(200, JSON_TYPE)), INVALID),
      );
      expect(growth).toBeLessThan(BOUND);
    },
    answerTooComplex: async () => {
      const nested = { deep, wide: `[${'{},'.repeat(5_000_000)}0]` };
      for (const [how, value] of Object.entries(nested))
        await refused(
          `answerTooComplex-${how}`,
          ({ response, id }) =>
            response
              .writeHead(200, JSON_TYPE)
              .end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"metadata":{"x":${value}}}}`),
          INVALID,
        );
    },
    answerPacked: () =>
      refused(
        'answerPacked',
        ({ response }) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{}')),
        INVALID,
      ),
    answerToAnother: async () => {
      const said = { jsonrpc: '2.0', id: 'another', error: NOT_FOUND };
      await refused('answerToAnother', ({ response }) => response.end(JSON.stringify(said)), INVALID);
      await refused('answerToAnother-batch', ({ response }) => response.end(JSON.stringify([said])), INVALID);
    },
    answerTorn: () =>
      refused(
        'answerTorn',
        ({ response }) => {
          response.writeHead(200, { ...JSON_TYPE, 'content-length': 99 }).write('{"jsonrpc":', () => {
            response.destroy();
          });
        },
        UNREACHABLE,
      ),
    answerSwitching: async () => {
      await refused(
        'answerSwitching',
        ({ response }) =>
          response.socket?.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
        UNREACHABLE,
      );
      await refused('answerSwitching-interim', ({ response }) => drip(response, '', 'HTTP/1.1 102 P\r\n\r\n'), LATE);
    },
    answerDripping: async () => {
      await refused('answerDripping', ({ response }) => drip(response, 'HTTP/1.1 200 OK\r\nx: ', 'y'), LATE);
      await refused('answerDripping-body', ({ response }) => drip(response, 'HTTP/1.1 200 OK\r\n\r\n', ' '), LATE);
    },
    answerNotUtf8: async () => {
      const id = await world().dispatched('answerNotUtf8');
      world().behave((asked) => {
        const text = JSON.stringify({ jsonrpc: '2.0', id: asked.id, result: task(id, 'WORKING', { metadata: '?' }) });
        const bytes = Buffer.from(text);
        bytes[bytes.lastIndexOf('?')] = 0xff;
        asked.response.writeHead(200, JSON_TYPE).end(bytes);
      });
      const answer = await world().ask('GetTask', { id });
      expect([answer.status, answer.body.result]).toStrictEqual([200, task(id, 'WORKING', { metadata: '\ufffd' })]);
      expect((await world().goesOn('answerNotUtf8')).violations).toStrictEqual([]);
    },
    answerTwice: () =>
      refused(
        'answerTwice',
        ({ response, id, params }) =>
          response
            .writeHead(200, JSON_TYPE)
            .end(JSON.stringify({ jsonrpc: '2.0', id, result: task(params.id ?? '', 'WORKING'), error: NOT_FOUND })),
        UNREACHABLE,
      ),
    answerOverlongId: async () => {
      const row = 'answerOverlongId';
      world().behave((asked) => result(asked, { task: task('x'.repeat(2_000_000), 'WORKING') }));
      expect((await world().ask('SendMessage', world().message(row))).status).toBe(200);
      const before = await world().mesh.unit(row, ({ attempts }) => attempts.length === 1, 'dispatched');
      expect([before.state, before.serverTasks]).toStrictEqual([null, []]);

      await world().dispatched(row);
      expect((await world().goesOn(row)).serverTasks.map(({ id }) => id)).toStrictEqual([`t-${row}`]);
    },
    answerManyParts: async () => {
      const row = 'answerManyParts';
      const id = await world().dispatched(row);
      const parts = Array.from({ length: 100_000 }, () => ({ data: 1, mediaType: 'application/json' }));
      const shown = task(id, 'WORKING', { artifacts: [{ artifactId: 'a', parts }] });
      world().behave((asked) => result(asked, shown));
      const answer = await world().ask('GetTask', { id });
      expect(JSON.stringify(answer.body.result)).toBe(JSON.stringify(shown));

      const { artifacts, violations } = await world().goesOn(row);
      expect([artifacts.map(({ artifactId }) => artifactId), violations]).toStrictEqual([['a'], []]);
    },
  };
};
