import type { Recording } from './recording.js';

/** The JavaScript SDK's 0.3 compatibility, both bindings. */
export const COMPAT_0_3 = {
  'JSON-RPC send: input-required': {
    request: {
      binding: 'JSONRPC',
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'message/send',
        params: {
          message: { kind: 'message', messageId: 'msg-1', role: 'user', parts: [{ kind: 'text', text: 'input' }] },
          configuration: { blocking: true },
        },
      },
    },
    status: 200,
    contentType: 'application/json; charset=utf-8',
    body: {
      jsonrpc: '2.0',
      id: 1,
      result: {
        kind: 'task',
        id: 'task-1',
        contextId: 'ctx-1',
        status: {
          state: 'input-required',
          message: {
            kind: 'message',
            messageId: 'msg-2',
            role: 'agent',
            parts: [{ kind: 'text', text: 'which one?' }],
            contextId: 'ctx-1',
            taskId: 'task-1',
          },
          timestamp: '2026-01-01T00:00:28.325Z',
        },
      },
    },
  },
  'JSON-RPC stream: file part, completed': {
    request: {
      binding: 'JSONRPC',
      body: {
        jsonrpc: '2.0',
        id: 3,
        method: 'message/stream',
        params: {
          message: { kind: 'message', messageId: 'msg-1', role: 'user', parts: [{ kind: 'text', text: 'badmime' }] },
        },
      },
    },
    status: 200,
    contentType: 'text/event-stream',
    sse: [
      'data: {"id":3,"jsonrpc":"2.0","result":{"kind":"task","id":"task-1","contextId":"ctx-1","status":{"state":"submitted","timestamp":"2026-01-01T00:00:28.336Z"}}}\n\n',
      'data: {"id":3,"jsonrpc":"2.0","result":{"kind":"status-update","taskId":"task-1","contextId":"ctx-1","status":{"state":"working","message":{"kind":"message","messageId":"msg-2","role":"agent","parts":[{"kind":"text","text":"working"}],"contextId":"ctx-1","taskId":"task-1"},"timestamp":"2026-01-01T00:00:28.355Z"},"final":false}}\n\n',
      'data: {"id":3,"jsonrpc":"2.0","result":{"kind":"artifact-update","taskId":"task-1","contextId":"ctx-1","artifact":{"artifactId":"a1","parts":[{"kind":"file","file":{"bytes":"UE5HREFUQQ==","mimeType":"image/png"}}]},"append":false,"lastChunk":true}}\n\n',
      'data: {"id":3,"jsonrpc":"2.0","result":{"kind":"status-update","taskId":"task-1","contextId":"ctx-1","status":{"state":"completed","message":{"kind":"message","messageId":"msg-3","role":"agent","parts":[{"kind":"text","text":"done"}],"contextId":"ctx-1","taskId":"task-1"},"timestamp":"2026-01-01T00:00:28.376Z"},"final":true}}\n\n',
    ],
    ended: 'clean',
  },
  'JSON-RPC get: unknown task': {
    request: { binding: 'JSONRPC', body: { jsonrpc: '2.0', id: 4, method: 'tasks/get', params: { id: 'nope' } } },
    status: 200,
    contentType: 'application/json; charset=utf-8',
    body: { jsonrpc: '2.0', id: 4, error: { code: -32001, message: 'Task not found: nope' } },
  },
  'JSON-RPC tasks/list: no such method': {
    request: { binding: 'JSONRPC', body: { jsonrpc: '2.0', id: 5, method: 'tasks/list', params: {} } },
    status: 200,
    contentType: 'application/json; charset=utf-8',
    body: { jsonrpc: '2.0', id: 5, error: { code: -32601, message: 'Method not found: tasks/list' } },
  },
  'HTTP get: proto enum names, content': {
    request: { binding: 'HTTP+JSON', verb: 'GET', path: '/v1/tasks/task-1' },
    status: 200,
    contentType: 'application/json; charset=utf-8',
    body: {
      id: 'task-1',
      contextId: 'ctx-1',
      status: {
        state: 'TASK_STATE_INPUT_REQUIRED',
        message: {
          messageId: 'msg-1',
          contextId: 'ctx-1',
          taskId: 'task-1',
          role: 'ROLE_AGENT',
          content: [{ text: 'which one?' }],
        },
        timestamp: '2026-01-01T00:00:28.325Z',
      },
    },
  },
  'HTTP send: 201, wrapped data': {
    request: {
      binding: 'HTTP+JSON',
      verb: 'POST',
      path: '/v1/message:send',
      body: { message: { messageId: 'm1', role: 'ROLE_USER', content: [{ text: 'nomime' }] } },
    },
    status: 201,
    contentType: 'application/json; charset=utf-8',
    body: {
      task: {
        id: 'task-1',
        contextId: 'ctx-1',
        status: {
          state: 'TASK_STATE_COMPLETED',
          message: {
            messageId: 'msg-1',
            contextId: 'ctx-1',
            taskId: 'task-1',
            role: 'ROLE_AGENT',
            content: [{ text: 'done' }],
          },
          timestamp: '2026-01-01T00:00:28.427Z',
        },
        artifacts: [
          { artifactId: 'a1', parts: [{ text: 'no media type' }] },
          { artifactId: 'a2', parts: [{ data: { data: { k: 1 } } }] },
        ],
      },
    },
  },
  'HTTP get: unknown task': {
    request: { binding: 'HTTP+JSON', verb: 'GET', path: '/v1/tasks/nope' },
    status: 404,
    contentType: 'application/json; charset=utf-8',
    body: { code: -32001, message: 'Task not found: nope' },
  },
} as const satisfies Record<string, Recording>;
