import { describe, expect, test } from '@jest/globals';
import { A2A_METHODS, isAboutTask, isSend, readRpcMethod, type A2aMethod } from '../../../topology/a2a/method.js';
import { readRequest } from '../../../topology/a2a/request.js';

type Spelled = {
  readonly method: A2aMethod;
  readonly rpc10: string;
  /** Absent: 0.3 has no such method over JSON-RPC. */
  readonly rpc03?: string;
  /** Parameters that name the task `t/1`, by version. */
  readonly params10: unknown;
  readonly params03?: unknown;
  readonly http: readonly (readonly [verb: string, path: string])[];
  /** 0.3, where it differs from `/v1` and the path of 1.0. */
  readonly http03?: readonly (readonly [verb: string, path: string])[];
  readonly body?: unknown;
  readonly names: 'task' | 'nothing';
};

const message = { message: { messageId: 'm', taskId: 't/1' } };
const CONFIGS = '/tasks/t%2F1/pushNotificationConfigs';

/** Written out by hand from the specification, so that a slip in the table under test is seen. */
const SPELLED: readonly Spelled[] = [
  {
    method: 'SendMessage',
    rpc10: 'SendMessage',
    rpc03: 'message/send',
    params10: message,
    params03: message,
    http: [['POST', '/message:send']],
    body: message,
    names: 'task',
  },
  {
    method: 'SendStreamingMessage',
    rpc10: 'SendStreamingMessage',
    rpc03: 'message/stream',
    params10: message,
    params03: message,
    http: [['POST', '/message:stream']],
    body: message,
    names: 'task',
  },
  {
    method: 'GetTask',
    rpc10: 'GetTask',
    rpc03: 'tasks/get',
    params10: { id: 't/1' },
    params03: { id: 't/1' },
    http: [['GET', '/tasks/t%2F1']],
    names: 'task',
  },
  {
    method: 'ListTasks',
    rpc10: 'ListTasks',
    params10: { contextId: 'c' },
    http: [['GET', '/tasks']],
    names: 'nothing',
  },
  {
    method: 'CancelTask',
    rpc10: 'CancelTask',
    rpc03: 'tasks/cancel',
    params10: { id: 't/1' },
    params03: { id: 't/1' },
    http: [['POST', '/tasks/t%2F1:cancel']],
    names: 'task',
  },
  {
    method: 'SubscribeToTask',
    rpc10: 'SubscribeToTask',
    rpc03: 'tasks/resubscribe',
    params10: { id: 't/1' },
    params03: { id: 't/1' },
    http: [
      ['GET', '/tasks/t%2F1:subscribe'],
      ['POST', '/tasks/t%2F1:subscribe'],
    ],
    names: 'task',
  },
  {
    method: 'CreateTaskPushNotificationConfig',
    rpc10: 'CreateTaskPushNotificationConfig',
    rpc03: 'tasks/pushNotificationConfig/set',
    params10: { id: 'cfg', taskId: 't/1' },
    params03: { taskId: 't/1', pushNotificationConfig: {} },
    http: [['POST', CONFIGS]],
    body: { url: 'https://hook.example' },
    names: 'task',
  },
  {
    method: 'GetTaskPushNotificationConfig',
    rpc10: 'GetTaskPushNotificationConfig',
    rpc03: 'tasks/pushNotificationConfig/get',
    params10: { id: 'cfg', taskId: 't/1' },
    params03: { id: 't/1', pushNotificationConfigId: 'cfg' },
    http: [['GET', `${CONFIGS}/cfg`]],
    names: 'task',
  },
  {
    method: 'ListTaskPushNotificationConfigs',
    rpc10: 'ListTaskPushNotificationConfigs',
    rpc03: 'tasks/pushNotificationConfig/list',
    params10: { taskId: 't/1' },
    params03: { id: 't/1' },
    http: [['GET', CONFIGS]],
    names: 'task',
  },
  {
    method: 'DeleteTaskPushNotificationConfig',
    rpc10: 'DeleteTaskPushNotificationConfig',
    rpc03: 'tasks/pushNotificationConfig/delete',
    params10: { id: 'cfg', taskId: 't/1' },
    params03: { id: 't/1', pushNotificationConfigId: 'cfg' },
    http: [['DELETE', `${CONFIGS}/cfg`]],
    names: 'task',
  },
  {
    method: 'GetExtendedAgentCard',
    rpc10: 'GetExtendedAgentCard',
    rpc03: 'agent/getAuthenticatedExtendedCard',
    params10: {},
    params03: {},
    http: [['GET', '/extendedAgentCard']],
    http03: [['GET', '/card']],
    names: 'nothing',
  },
];

const named = ({ names }: Spelled): { serverTaskId?: string } => (names === 'task' ? { serverTaskId: 't/1' } : {});
const withoutMessage = ({ message: _, ...rest }: ReturnType<typeof readRequest>) => rest;

describe('operation × binding × version', () => {
  test('should cover every operation', () => {
    expect(SPELLED.map(({ method }) => method)).toStrictEqual([...A2A_METHODS]);
  });

  test.each(SPELLED)('should read $rpc10 of JSON-RPC 1.0', (spelled) => {
    const body = { jsonrpc: '2.0', id: 1, method: spelled.rpc10, params: spelled.params10 };

    const request = readRequest({ binding: 'JSONRPC', headers: { 'A2A-Version': '1.0' }, body });

    expect(withoutMessage(request)).toStrictEqual({
      binding: 'JSONRPC',
      method: spelled.method,
      version: '1.0',
      dialect: '1.0',
      ...named(spelled),
    });
  });

  test.each(SPELLED.filter(({ rpc03 }) => rpc03 !== undefined))('should read $rpc03 of JSON-RPC 0.3', (spelled) => {
    const body = { jsonrpc: '2.0', id: 1, method: spelled.rpc03, params: spelled.params03 };

    const request = readRequest({ binding: 'JSONRPC', body });

    expect(withoutMessage(request)).toStrictEqual({
      binding: 'JSONRPC',
      method: spelled.method,
      version: '0.3',
      dialect: '0.3',
      ...named(spelled),
    });
  });

  const paths10 = SPELLED.flatMap((spelled) => spelled.http.map(([verb, path]) => ({ verb, path, spelled })));
  test.each(paths10)(
    'should read $verb $path of HTTP+JSON 1.0, with and without a tenant',
    ({ verb, path, spelled }) => {
      const expected = {
        binding: 'HTTP+JSON',
        method: spelled.method,
        version: '1.0',
        dialect: '1.0',
        ...named(spelled),
      };
      const read = (at: string) => {
        const headers = { 'a2a-version': '1.0' };
        return withoutMessage(readRequest({ binding: 'HTTP+JSON', verb, path: at, headers, body: spelled.body }));
      };

      expect(read(path)).toStrictEqual(expected);
      expect(read(`${path}?historyLength=1&x=/tasks/9#f`)).toStrictEqual(expected);
      expect(read(`${path}/`)).toStrictEqual(expected);
      expect(read(`/acme%2Fe${path}`)).toStrictEqual({ ...expected, tenant: 'acme/e' });
      expect(read(`/v1${path}`)).toStrictEqual({ ...expected, tenant: 'v1' });
    },
  );

  const paths03 = SPELLED.flatMap((spelled) =>
    (spelled.http03 ?? spelled.http).map(([verb, path]) => ({ verb, path: `/v1${path}`, spelled })),
  );
  test.each(paths03)('should read $verb $path of HTTP+JSON 0.3', ({ verb, path, spelled }) => {
    const request = readRequest({ binding: 'HTTP+JSON', verb, path, body: spelled.body });

    expect(withoutMessage(request)).toStrictEqual({
      binding: 'HTTP+JSON',
      method: spelled.method,
      version: '0.3',
      dialect: '0.3',
      ...named(spelled),
    });
  });

  const verbs = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', ''];
  const wrong = paths10.flatMap(({ path, verb }) =>
    verbs.filter((other) => other !== verb).map((other) => ({ verb: other, path })),
  );
  test.each(wrong)('should read no other operation into $verb $path', ({ verb, path }) => {
    const meant = SPELLED.find(({ http }) => http.some(([v, p]) => v === verb && p === path));

    const { method } = readRequest({ binding: 'HTTP+JSON', verb, path, headers: { 'a2a-version': '1.0' } });

    expect(method).toBe(meant?.method ?? 'Unknown');
  });
});

describe('what is no operation', () => {
  test.each(['', 'sendMessage', 'Sendmessage', 'message/Send', 'tasks/list', 'toString', '__proto__', 'constructor'])(
    'should not take %p for one',
    (name) => {
      expect(readRpcMethod(name)).toBeUndefined();
    },
  );

  test.each([null, 1, ['GetTask'], { toString: 'GetTask' }])('should not take %p for a name', (name) => {
    expect(readRpcMethod(name)).toBeUndefined();
  });
});

describe('methods that speak about a task (R25)', () => {
  const about = new Set<string>(['GetTask', 'SubscribeToTask', 'CancelTask', 'SendMessage', 'SendStreamingMessage']);
  test.each([...A2A_METHODS, 'Unknown'])('should say so of %s only with a task ID', (method) => {
    expect(isAboutTask(method, 't')).toBe(about.has(method));
    expect(isAboutTask(method, undefined)).toBe(false);
    expect(isAboutTask(method, '')).toBe(false);
  });

  test.each([...A2A_METHODS])('should tell whether %s sends a message', (method) => {
    expect(isSend(method)).toBe(method === 'SendMessage' || method === 'SendStreamingMessage');
  });
});
