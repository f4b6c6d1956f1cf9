import type { Recording } from './recording.js';

/** The JavaScript SDK over HTTP+JSON 1.0. */
export const JS_HTTP = {
  'send, blocking: input-required': {
    request: {
      binding: 'HTTP+JSON',
      verb: 'POST',
      path: '/message:send',
      headers: { 'a2a-version': '1.0' },
      body: {
        message: { messageId: 'msg-1', role: 'ROLE_USER', parts: [{ text: 'input please', mediaType: 'text/plain' }] },
      },
    },
    status: 200,
    contentType: 'application/a2a+json; charset=utf-8',
    body: {
      task: {
        id: 'task-1',
        contextId: 'ctx-1',
        status: {
          state: 'TASK_STATE_INPUT_REQUIRED',
          message: {
            messageId: 'msg-2',
            contextId: 'ctx-1',
            taskId: 'task-1',
            role: 'ROLE_AGENT',
            parts: [{ text: 'which one?', mediaType: 'text/plain' }],
          },
          timestamp: '2026-01-01T00:00:14.485Z',
        },
      },
    },
  },
  'list: first of two pages': {
    request: {
      binding: 'HTTP+JSON',
      verb: 'GET',
      path: '/tasks?status=TASK_STATE_INPUT_REQUIRED&pageSize=1',
      headers: { 'a2a-version': '1.0' },
    },
    status: 200,
    contentType: 'application/a2a+json; charset=utf-8',
    body: {
      tasks: [
        {
          id: 'task-1',
          contextId: 'ctx-1',
          status: {
            state: 'TASK_STATE_INPUT_REQUIRED',
            message: {
              messageId: 'msg-1',
              contextId: 'ctx-1',
              taskId: 'task-1',
              role: 'ROLE_AGENT',
              parts: [{ text: 'which one?', mediaType: 'text/plain' }],
            },
            timestamp: '2026-01-01T00:00:14.485Z',
          },
        },
      ],
      nextPageToken: 'next-page',
      pageSize: 1,
      totalSize: 2,
    },
  },
  'stream: submitted, working, input-required': {
    request: {
      binding: 'HTTP+JSON',
      verb: 'POST',
      path: '/message:stream',
      headers: { 'a2a-version': '1.0' },
      body: {
        message: { messageId: 'msg-1', role: 'ROLE_USER', parts: [{ text: 'input please', mediaType: 'text/plain' }] },
      },
    },
    status: 200,
    contentType: 'text/event-stream',
    sse: [
      'data: {"task":{"id":"task-1","contextId":"ctx-1","status":{"state":"TASK_STATE_SUBMITTED","timestamp":"2026-01-01T00:00:14.518Z"}}}\n\n',
      'data: {"statusUpdate":{"taskId":"task-1","contextId":"ctx-1","status":{"state":"TASK_STATE_WORKING","message":{"messageId":"msg-2","contextId":"ctx-1","taskId":"task-1","role":"ROLE_AGENT","parts":[{"text":"working","mediaType":"text/plain"}]},"timestamp":"2026-01-01T00:00:14.538Z"}}}\n\n',
      'data: {"statusUpdate":{"taskId":"task-1","contextId":"ctx-1","status":{"state":"TASK_STATE_INPUT_REQUIRED","message":{"messageId":"msg-3","contextId":"ctx-1","taskId":"task-1","role":"ROLE_AGENT","parts":[{"text":"which one?","mediaType":"text/plain"}]},"timestamp":"2026-01-01T00:00:14.559Z"}}}\n\n',
    ],
    ended: 'clean',
  },
  'follow-up: completed': {
    request: {
      binding: 'HTTP+JSON',
      verb: 'POST',
      path: '/message:send',
      headers: { 'a2a-version': '1.0' },
      body: {
        message: {
          messageId: 'msg-1',
          role: 'ROLE_USER',
          parts: [{ text: 'blue', mediaType: 'text/plain' }],
          taskId: 'task-1',
        },
      },
    },
    status: 200,
    contentType: 'application/a2a+json; charset=utf-8',
    body: {
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
          timestamp: '2026-01-01T00:00:16.212Z',
        },
        artifacts: [{ artifactId: 'a1', parts: [{ text: 'answer: blue', mediaType: 'text/plain' }] }],
      },
    },
  },
  'get: unknown task': {
    request: { binding: 'HTTP+JSON', verb: 'GET', path: '/tasks/no-such-task', headers: { 'a2a-version': '1.0' } },
    status: 404,
    contentType: 'application/a2a+json; charset=utf-8',
    body: {
      error: {
        code: 404,
        status: 'NOT_FOUND',
        message: 'Task not found: no-such-task',
        details: [
          { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'TASK_NOT_FOUND', domain: 'a2a-protocol.org' },
        ],
      },
    },
  },
  'get without a version': {
    request: { binding: 'HTTP+JSON', verb: 'GET', path: '/tasks/task-1' },
    status: 400,
    contentType: 'application/a2a+json; charset=utf-8',
    body: {
      error: {
        code: 400,
        status: 'FAILED_PRECONDITION',
        message: "The requested A2A protocol version '0.3' is not supported. Supported versions: 1.0",
        details: [
          {
            '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
            reason: 'VERSION_NOT_SUPPORTED',
            domain: 'a2a-protocol.org',
          },
        ],
      },
    },
  },
  'cancel a terminal task': {
    request: {
      binding: 'HTTP+JSON',
      verb: 'POST',
      path: '/tasks/task-1:cancel',
      headers: { 'a2a-version': '1.0' },
      body: {},
    },
    status: 400,
    contentType: 'application/a2a+json; charset=utf-8',
    body: {
      error: {
        code: 400,
        status: 'FAILED_PRECONDITION',
        message: 'Task not cancelable: task-1',
        details: [
          {
            '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
            reason: 'TASK_NOT_CANCELABLE',
            domain: 'a2a-protocol.org',
          },
        ],
      },
    },
  },
  'unknown path: a 404 page': {
    request: { binding: 'HTTP+JSON', verb: 'GET', path: '/nope', headers: { 'a2a-version': '1.0' } },
    status: 404,
    contentType: 'text/html; charset=utf-8',
    body: '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Error</title>\n</head>\n<body>\n<pre>Cannot GET /a2a/rest/nope</pre>\n</body>\n</html>\n',
  },
  'subscribe by POST after a restart': {
    request: { binding: 'HTTP+JSON', verb: 'POST', path: '/tasks/task-1:subscribe', headers: { 'a2a-version': '1.0' } },
    status: 404,
    contentType: 'application/a2a+json; charset=utf-8',
    body: {
      error: {
        code: 404,
        status: 'NOT_FOUND',
        message: 'Task not found: task-1',
        details: [
          { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'TASK_NOT_FOUND', domain: 'a2a-protocol.org' },
        ],
      },
    },
  },
  'subscribe by GET': {
    request: { binding: 'HTTP+JSON', verb: 'GET', path: '/tasks/task-1:subscribe', headers: { 'a2a-version': '1.0' } },
    status: 200,
    contentType: 'text/event-stream',
    sse: [
      'data: {"task":{"id":"task-1","contextId":"ctx-1","status":{"state":"TASK_STATE_INPUT_REQUIRED","message":{"messageId":"msg-1","contextId":"ctx-1","taskId":"task-1","role":"ROLE_AGENT","parts":[{"text":"which one?","mediaType":"text/plain"}]},"timestamp":"2026-01-01T00:00:14.485Z"}}}\n\n',
    ],
    ended: 'broken',
  },
} as const satisfies Record<string, Recording>;
