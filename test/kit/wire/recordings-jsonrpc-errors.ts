import type { Recording } from './recording.js';

/** The JavaScript SDK over JSON-RPC 1.0, errors. */
export const JS_JSONRPC_ERRORS = {
  'follow-up to a terminal task': {
    request: {
      binding: 'JSONRPC',
      headers: { 'a2a-version': '1.0' },
      body: {
        jsonrpc: '2.0',
        id: 9,
        method: 'SendMessage',
        params: {
          message: {
            messageId: 'msg-1',
            role: 'ROLE_USER',
            parts: [{ text: 'again', mediaType: 'text/plain' }],
            taskId: 'task-1',
          },
        },
      },
    },
    status: 200,
    contentType: 'application/json; charset=utf-8',
    body: {
      jsonrpc: '2.0',
      id: 9,
      error: {
        code: -32004,
        message: 'Task task-1 is in a terminal state (3) and cannot be modified.',
        data: [
          {
            '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
            reason: 'UNSUPPORTED_OPERATION',
            domain: 'a2a-protocol.org',
          },
        ],
      },
    },
  },
  'get: unknown task': {
    request: {
      binding: 'JSONRPC',
      headers: { 'a2a-version': '1.0' },
      body: { jsonrpc: '2.0', id: 11, method: 'GetTask', params: { id: 'no-such-task' } },
    },
    status: 200,
    contentType: 'application/json; charset=utf-8',
    body: {
      jsonrpc: '2.0',
      id: 11,
      error: {
        code: -32001,
        message: 'Task not found: no-such-task',
        data: [
          { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'TASK_NOT_FOUND', domain: 'a2a-protocol.org' },
        ],
      },
    },
  },
  'send: unknown task ID': {
    request: {
      binding: 'JSONRPC',
      headers: { 'a2a-version': '1.0' },
      body: {
        jsonrpc: '2.0',
        id: 12,
        method: 'SendMessage',
        params: {
          message: {
            messageId: 'msg-1',
            role: 'ROLE_USER',
            parts: [{ text: 'hello', mediaType: 'text/plain' }],
            taskId: 'client-made-task-id',
          },
        },
      },
    },
    status: 200,
    contentType: 'application/json; charset=utf-8',
    body: {
      jsonrpc: '2.0',
      id: 12,
      error: {
        code: -32001,
        message: 'Task not found: client-made-task-id',
        data: [
          { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'TASK_NOT_FOUND', domain: 'a2a-protocol.org' },
        ],
      },
    },
  },
  'send: context mismatch': {
    request: {
      binding: 'JSONRPC',
      headers: { 'a2a-version': '1.0' },
      body: {
        jsonrpc: '2.0',
        id: 13,
        method: 'SendMessage',
        params: {
          message: {
            messageId: 'msg-1',
            role: 'ROLE_USER',
            parts: [{ text: 'x', mediaType: 'text/plain' }],
            taskId: 'task-1',
            contextId: 'other',
          },
        },
      },
    },
    status: 200,
    contentType: 'application/json; charset=utf-8',
    body: {
      jsonrpc: '2.0',
      id: 13,
      error: {
        code: -32602,
        message: "contextId mismatch: message contextId 'other' does not match task 'task-1' contextId 'corr-ctx-1'",
        data: [
          { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'INVALID_PARAMS', domain: 'a2a-protocol.org' },
        ],
      },
    },
  },
  'get without a version': {
    request: { binding: 'JSONRPC', body: { jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: 'task-1' } } },
    status: 200,
    contentType: 'application/json; charset=utf-8',
    body: {
      jsonrpc: '2.0',
      id: 1,
      error: {
        code: -32009,
        message: "The requested A2A protocol version '0.3' is not supported. Supported versions: 1.0",
        data: [
          {
            '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
            reason: 'VERSION_NOT_SUPPORTED',
            domain: 'a2a-protocol.org',
          },
        ],
      },
    },
  },
  'subscribe after a restart': {
    request: {
      binding: 'JSONRPC',
      headers: { 'a2a-version': '1.0' },
      body: { jsonrpc: '2.0', id: 42, method: 'SubscribeToTask', params: { id: 'task-1' } },
    },
    status: 200,
    contentType: 'application/json; charset=utf-8',
    body: {
      jsonrpc: '2.0',
      id: 42,
      error: {
        code: -32001,
        message: 'Task not found: task-1',
        data: [
          { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'TASK_NOT_FOUND', domain: 'a2a-protocol.org' },
        ],
      },
    },
  },
  'cancel after a restart': {
    request: {
      binding: 'JSONRPC',
      headers: { 'a2a-version': '1.0' },
      body: { jsonrpc: '2.0', id: 43, method: 'CancelTask', params: { id: 'task-1' } },
    },
    status: 200,
    contentType: 'application/json; charset=utf-8',
    body: {
      jsonrpc: '2.0',
      id: 43,
      error: {
        code: -32001,
        message: 'Task not found: task-1',
        data: [
          { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'TASK_NOT_FOUND', domain: 'a2a-protocol.org' },
        ],
      },
    },
  },
  'get: empty ID': {
    request: {
      binding: 'JSONRPC',
      headers: { 'a2a-version': '1.0' },
      body: { jsonrpc: '2.0', id: 35, method: 'GetTask', params: { id: '' } },
    },
    status: 200,
    contentType: 'application/json; charset=utf-8',
    body: {
      jsonrpc: '2.0',
      id: 35,
      error: {
        code: -32602,
        message: 'Task ID is required',
        data: [
          { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'INVALID_PARAMS', domain: 'a2a-protocol.org' },
        ],
      },
    },
  },
  'stream: store fails behind the first event': {
    request: {
      binding: 'JSONRPC',
      headers: { 'a2a-version': '1.0' },
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'SendStreamingMessage',
        params: {
          message: {
            messageId: 'msg-1',
            role: 'ROLE_USER',
            parts: [{ text: 'x' }],
            metadata: { 'urn:holdfast:a2a-lifecycle:v1': { correlationId: 'c-9' } },
          },
        },
      },
    },
    status: 200,
    contentType: 'text/event-stream',
    sse: [
      'data: {"jsonrpc":"2.0","id":1,"result":{"task":{"id":"task-1","contextId":"ctx-1","status":{"state":"TASK_STATE_SUBMITTED","timestamp":"2026-01-01T00:00:25.732Z"}}}}\n\n',
      'event: error\ndata: {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"store down"}}\n\n',
    ],
    ended: 'clean',
  },
  'send: store fails': {
    request: {
      binding: 'JSONRPC',
      headers: { 'a2a-version': '1.0' },
      body: {
        jsonrpc: '2.0',
        id: 2,
        method: 'SendMessage',
        params: {
          message: {
            messageId: 'msg-1',
            role: 'ROLE_USER',
            parts: [{ text: 'x' }],
            metadata: { 'urn:holdfast:a2a-lifecycle:v1': { correlationId: 'c-9' } },
          },
        },
      },
    },
    status: 200,
    contentType: 'application/json; charset=utf-8',
    body: { jsonrpc: '2.0', id: 2, error: { code: -32603, message: 'store down' } },
  },
  'get: store fails': {
    request: {
      binding: 'JSONRPC',
      headers: { 'a2a-version': '1.0' },
      body: { jsonrpc: '2.0', id: 4, method: 'GetTask', params: { id: 'task-1' } },
    },
    status: 200,
    contentType: 'application/json; charset=utf-8',
    body: { jsonrpc: '2.0', id: 4, error: { code: -32603, message: 'db unreachable' } },
  },
} as const satisfies Record<string, Recording>;
