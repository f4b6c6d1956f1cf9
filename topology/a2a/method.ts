/** The operations of A2A by their 1.0 names, which every binding and version is read to. */
export const A2A_METHODS = [
  'SendMessage',
  'SendStreamingMessage',
  'GetTask',
  'ListTasks',
  'CancelTask',
  'SubscribeToTask',
  'CreateTaskPushNotificationConfig',
  'GetTaskPushNotificationConfig',
  'ListTaskPushNotificationConfigs',
  'DeleteTaskPushNotificationConfig',
  'GetExtendedAgentCard',
] as const;
export type A2aMethod = (typeof A2A_METHODS)[number];

/** The `method` of an observation about a request that is none of the operations. */
export const UNKNOWN_METHOD = 'Unknown';

/** The spelling of the wire: 0.3 and 1.0 differ in names, shapes and enum words. Minor versions of 1 read as 1.0. */
export const DIALECTS = ['1.0', '0.3'] as const;
export type Dialect = (typeof DIALECTS)[number];

/** Where the JSON-RPC parameters name the task: `message` is `params.message.taskId`. */
export type TaskPlace = 'id' | 'taskId' | 'message';
type Rpc = { readonly name: string; readonly task?: TaskPlace };

/** One operation in every spelling. HTTP templates stand below the interface's URL, those of 0.3 below its `/v1`. */
export type Operation = {
  readonly rpc: { readonly '1.0': Rpc; readonly '0.3'?: Rpc };
  readonly http: Readonly<Record<Dialect, readonly string[]>>;
};

const inBoth = (...templates: readonly string[]): Operation['http'] => ({ '1.0': templates, '0.3': templates });

/**
 * SPEC sections 5.3, 9.4, 11.3 and the 0.3 method table. `SubscribeToTask` has two verbs: the specification's text says
 * POST, its proto file GET, and servers take both. 0.3 has no JSON-RPC `tasks/list`.
 */
export const OPERATIONS: Readonly<Record<A2aMethod, Operation>> = {
  SendMessage: {
    rpc: { '1.0': { name: 'SendMessage', task: 'message' }, '0.3': { name: 'message/send', task: 'message' } },
    http: inBoth('POST /message:send'),
  },
  SendStreamingMessage: {
    rpc: {
      '1.0': { name: 'SendStreamingMessage', task: 'message' },
      '0.3': { name: 'message/stream', task: 'message' },
    },
    http: inBoth('POST /message:stream'),
  },
  GetTask: {
    rpc: { '1.0': { name: 'GetTask', task: 'id' }, '0.3': { name: 'tasks/get', task: 'id' } },
    http: inBoth('GET /tasks/{id}'),
  },
  ListTasks: { rpc: { '1.0': { name: 'ListTasks' } }, http: inBoth('GET /tasks') },
  CancelTask: {
    rpc: { '1.0': { name: 'CancelTask', task: 'id' }, '0.3': { name: 'tasks/cancel', task: 'id' } },
    http: inBoth('POST /tasks/{id}:cancel'),
  },
  SubscribeToTask: {
    rpc: { '1.0': { name: 'SubscribeToTask', task: 'id' }, '0.3': { name: 'tasks/resubscribe', task: 'id' } },
    http: inBoth('POST /tasks/{id}:subscribe', 'GET /tasks/{id}:subscribe'),
  },
  CreateTaskPushNotificationConfig: {
    rpc: {
      '1.0': { name: 'CreateTaskPushNotificationConfig', task: 'taskId' },
      '0.3': { name: 'tasks/pushNotificationConfig/set', task: 'taskId' },
    },
    http: inBoth('POST /tasks/{id}/pushNotificationConfigs'),
  },
  GetTaskPushNotificationConfig: {
    rpc: {
      '1.0': { name: 'GetTaskPushNotificationConfig', task: 'taskId' },
      '0.3': { name: 'tasks/pushNotificationConfig/get', task: 'id' },
    },
    http: inBoth('GET /tasks/{id}/pushNotificationConfigs/{config}'),
  },
  ListTaskPushNotificationConfigs: {
    rpc: {
      '1.0': { name: 'ListTaskPushNotificationConfigs', task: 'taskId' },
      '0.3': { name: 'tasks/pushNotificationConfig/list', task: 'id' },
    },
    http: inBoth('GET /tasks/{id}/pushNotificationConfigs'),
  },
  DeleteTaskPushNotificationConfig: {
    rpc: {
      '1.0': { name: 'DeleteTaskPushNotificationConfig', task: 'taskId' },
      '0.3': { name: 'tasks/pushNotificationConfig/delete', task: 'id' },
    },
    http: inBoth('DELETE /tasks/{id}/pushNotificationConfigs/{config}'),
  },
  GetExtendedAgentCard: {
    rpc: { '1.0': { name: 'GetExtendedAgentCard' }, '0.3': { name: 'agent/getAuthenticatedExtendedCard' } },
    http: { '1.0': ['GET /extendedAgentCard'], '0.3': ['GET /card'] },
  },
};

/** A JSON-RPC method name read: no name stands for two operations, so it tells the dialect as well. */
export type RpcMethod = { readonly method: A2aMethod; readonly dialect: Dialect; readonly task?: TaskPlace };

const RPC_METHODS: ReadonlyMap<string, RpcMethod> = new Map(
  A2A_METHODS.flatMap((method) =>
    DIALECTS.flatMap((dialect): [string, RpcMethod][] => {
      const rpc = OPERATIONS[method].rpc[dialect];
      if (rpc === undefined) return [];
      return [[rpc.name, { method, dialect, ...(rpc.task !== undefined && { task: rpc.task }) }]];
    }),
  ),
);

/** The operation that a JSON-RPC method name stands for. */
export const readRpcMethod = (name: unknown): RpcMethod | undefined =>
  typeof name === 'string' ? RPC_METHODS.get(name) : undefined;

const SENDS: ReadonlySet<string> = new Set(['SendMessage', 'SendStreamingMessage'] satisfies A2aMethod[]);
const ASKS_ABOUT_A_TASK: ReadonlySet<string> = new Set([
  'GetTask',
  'SubscribeToTask',
  'CancelTask',
] satisfies A2aMethod[]);

/** A message was sent: with no task ID a dispatch, with one an answer to that task (RULES.md section 2). */
export const isSend = (method: string): boolean => SENDS.has(method);

/** An answer to it speaks about that task (R25): a question about a task, or a message with a task ID. */
export const isAboutTask = (method: string, serverTaskId: string | undefined): boolean =>
  serverTaskId !== undefined && serverTaskId !== '' && (ASKS_ABOUT_A_TASK.has(method) || SENDS.has(method));
