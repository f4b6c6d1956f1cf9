import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { agent, policyChanged, policyOf, verificationOf } from '../../kit/decider-kit/agents.js';
import { GatewayTwin, message, task } from './gateway-twin.js';

let twin: GatewayTwin;
const HOLD_MS = 150;
const start = (policy = {}, verified = true, probeHoldMs = HOLD_MS) =>
  GatewayTwin.start(
    [
      policyChanged(policyOf(policy)),
      ...['w1', 'w2', 'w3'].flatMap((id) => agent(id, verified ? {} : { verified: null })),
    ],
    { maxBodyBytes: 10_000, probeHoldMs },
  );
beforeEach(async () => {
  twin = await start();
});
afterEach(() => twin.server.stop());

const rpc = (fields: object) =>
  JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'GetTask', params: { id: 't' }, ...fields });

describe('a bad request', () => {
  test.each<[string, string, number, unknown, number]>([
    ['no JSON', '{', -32700, null, 200],
    ['nothing', '', -32700, null, 200],
    ['a batch', '[]', -32600, null, 200],
    ['no object', '"GetTask"', -32600, null, 200],
    ['an ID that is none', rpc({ id: {} }), -32600, null, 200],
    ['another JSON-RPC', rpc({ jsonrpc: '1.0' }), -32600, 7, 200],
    ['a method that is no text', rpc({ method: 1 }), -32600, 7, 200],
    ['an unknown method', rpc({ method: 'Nothing' }), -32601, 7, 200],
    ['a method of 0.3', rpc({ method: 'tasks/get' }), -32601, 7, 200],
    ['an inherited name as a method', rpc({ method: 'constructor' }), -32601, 7, 200],
    ['parameters that are no object', rpc({ params: [1] }), -32602, 7, 200],
    ['no task', rpc({ params: {} }), -32602, 7, 200],
    ['a body that is too large', rpc({ padding: 'x'.repeat(10_000) }), -32600, null, 413],
  ])('should be told so: %s', async (_, body, code, id, status) => {
    const answer = await twin.post('w1', body);
    expect([answer.status, answer.body.error?.code, answer.body.id]).toStrictEqual([status, code, id]);
    expect(twin.agents.asked).toStrictEqual([]);
    expect(twin.facts).toStrictEqual([]);
  });

  test('should be told so although it is written to its end before anything is read', async () => {
    const { hostname, port } = new URL(twin.server.url);
    const socket = connect(Number(port), hostname).pause();
    const body = Buffer.alloc(8 * 1024 * 1024, ' ');
    const head = `POST /agents/w1 HTTP/1.1\r\nhost: h\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`;
    socket.write(`${head}\r\n\r\n`);
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject).write(body, () => {
        resolve();
      });
    });
    const [said] = (await once(socket.setEncoding('latin1').resume(), 'data')) as [string];
    socket.destroy();

    expect(said.split('\r\n')[0]).toBe('HTTP/1.1 413 Payload Too Large');
  });

  test.each(['', '0.3', '2.0', '1.0.0', '10'])('should be told that version %j is not spoken', async (version) => {
    const answer = await twin.post('w1', rpc({}), { 'a2a-version': version });
    expect(answer.body.error).toMatchObject({ code: -32009, data: [{ reason: 'VERSION_NOT_SUPPORTED' }] });
  });

  test('should be told that there is no such agent', async () => {
    const answer = await twin.post('nobody', rpc({}));
    expect([answer.status, answer.body.error?.code]).toStrictEqual([404, -32600]);
  });

  test.each([
    ['GET', '/agents/w1', 405],
    ['POST', '/healthz', 405],
    ['GET', '/agents/nobody/.well-known/agent-card.json', 404],
    ['GET', '/agents/%zz/.well-known/agent-card.json', 404],
    ['GET', '/agents', 404],
  ])('should be answered: %s %s', async (method, path, status) => {
    expect((await fetch(`${twin.server.url}${path}`, { method })).status).toBe(status);
  });
});

describe('a card', () => {
  test('should name the gateway as the only interface, and be revalidated by its own tag', async () => {
    const url = `${twin.server.url}/agents/w1/.well-known/agent-card.json`;
    const first = await fetch(url);
    const etag = first.headers.get('etag') ?? '';

    expect(await first.json()).toStrictEqual({
      name: 'w1',
      supportedInterfaces: [{ url: 'http://gateway/agents/w1', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    });
    expect(first.headers.get('cache-control')).toMatch(/^max-age=(59|60)$/);
    expect((await fetch(url, { headers: { 'if-none-match': `W/${etag}` } })).status).toBe(304);
    expect((await fetch(url, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });

  test('should name it also where it is the extended one', async () => {
    const interfaces = [{ url: 'http://w1/grpc', protocolBinding: 'GRPC', protocolVersion: '1.0' }];
    twin.agents.set('w1', () => ({ result: { name: 'w1', signatures: [{}], supportedInterfaces: interfaces } }));

    const answer = await twin.ask('w1', 'GetExtendedAgentCard', {});

    expect(answer.body.result).toStrictEqual({
      name: 'w1',
      supportedInterfaces: [{ url: 'http://gateway/agents/w1', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    });
    expect(twin.facts).toStrictEqual([]);
  });
});

describe('an agent that was never verified', () => {
  const send = () => twin.ask('w1', 'SendMessage', message());
  /** How many dispatches have begun to be held so long. */
  const holdsOf = (holdMs: number) => {
    const timers = jest.spyOn(globalThis, 'setTimeout');
    return () => timers.mock.calls.filter(([, ms]) => ms === holdMs).length;
  };
  afterEach(() => {
    jest.restoreAllMocks();
  });
  const startUnverified = async (policy: object, probeHoldMs?: number) => {
    await twin.server.stop();
    twin = await start(policy, false, probeHoldMs);
    twin.agents.set('w1', () => ({ result: { task: task('t1', 'WORKING') } }));
  };

  test('should be sent its first dispatch once the hold has passed, and the next at once', async () => {
    await startUnverified({});
    const holds = holdsOf(HOLD_MS);
    const from = performance.now();

    expect((await send()).status).toBe(200);
    expect(performance.now() - from).toBeGreaterThanOrEqual(HOLD_MS - 10);
    expect(holds()).toBe(1);
    expect((await send()).status).toBe(200);
    expect(holds()).toBe(1);
  });

  test('should be sent it as soon as a verification arrives', async () => {
    const longerThanAnybodyWaits = 3_600_000;
    await startUnverified({}, longerThanAnybodyWaits);
    const holds = holdsOf(longerThanAnybodyWaits);
    const sent = send();
    while (holds() === 0) await new Promise((resolve) => setImmediate(resolve));
    twin.ledger.contracts.tell(verificationOf('w1'));
    expect((await sent).status).toBe(200);
  });

  test('should not be sent anything where the policy says so', async () => {
    await startUnverified({ unverified: 'refuse' });
    const answer = await send();
    expect([answer.status, answer.body.error?.code]).toStrictEqual([503, -32603]);
    expect(twin.facts).toStrictEqual([]);
  });
});

describe('an agent’s answer', () => {
  test('should be passed on as it is where it is not of the protocol', async () => {
    twin.agents.set('w1', () => ({ raw: { status: 403, contentType: 'text/html', body: '<p>no' } }));
    const response = await fetch(`${twin.server.url}/agents/w1`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
      body: rpc({}),
    });
    expect([response.status, response.headers.get('content-type'), await response.text()]).toStrictEqual([
      403,
      'text/html',
      '<p>no',
    ]);
  });

  test('should go on with its status and with what lets the client in', async () => {
    const headers = { 'www-authenticate': 'Bearer realm="w1"', 'a2a-extensions': 'urn:x', 'set-cookie': 'no' };
    const body = { jsonrpc: '2.0', id: 1, error: { code: -32600, message: 'who are you?' } };
    twin.agents.set('w1', () => ({ raw: { status: 401, contentType: 'application/json', body }, headers }));

    const answer = await twin.ask('w1', 'GetTask', { id: 't' });

    expect([answer.status, answer.body.error]).toStrictEqual([401, body.error]);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="w1"');
    expect(answer.headers.get('a2a-extensions')).toBe('urn:x');
    expect(answer.headers.get('set-cookie')).toBeNull();
  });

  test.each([
    ['refused', 502],
    ['timeout', 504],
  ])('should be an error of its own where there is none: %s', async (error, status) => {
    twin.agents.set('w1', () => ({ raw: { status: 0, error } }));
    const answer = await twin.ask('w1', 'GetTask', { id: 't' });
    expect([answer.status, answer.body.error?.code]).toStrictEqual([status, -32603]);
    expect(twin.facts).toStrictEqual([`w1 GetTask ${error}`]);
  });

  test('should be plain where a stream was asked for and refused', async () => {
    twin.agents.set('w1', () => ({ error: { code: -32004, message: 'no' } }));
    const answer = await twin.ask('w1', 'SendStreamingMessage', message());
    expect(answer.body).toStrictEqual({ jsonrpc: '2.0', id: 'q', error: { code: -32004, message: 'no' } });
  });

  test('should be a stream, each event on record before it is passed on, and its end too', async () => {
    twin.agents.set('w1', () => ({
      events: [
        { result: { task: task('t1', 'WORKING') } },
        { result: { statusUpdate: { taskId: 't1', status: { state: 'TASK_STATE_INPUT_REQUIRED' } } } },
      ],
      broken: true,
    }));
    const answer = await twin.ask('w1', 'SendStreamingMessage', message());
    expect(answer.events).toHaveLength(2);
    expect(twin.facts).toStrictEqual([
      'DispatchObserved',
      'w1 t1 TASK_STATE_WORKING',
      'w1 t1 TASK_STATE_INPUT_REQUIRED',
      'StreamClosed',
    ]);
    expect(twin.ledger.written.at(-1)).toMatchObject({ clean: false });
  });

  test('should end in an error where an event could not be written down', async () => {
    twin.agents.set('w1', () => ({
      events: [{ result: { task: task('t1', 'WORKING') } }, { result: { task: task('t1', 'COMPLETED') } }],
    }));
    const write = twin.ledger.observe;
    twin.ledger.observe = (facts) => {
      if (JSON.stringify(facts).includes('COMPLETED')) twin.ledger.broken = new Error('no broker');
      return write(facts);
    };
    const answer = await twin.ask('w1', 'SendStreamingMessage', message());
    expect(answer.events.map(({ error, result }) => error?.code ?? Object.keys(result as object))).toStrictEqual([
      ['task'],
      -32603,
    ]);
  });
});

describe('a client that hangs up', () => {
  const hangUp = (method: string) =>
    new Promise<void>((resolve) => {
      const request = httpRequest(`${twin.server.url}/agents/w1`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
      });
      request.on('error', () => undefined);
      request.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: message() }));
      setTimeout(() => {
        request.destroy();
        setTimeout(resolve, 150);
      }, 50);
    });
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

  test('should not keep the answer from being recorded', async () => {
    twin.agents.set('w1', async () => {
      await pause(100);
      return { result: { task: task('t1', 'COMPLETED') } };
    });
    await hangUp('SendMessage');
    expect(twin.facts).toStrictEqual(['DispatchObserved', 'w1 t1 TASK_STATE_COMPLETED']);
  });

  test('should end the agent’s stream, once the task has a name', async () => {
    twin.agents.set('w1', async () => {
      await pause(100);
      return { events: [{ result: { task: task('t1', 'WORKING') } }, { result: { task: task('t1', 'COMPLETED') } }] };
    });
    await hangUp('SendStreamingMessage');
    expect(twin.facts).toStrictEqual(['DispatchObserved', 'w1 t1 TASK_STATE_WORKING', 'StreamClosed']);
  });
});

test('stopping should finish what is in flight and refuse nothing that was taken', async () => {
  twin.agents.set('w1', async () => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    return { result: task('t1', 'WORKING') };
  });
  const asked = twin.ask('w1', 'GetTask', { id: 't1' });
  await new Promise((resolve) => setTimeout(resolve, 30));
  await twin.server.stop();
  expect((await asked).body.result).toMatchObject({ id: 't1' });
});
