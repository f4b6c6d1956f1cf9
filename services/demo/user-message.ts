import { randomUUID } from 'node:crypto';
import { Role, type Message, type SendMessageRequest } from '@a2a-js/sdk';
import { LIFECYCLE_EXTENSION } from '../../topology/a2a/lifecycle.js';

type Words = {
  readonly text: string;
  readonly correlationId: string;
  readonly accept: readonly string[];
  /** The task that is answered; absent: a new one. */
  readonly task?: { readonly taskId: string; readonly contextId: string };
};

/** A request to send what the client says, under its correlation ID. */
export const userRequest = ({ text, correlationId, accept, task }: Words): SendMessageRequest => {
  const message: Message = {
    messageId: randomUUID(),
    role: Role.ROLE_USER,
    taskId: task?.taskId ?? '',
    contextId: task?.contextId ?? '',
    parts: [{ content: { $case: 'text', value: text }, mediaType: 'text/plain', filename: '', metadata: undefined }],
    metadata: { [LIFECYCLE_EXTENSION]: { correlationId } },
    extensions: [LIFECYCLE_EXTENSION],
    referenceTaskIds: [],
  };
  return {
    tenant: '',
    message,
    configuration: {
      acceptedOutputModes: [...accept],
      taskPushNotificationConfig: undefined,
      returnImmediately: false,
    },
    metadata: undefined,
  };
};
