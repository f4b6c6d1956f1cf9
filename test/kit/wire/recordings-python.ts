import type { Recording } from './recording.js';

/** The Python SDK 1.0: CRLF framing, microseconds, -32603 without a task ID. */
export const PYTHON = {
  'stream: submitted without a timestamp': {
    request: {
      binding: 'JSONRPC',
      headers: { 'a2a-version': '1.0' },
      body: {
        jsonrpc: '2.0',
        id: 2,
        method: 'SendStreamingMessage',
        params: {
          message: { messageId: 'msg-1', role: 'ROLE_USER', parts: [{ text: 'input', mediaType: 'text/plain' }] },
        },
      },
    },
    status: 200,
    contentType: 'text/event-stream; charset=utf-8',
    sse: [
      'data: {"result":{"task":{"id":"task-1","contextId":"ctx-1","status":{"state":"TASK_STATE_SUBMITTED"}}},"id":2,"jsonrpc":"2.0"}\r\n\r\n',
      'data: {"result":{"statusUpdate":{"taskId":"task-1","contextId":"ctx-1","status":{"state":"TASK_STATE_WORKING","timestamp":"2026-01-01T00:00:26.382165Z"}}},"id":2,"jsonrpc":"2.0"}\r\n\r\n',
      'data: {"result":{"statusUpdate":{"taskId":"task-1","contextId":"ctx-1","status":{"state":"TASK_STATE_INPUT_REQUIRED","message":{"messageId":"msg-2","contextId":"ctx-1","taskId":"task-1","role":"ROLE_AGENT","parts":[{"text":"which one?"}]},"timestamp":"2026-01-01T00:00:26.382242Z"}}},"id":2,"jsonrpc":"2.0"}\r\n\r\n',
    ],
    ended: 'clean',
  },
  'send: executor throws': {
    request: {
      binding: 'JSONRPC',
      headers: { 'a2a-version': '1.0' },
      body: {
        jsonrpc: '2.0',
        id: 3,
        method: 'SendMessage',
        params: {
          message: {
            messageId: 'msg-1',
            role: 'ROLE_USER',
            parts: [{ text: 'boom', mediaType: 'text/plain' }],
            contextId: 'py-boom-2',
          },
        },
      },
    },
    status: 200,
    contentType: 'application/json',
    body: { error: { code: -32603, message: 'boom' }, id: 3, jsonrpc: '2.0' },
  },
  'stream: an error behind completed': {
    request: {
      binding: 'JSONRPC',
      headers: { 'a2a-version': '1.0' },
      body: {
        jsonrpc: '2.0',
        id: 6,
        method: 'SendStreamingMessage',
        params: {
          message: { messageId: 'msg-1', role: 'ROLE_USER', parts: [{ text: 'badstate', mediaType: 'text/plain' }] },
        },
      },
    },
    status: 200,
    contentType: 'text/event-stream; charset=utf-8',
    sse: [
      'data: {"result":{"task":{"id":"task-1","contextId":"ctx-1","status":{"state":"TASK_STATE_SUBMITTED"}}},"id":6,"jsonrpc":"2.0"}\r\n\r\n',
      'data: {"result":{"statusUpdate":{"taskId":"task-1","contextId":"ctx-1","status":{"state":"TASK_STATE_WORKING","timestamp":"2026-01-01T00:00:26.403598Z"}}},"id":6,"jsonrpc":"2.0"}\r\n\r\n',
      'data: {"result":{"statusUpdate":{"taskId":"task-1","contextId":"ctx-1","status":{"state":"TASK_STATE_COMPLETED","timestamp":"2026-01-01T00:00:26.403655Z"}}},"id":6,"jsonrpc":"2.0"}\r\n\r\n',
      'event: error\r\ndata: {"error":{"code":-32603,"message":"Task task-1 is already in a terminal state."},"id":6,"jsonrpc":"2.0"}\r\n\r\n',
    ],
    ended: 'clean',
  },
  'list: the failed task nobody was told of': {
    request: {
      binding: 'JSONRPC',
      headers: { 'a2a-version': '1.0' },
      body: { jsonrpc: '2.0', id: 4, method: 'ListTasks', params: { contextId: 'py-boom-2' } },
    },
    status: 200,
    contentType: 'application/json',
    body: {
      result: {
        tasks: [
          {
            id: 'task-1',
            contextId: 'py-boom-2',
            status: { state: 'TASK_STATE_FAILED', timestamp: '2026-01-01T00:00:26.390069Z' },
          },
        ],
        pageSize: 50,
        totalSize: 1,
        nextPageToken: '',
      },
      id: 4,
      jsonrpc: '2.0',
    },
  },
  'stream: executor throws': {
    request: {
      binding: 'JSONRPC',
      headers: { 'a2a-version': '1.0' },
      body: {
        jsonrpc: '2.0',
        id: 5,
        method: 'SendStreamingMessage',
        params: {
          message: { messageId: 'msg-1', role: 'ROLE_USER', parts: [{ text: 'boom', mediaType: 'text/plain' }] },
        },
      },
    },
    status: 200,
    contentType: 'text/event-stream; charset=utf-8',
    sse: [
      'data: {"result":{"task":{"id":"task-1","contextId":"ctx-1","status":{"state":"TASK_STATE_SUBMITTED"}}},"id":5,"jsonrpc":"2.0"}\r\n\r\n',
      'data: {"result":{"statusUpdate":{"taskId":"task-1","contextId":"ctx-1","status":{"state":"TASK_STATE_WORKING","timestamp":"2026-01-01T00:00:26.396595Z"}}},"id":5,"jsonrpc":"2.0"}\r\n\r\n',
      'event: error\r\ndata: {"error":{"code":-32603,"message":"boom"},"id":5,"jsonrpc":"2.0"}\r\n\r\n',
    ],
    ended: 'clean',
  },
  'HTTP get: unknown task': {
    request: { binding: 'HTTP+JSON', verb: 'GET', path: '/tasks/nope', headers: { 'a2a-version': '1.0' } },
    status: 404,
    contentType: 'application/json',
    body: {
      error: {
        code: 404,
        status: 'NOT_FOUND',
        message: 'Task not found',
        details: [
          {
            '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
            reason: 'TASK_NOT_FOUND',
            domain: 'a2a-protocol.org',
            metadata: {},
          },
        ],
      },
    },
  },
} as const satisfies Record<string, Recording>;
