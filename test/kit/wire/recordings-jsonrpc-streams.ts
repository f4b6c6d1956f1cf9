import type { Recording } from './recording.js';

/** The JavaScript SDK over JSON-RPC 1.0, streams. */
export const JS_JSONRPC_STREAMS = {
  'stream: submitted, working, input-required': {
    request: {
      binding: 'JSONRPC',
      headers: { 'a2a-version': '1.0' },
      body: {
        jsonrpc: '2.0',
        id: 6,
        method: 'SendStreamingMessage',
        params: {
          message: {
            messageId: 'msg-1',
            role: 'ROLE_USER',
            parts: [{ text: 'input please', mediaType: 'text/plain' }],
          },
        },
      },
    },
    status: 200,
    contentType: 'text/event-stream',
    sse: [
      'data: {"jsonrpc":"2.0","id":6,"result":{"task":{"id":"task-1","contextId":"ctx-1","status":{"state":"TASK_STATE_SUBMITTED","timestamp":"2026-01-01T00:00:12.017Z"}}}}\n\n',
      'data: {"jsonrpc":"2.0","id":6,"result":{"statusUpdate":{"taskId":"task-1","contextId":"ctx-1","status":{"state":"TASK_STATE_WORKING","message":{"messageId":"msg-2","contextId":"ctx-1","taskId":"task-1","role":"ROLE_AGENT","parts":[{"text":"working","mediaType":"text/plain"}]},"timestamp":"2026-01-01T00:00:12.037Z"}}}}\n\n',
      'data: {"jsonrpc":"2.0","id":6,"result":{"statusUpdate":{"taskId":"task-1","contextId":"ctx-1","status":{"state":"TASK_STATE_INPUT_REQUIRED","message":{"messageId":"msg-3","contextId":"ctx-1","taskId":"task-1","role":"ROLE_AGENT","parts":[{"text":"which one?","mediaType":"text/plain"}]},"timestamp":"2026-01-01T00:00:12.058Z"}}}}\n\n',
    ],
    ended: 'clean',
  },
  'subscribe to input-required: snapshot, stays open': {
    request: {
      binding: 'JSONRPC',
      headers: { 'a2a-version': '1.0' },
      body: { jsonrpc: '2.0', id: 7, method: 'SubscribeToTask', params: { id: 'task-1' } },
    },
    status: 200,
    contentType: 'text/event-stream',
    sse: [
      'data: {"jsonrpc":"2.0","id":7,"result":{"task":{"id":"task-1","contextId":"ctx-1","status":{"state":"TASK_STATE_INPUT_REQUIRED","message":{"messageId":"msg-1","contextId":"ctx-1","taskId":"task-1","role":"ROLE_AGENT","parts":[{"text":"which one?","mediaType":"text/plain"}]},"timestamp":"2026-01-01T00:00:12.058Z"}}}}\n\n',
    ],
    ended: 'broken',
  },
  'follow-up stream: old snapshot first, then completed': {
    request: {
      binding: 'JSONRPC',
      headers: { 'a2a-version': '1.0' },
      body: {
        jsonrpc: '2.0',
        id: 8,
        method: 'SendStreamingMessage',
        params: {
          message: {
            messageId: 'msg-1',
            role: 'ROLE_USER',
            parts: [{ text: 'the blue one', mediaType: 'text/plain' }],
            taskId: 'task-1',
          },
        },
      },
    },
    status: 200,
    contentType: 'text/event-stream',
    sse: [
      'data: {"jsonrpc":"2.0","id":8,"result":{"task":{"id":"task-1","contextId":"ctx-1","status":{"state":"TASK_STATE_INPUT_REQUIRED","message":{"messageId":"msg-2","contextId":"ctx-1","taskId":"task-1","role":"ROLE_AGENT","parts":[{"text":"which one?","mediaType":"text/plain"}]},"timestamp":"2026-01-01T00:00:12.058Z"}}}}\n\n',
      'data: {"jsonrpc":"2.0","id":8,"result":{"statusUpdate":{"taskId":"task-1","contextId":"ctx-1","status":{"state":"TASK_STATE_WORKING","message":{"messageId":"msg-3","contextId":"ctx-1","taskId":"task-1","role":"ROLE_AGENT","parts":[{"text":"working","mediaType":"text/plain"}]},"timestamp":"2026-01-01T00:00:13.610Z"}}}}\n\n',
      'data: {"jsonrpc":"2.0","id":8,"result":{"artifactUpdate":{"taskId":"task-1","contextId":"ctx-1","artifact":{"artifactId":"a1","parts":[{"text":"answer: the blue one","mediaType":"text/plain"}]},"lastChunk":true}}}\n\n',
      'data: {"jsonrpc":"2.0","id":8,"result":{"statusUpdate":{"taskId":"task-1","contextId":"ctx-1","status":{"state":"TASK_STATE_COMPLETED","message":{"messageId":"msg-4","contextId":"ctx-1","taskId":"task-1","role":"ROLE_AGENT","parts":[{"text":"done","mediaType":"text/plain"}]},"timestamp":"2026-01-01T00:00:13.631Z"}}}}\n\n',
    ],
    ended: 'clean',
  },
  'stream: appended chunks': {
    request: {
      binding: 'JSONRPC',
      headers: { 'a2a-version': '1.0' },
      body: {
        jsonrpc: '2.0',
        id: 20,
        method: 'SendStreamingMessage',
        params: {
          message: { messageId: 'msg-1', role: 'ROLE_USER', parts: [{ text: 'chunks', mediaType: 'text/plain' }] },
        },
      },
    },
    status: 200,
    contentType: 'text/event-stream',
    sse: [
      'data: {"jsonrpc":"2.0","id":20,"result":{"task":{"id":"task-1","contextId":"ctx-1","status":{"state":"TASK_STATE_SUBMITTED","timestamp":"2026-01-01T00:00:14.012Z"}}}}\n\n',
      'data: {"jsonrpc":"2.0","id":20,"result":{"statusUpdate":{"taskId":"task-1","contextId":"ctx-1","status":{"state":"TASK_STATE_WORKING","message":{"messageId":"msg-2","contextId":"ctx-1","taskId":"task-1","role":"ROLE_AGENT","parts":[{"text":"working","mediaType":"text/plain"}]},"timestamp":"2026-01-01T00:00:14.031Z"}}}}\n\n',
      'data: {"jsonrpc":"2.0","id":20,"result":{"artifactUpdate":{"taskId":"task-1","contextId":"ctx-1","artifact":{"artifactId":"a1","parts":[{"text":"part-1 ","mediaType":"text/plain"}]}}}}\n\n',
      'data: {"jsonrpc":"2.0","id":20,"result":{"artifactUpdate":{"taskId":"task-1","contextId":"ctx-1","artifact":{"artifactId":"a1","parts":[{"text":"part-2 ","mediaType":"text/plain"}]},"append":true}}}\n\n',
      'data: {"jsonrpc":"2.0","id":20,"result":{"artifactUpdate":{"taskId":"task-1","contextId":"ctx-1","artifact":{"artifactId":"a1","parts":[{"text":"part-3","mediaType":"text/markdown"}]},"append":true,"lastChunk":true}}}\n\n',
      'data: {"jsonrpc":"2.0","id":20,"result":{"statusUpdate":{"taskId":"task-1","contextId":"ctx-1","status":{"state":"TASK_STATE_COMPLETED","message":{"messageId":"msg-3","contextId":"ctx-1","taskId":"task-1","role":"ROLE_AGENT","parts":[{"text":"done","mediaType":"text/plain"}]},"timestamp":"2026-01-01T00:00:14.111Z"}}}}\n\n',
    ],
    ended: 'clean',
  },
  'subscribe to a zombie: snapshot, closed': {
    request: {
      binding: 'JSONRPC',
      headers: { 'a2a-version': '1.0' },
      body: { jsonrpc: '2.0', id: 5, method: 'SubscribeToTask', params: { id: 'task-1' } },
    },
    status: 200,
    contentType: 'text/event-stream',
    sse: [
      'data: {"jsonrpc":"2.0","id":5,"result":{"task":{"id":"task-1","contextId":"ctx-1","status":{"state":"TASK_STATE_WORKING","message":{"messageId":"msg-1","contextId":"ctx-1","taskId":"task-1","role":"ROLE_AGENT","parts":[{"text":"working","mediaType":"text/plain"}]},"timestamp":"2026-01-01T00:00:20.387Z"}}}}\n\n',
    ],
    ended: 'clean',
  },
  'subscribe: the snapshot twice': {
    request: {
      binding: 'JSONRPC',
      headers: { 'a2a-version': '1.0' },
      body: { jsonrpc: '2.0', id: 4, method: 'SubscribeToTask', params: { id: 'task-1' } },
    },
    status: 200,
    contentType: 'text/event-stream',
    sse: [
      'data: {"jsonrpc":"2.0","id":4,"result":{"task":{"id":"task-1","contextId":"ctx-1","status":{"state":"TASK_STATE_WORKING","message":{"messageId":"msg-1","contextId":"ctx-1","taskId":"task-1","role":"ROLE_AGENT","parts":[{"text":"working","mediaType":"text/plain"}]},"timestamp":"2026-01-01T00:00:59.909Z"}}}}\n\n',
      'data: {"jsonrpc":"2.0","id":4,"result":{"task":{"id":"task-1","contextId":"ctx-1","status":{"state":"TASK_STATE_WORKING","message":{"messageId":"msg-1","contextId":"ctx-1","taskId":"task-1","role":"ROLE_AGENT","parts":[{"text":"working","mediaType":"text/plain"}]},"timestamp":"2026-01-01T00:00:59.909Z"}}}}\n\n',
      'data: {"jsonrpc":"2.0","id":4,"result":{"statusUpdate":{"taskId":"task-1","contextId":"ctx-1","status":{"state":"TASK_STATE_WORKING","message":{"messageId":"msg-2","contextId":"ctx-1","taskId":"task-1","role":"ROLE_AGENT","parts":[{"text":"working","mediaType":"text/plain"}]},"timestamp":"2026-01-01T00:00:00.063Z"}}}}\n\n',
      'data: {"jsonrpc":"2.0","id":4,"result":{"artifactUpdate":{"taskId":"task-1","contextId":"ctx-1","artifact":{"artifactId":"a1","parts":[{"text":"answer: second","mediaType":"text/plain"}]},"lastChunk":true}}}\n\n',
      'data: {"jsonrpc":"2.0","id":4,"result":{"statusUpdate":{"taskId":"task-1","contextId":"ctx-1","status":{"state":"TASK_STATE_COMPLETED","message":{"messageId":"msg-3","contextId":"ctx-1","taskId":"task-1","role":"ROLE_AGENT","parts":[{"text":"done","mediaType":"text/plain"}]},"timestamp":"2026-01-01T00:00:00.084Z"}}}}\n\n',
    ],
    ended: 'clean',
  },
} as const satisfies Record<string, Recording>;
