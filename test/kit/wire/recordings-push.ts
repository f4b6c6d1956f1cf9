/** Webhook calls of the JavaScript SDK 1.0 about one task, in order; each body is one stream event. */
export const PUSHES: readonly unknown[] = [
  {
    task: {
      id: 'task-1',
      contextId: 'ctx-1',
      status: { state: 'TASK_STATE_SUBMITTED', timestamp: '2026-01-01T00:00:56.911Z' },
    },
  },
  {
    statusUpdate: {
      taskId: 'task-1',
      contextId: 'ctx-1',
      status: {
        state: 'TASK_STATE_WORKING',
        message: {
          messageId: 'msg-1',
          contextId: 'ctx-1',
          taskId: 'task-1',
          role: 'ROLE_AGENT',
          parts: [{ text: 'working', mediaType: 'text/plain' }],
        },
        timestamp: '2026-01-01T00:00:56.975Z',
      },
    },
  },
  {
    artifactUpdate: {
      taskId: 'task-1',
      contextId: 'ctx-1',
      artifact: { artifactId: 'a1', parts: [{ text: 'answer: hello', mediaType: 'text/plain' }] },
      lastChunk: true,
    },
  },
];
