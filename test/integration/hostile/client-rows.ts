import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { expect } from '@jest/globals';
import type { AGENT_OUTCOMES } from '../../outcomes/agent-outcomes.js';
import { type AnswerWorld, task, well } from './answer-world.js';
import { growthDuring, MEBIBYTE } from './hostile-agent.js';

type Row = Extract<keyof (typeof AGENT_OUTCOMES)['rows'], `client${string}`>;

const BOUND = 256;

/** A test for each row about clients. */
export const clientRows = (world: () => AnswerWorld): Record<Row, () => Promise<void>> => {
  const refused = async (
    body: string,
    [status, code]: readonly [number, number],
    headers: Readonly<Record<string, string>> = {},
  ): Promise<void> => {
    const answer = await world().post(body, headers);
    expect([answer.status, answer.body.error?.code]).toStrictEqual([status, code]);
  };
  const ask = (params: unknown, method = 'SendMessage') => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  /** The gateway stands, and serves the next. */
  const serves = async (row: string): Promise<void> => {
    await world().dispatched(row);
    await world().goesOn(row);
  };
  return {
    clientEndless: async () => {
      const growth = await growthDuring(async () => {
        expect(await postEndless(`${world().url}/agents/w1`)).toBe(413);
      });
      expect(growth).toBeLessThan(BOUND);
      await serves('clientEndless');
    },
    clientTooComplex: async () => {
      await refused(`${'['.repeat(100_000)}${']'.repeat(100_000)}`, [200, -32700]);
      await serves('clientTooComplex');
    },
    clientMislabelled: async () => {
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data',
        'application/jsonp',
      ])
        await refused(ask({ id: 't' }, 'GetTask'), [415, -32600], { 'content-type': type });
      await refused(ask({ id: 't' }, 'GetTask'), [415, -32600], { 'content-encoding': 'gzip' });
      await serves('clientMislabelled');
    },
    clientOverlongId: async () => {
      const long = 'x'.repeat(16_385);
      const { message } = world().message('clientOverlongId');
      await refused(ask({ message: { ...message, messageId: long } }), [200, -32602]);
      await refused(ask({ message: { ...message, taskId: long } }), [200, -32602]);
      await refused(ask(world().message(long)), [200, -32602]);
      await refused(ask({ id: long }, 'GetTask'), [200, -32602]);
      await serves('clientOverlongId');
    },
    clientHeaders: async () => {
      const { host } = new URL(world().url);
      const json = 'content-type: application/json\r\ncontent-length: 2';
      const said = await Promise.all([
        raw(host, `POST /agents/w1%0d%0ax-evil:%201 HTTP/1.1\r\nhost: h\r\na2a-version: 1.0\r\n${json}\r\n\r\n{}`),
        raw(host, `POST /agents/w1 HTTP/1.1\r\nhost: h\r\na2a-version: 1.0\nx-evil: 1\r\n${json}\r\n\r\n{}`),
        raw(host, `GET /agents/w1 HTTP/1.1\r\nhost: h\r\nx: a\0b\r\n\r\n`),
      ]);
      expect(said.map((answer) => answer.split('\r\n')[0])).toStrictEqual([
        'HTTP/1.1 200 OK',
        'HTTP/1.1 400 Bad Request',
        'HTTP/1.1 400 Bad Request',
      ]);
      expect(said.filter((answer) => /^x-evil/im.test(answer))).toStrictEqual([]);

      const id = 'line\r\nx-evil: 1';
      world().behave(well);
      const answer = await world().ask('SendMessage', world().message(id));
      expect(answer.body.result).toStrictEqual({ task: task(`t-${id}`, 'WORKING') });
      await world().goesOn(id);
    },
  };
};

/** The status that is answered to a body without an end. */
const postEndless = (url: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'a2a-version': '1.0' };
    const request = httpRequest(url, { method: 'POST', headers }, ({ statusCode }) => {
      request.destroy();
      resolve(statusCode);
    });
    request.on('error', reject);
    const chunk = Buffer.alloc(MEBIBYTE, 0x20);
    const go = (): void => {
      while (!request.destroyed && request.write(chunk));
      request.once('drain', go);
    };
    go();
  });

/** Bytes to the gateway, and the bytes that come back until it closes or has said enough. */
const raw = (host: string, bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const [name = '', port = ''] = host.split(':');
    const socket = connect(Number(port), name, () => socket.write(bytes));
    let said = '';
    socket.setEncoding('latin1').on('data', (text: string) => {
      said += text;
      socket.end();
    });
    socket.on('close', () => {
      resolve(said);
    });
    socket.on('error', reject);
  });
