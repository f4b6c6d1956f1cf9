import type { Recording } from './recording.js';

/** The JavaScript SDK over JSON-RPC 1.0, plain answers. */
export const JS_JSONRPC = {
  'send, blocking: input-required': {
    request: {
      binding: 'JSONRPC',
      headers: { 'a2a-version': '1.0' },
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'SendMessage',
        params: {
          message: {
            messageId: 'msg-1',
            role: 'ROLE_USER',
            parts: [{ text: 'input please', mediaType: 'text/plain' }],
            contextId: 'corr-ctx-1',
            metadata: { 'urn:holdfast:a2a-lifecycle:v1': { correlationId: 'corr-123' } },
          },
          metadata: { 'urn:holdfast:a2a-lifecycle:v1': { correlationId: 'corr-123' } },
          configuration: { acceptedOutputModes: ['image/png'] },
        },
      },
    },
    status: 200,
    contentType: 'application/json; charset=utf-8',
    body: {
      jsonrpc: '2.0',
      id: 1,
      result: {
        task: {
          id: 'task-1',
          contextId: 'corr-ctx-1',
          status: {
            state: 'TASK_STATE_INPUT_REQUIRED',
            message: {
              messageId: 'msg-2',
              contextId: 'corr-ctx-1',
              taskId: 'task-1',
              role: 'ROLE_AGENT',
              parts: [{ text: 'which one?', mediaType: 'text/plain' }],
            },
            timestamp: '2026-01-01T00:00:11.879Z',
          },
          history: [
            {
              messageId: 'msg-1',
              contextId: 'corr-ctx-1',
              taskId: 'task-1',
              role: 'ROLE_USER',
              parts: [{ text: 'input please', mediaType: 'text/plain' }],
              metadata: { 'urn:holdfast:a2a-lifecycle:v1': { correlationId: 'corr-123' } },
            },
            {
              messageId: 'msg-3',
              contextId: 'corr-ctx-1',
              taskId: 'task-1',
              role: 'ROLE_AGENT',
              parts: [{ text: 'working', mediaType: 'text/plain' }],
            },
            {
              messageId: 'msg-2',
              contextId: 'corr-ctx-1',
              taskId: 'task-1',
              role: 'ROLE_AGENT',
              parts: [{ text: 'which one?', mediaType: 'text/plain' }],
            },
          ],
          metadata: { 'urn:holdfast:a2a-lifecycle:v1': { correlationId: 'corr-123' } },
        },
      },
    },
  },
  'get: input-required': {
    request: {
      binding: 'JSONRPC',
      headers: { 'a2a-version': '1.0' },
      body: { jsonrpc: '2.0', id: 2, method: 'GetTask', params: { id: 'task-1' } },
    },
    status: 200,
    contentType: 'application/json; charset=utf-8',
    body: {
      jsonrpc: '2.0',
      id: 2,
      result: {
        id: 'task-1',
        contextId: 'corr-ctx-1',
        status: {
          state: 'TASK_STATE_INPUT_REQUIRED',
          message: {
            messageId: 'msg-1',
            contextId: 'corr-ctx-1',
            taskId: 'task-1',
            role: 'ROLE_AGENT',
            parts: [{ text: 'which one?', mediaType: 'text/plain' }],
          },
          timestamp: '2026-01-01T00:00:11.879Z',
        },
        metadata: { 'urn:holdfast:a2a-lifecycle:v1': { correlationId: 'corr-123' } },
      },
    },
  },
  'list by context': {
    request: {
      binding: 'JSONRPC',
      headers: { 'a2a-version': '1.0' },
      body: {
        jsonrpc: '2.0',
        id: 3,
        method: 'ListTasks',
        params: { contextId: 'corr-ctx-1', status: 'TASK_STATE_INPUT_REQUIRED', pageSize: 10 },
      },
    },
    status: 200,
    contentType: 'application/json; charset=utf-8',
    body: {
      jsonrpc: '2.0',
      id: 3,
      result: {
        tasks: [
          {
            id: 'task-1',
            contextId: 'corr-ctx-1',
            status: {
              state: 'TASK_STATE_INPUT_REQUIRED',
              message: {
                messageId: 'msg-1',
                contextId: 'corr-ctx-1',
                taskId: 'task-1',
                role: 'ROLE_AGENT',
                parts: [{ text: 'which one?', mediaType: 'text/plain' }],
              },
              timestamp: '2026-01-01T00:00:11.879Z',
            },
            metadata: { 'urn:holdfast:a2a-lifecycle:v1': { correlationId: 'corr-123' } },
          },
        ],
        nextPageToken: '',
        pageSize: 10,
        totalSize: 1,
      },
    },
  },
  'send: a message and no task': {
    request: {
      binding: 'JSONRPC',
      headers: { 'a2a-version': '1.0' },
      body: {
        jsonrpc: '2.0',
        id: 17,
        method: 'SendMessage',
        params: {
          message: { messageId: 'msg-1', role: 'ROLE_USER', parts: [{ text: 'message', mediaType: 'text/plain' }] },
        },
      },
    },
    status: 200,
    contentType: 'application/json; charset=utf-8',
    body: {
      jsonrpc: '2.0',
      id: 17,
      result: {
        message: {
          messageId: 'msg-2',
          contextId: 'ctx-1',
          role: 'ROLE_AGENT',
          parts: [{ text: 'direct reply', mediaType: 'text/plain' }],
        },
      },
    },
  },
  'send: parts without media type': {
    request: {
      binding: 'JSONRPC',
      headers: { 'a2a-version': '1.0' },
      body: {
        jsonrpc: '2.0',
        id: 18,
        method: 'SendMessage',
        params: {
          message: { messageId: 'msg-1', role: 'ROLE_USER', parts: [{ text: 'nomime', mediaType: 'text/plain' }] },
        },
      },
    },
    status: 200,
    contentType: 'application/json; charset=utf-8',
    body: {
      jsonrpc: '2.0',
      id: 18,
      result: {
        task: {
          id: 'task-1',
          contextId: 'ctx-1',
          status: {
            state: 'TASK_STATE_COMPLETED',
            message: {
              messageId: 'msg-2',
              contextId: 'ctx-1',
              taskId: 'task-1',
              role: 'ROLE_AGENT',
              parts: [{ text: 'done', mediaType: 'text/plain' }],
            },
            timestamp: '2026-01-01T00:00:13.956Z',
          },
          artifacts: [
            { artifactId: 'a1', parts: [{ text: 'no media type' }] },
            { artifactId: 'a2', parts: [{ data: { k: 1 } }] },
          ],
        },
      },
    },
  },
  'send: image/png': {
    request: {
      binding: 'JSONRPC',
      headers: { 'a2a-version': '1.0' },
      body: {
        jsonrpc: '2.0',
        id: 19,
        method: 'SendMessage',
        params: {
          message: { messageId: 'msg-1', role: 'ROLE_USER', parts: [{ text: 'badmime', mediaType: 'text/plain' }] },
        },
      },
    },
    status: 200,
    contentType: 'application/json; charset=utf-8',
    body: {
      jsonrpc: '2.0',
      id: 19,
      result: {
        task: {
          id: 'task-1',
          contextId: 'ctx-1',
          status: {
            state: 'TASK_STATE_COMPLETED',
            message: {
              messageId: 'msg-2',
              contextId: 'ctx-1',
              taskId: 'task-1',
              role: 'ROLE_AGENT',
              parts: [{ text: 'done', mediaType: 'text/plain' }],
            },
            timestamp: '2026-01-01T00:00:14.009Z',
          },
          artifacts: [{ artifactId: 'a1', parts: [{ raw: 'UE5HREFUQQ==', mediaType: 'image/png' }] }],
        },
      },
    },
  },
  'send: a completed task overwritten by working': {
    request: {
      binding: 'JSONRPC',
      headers: { 'a2a-version': '1.0' },
      body: {
        jsonrpc: '2.0',
        id: 23,
        method: 'SendMessage',
        params: {
          message: { messageId: 'msg-1', role: 'ROLE_USER', parts: [{ text: 'badtask', mediaType: 'text/plain' }] },
        },
      },
    },
    status: 200,
    contentType: 'application/json; charset=utf-8',
    body: {
      jsonrpc: '2.0',
      id: 23,
      result: {
        task: {
          id: 'task-1',
          contextId: 'ctx-1',
          status: { state: 'TASK_STATE_WORKING', timestamp: '2026-01-01T00:00:14.245Z' },
        },
      },
    },
  },
  cancel: {
    request: {
      binding: 'JSONRPC',
      headers: { 'a2a-version': '1.0' },
      body: { jsonrpc: '2.0', id: 30, method: 'CancelTask', params: { id: 'task-1' } },
    },
    status: 200,
    contentType: 'application/json; charset=utf-8',
    body: {
      jsonrpc: '2.0',
      id: 30,
      result: {
        id: 'task-1',
        contextId: 'ctx-1',
        status: { state: 'TASK_STATE_CANCELED', timestamp: '2026-01-01T00:00:14.427Z' },
      },
    },
  },
  'push configuration created': {
    request: {
      binding: 'JSONRPC',
      headers: { 'a2a-version': '1.0' },
      body: {
        jsonrpc: '2.0',
        id: 31,
        method: 'CreateTaskPushNotificationConfig',
        params: { taskId: 'task-1', url: 'https://hook.example', token: 'tok' },
      },
    },
    status: 200,
    contentType: 'application/json; charset=utf-8',
    body: {
      jsonrpc: '2.0',
      id: 31,
      result: { id: 'task-2', taskId: 'task-1', url: 'https://hook.example', token: 'tok' },
    },
  },
  'list after a restart: empty': {
    request: {
      binding: 'JSONRPC',
      headers: { 'a2a-version': '1.0' },
      body: { jsonrpc: '2.0', id: 44, method: 'ListTasks', params: { contextId: 'corr-ctx-1' } },
    },
    status: 200,
    contentType: 'application/json; charset=utf-8',
    body: { jsonrpc: '2.0', id: 44, result: { tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 } },
  },
} as const satisfies Record<string, Recording>;
