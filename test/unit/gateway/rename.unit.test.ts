import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addressRequest, renameAnswer } from '../../../services/gateway/rename.js';
import type { A2aMethod } from '../../../topology/a2a/method.js';

const NAMES = { taskId: 'PUBLIC', contextId: 'PUBLIC-CTX' };
const namesOf = (id: string) => (id === 'internal' ? NAMES : undefined);
const renamed = (method: A2aMethod, result: unknown) => renameAnswer(method, result, namesOf);

/** IDs of the protocol are marked; the same texts stand everywhere else where they must stay. */
const taskWith = (id: string, contextId: string) => ({
  contextId,
  id,
  status: {
    state: 'TASK_STATE_WORKING',
    message: {
      messageId: 'internal',
      taskId: id,
      contextId,
      parts: [{ text: 'internal' }, { data: { taskId: 'internal', id: 'internal' } }],
      metadata: { taskId: 'internal' },
    },
  },
  history: [{ messageId: 'm', task_id: id, context_id: contextId, referenceTaskIds: ['other', id], role: 'internal' }],
  artifacts: [{ artifactId: 'internal', name: 'ctx', parts: [{ text: 'internal' }], metadata: { contextId: 'ctx' } }],
  metadata: { id: 'internal', taskId: 'internal', contextId: 'ctx' },
});
const updateWith = (taskId: string, contextId: string) => ({
  taskId,
  contextId,
  artifact: { artifactId: 'internal', parts: [{ data: { taskId: 'internal' } }] },
  status: { state: 'internal', message: { messageId: 'm', taskId, contextId, parts: [] } },
  metadata: { taskId: 'internal' },
});

describe('an answer under public names', () => {
  test.each<[A2aMethod, (id: string, contextId: string) => unknown]>([
    ['GetTask', taskWith],
    ['CancelTask', taskWith],
    ['SendMessage', (id, ctx) => ({ task: taskWith(id, ctx) })],
    ['SendMessage', (taskId, contextId) => ({ message: { messageId: 'internal', taskId, contextId, parts: [] } })],
    ['SendStreamingMessage', (id, ctx) => ({ statusUpdate: updateWith(id, ctx) })],
    ['SubscribeToTask', (id, ctx) => ({ artifact_update: updateWith(id, ctx) })],
    ['ListTasks', (id, ctx) => ({ tasks: [taskWith(id, ctx)], nextPageToken: 'internal' })],
    ['GetTaskPushNotificationConfig', (taskId) => ({ taskId, id: 'internal', url: 'http://internal' })],
    ['ListTaskPushNotificationConfigs', (taskId) => ({ configs: [{ taskId, id: 'internal' }] })],
  ])('should have them where they are IDs, and nowhere else: %s', (method, shape) => {
    expect(renamed(method, shape('internal', 'ctx'))).toStrictEqual(shape('PUBLIC', 'PUBLIC-CTX'));
  });

  test.each<[A2aMethod, unknown]>([
    ['GetTask', taskWith('other', 'ctx')],
    ['SendStreamingMessage', { statusUpdate: updateWith('other', 'ctx') }],
    ['ListTasks', { tasks: [taskWith('other', 'ctx'), null, 7, 'internal'] }],
    ['GetExtendedAgentCard', { id: 'internal', url: 'internal' }],
    ['SendMessage', 'internal'],
    ['SendMessage', { task: ['internal'], status_update: null, unknown: { taskId: 'internal' } }],
  ])('should stay as it is where it speaks of something else: %s', (method, result) => {
    expect(renamed(method, result)).toStrictEqual(result);
  });

  test('should stay as it is, whatever it holds, where nothing is to be renamed', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<A2aMethod>('GetTask', 'SendMessage', 'ListTasks', 'SubscribeToTask'),
        fc.jsonValue(),
        (method, value) => {
          expect(renameAnswer(method, { task: value, tasks: value, message: value }, () => undefined)).toStrictEqual({
            task: value,
            tasks: value,
            message: value,
          });
        },
      ),
    );
  });
});

describe('a request to the task that speaks now', () => {
  const target = { agentId: 'w2', serverTaskId: 'internal', contextId: 'ctx', by: 'holdfast' } as const;
  const addressed = (method: A2aMethod, params: Record<string, unknown>) =>
    addressRequest({ method, params }, 'PUBLIC', NAMES, target);

  test.each<[A2aMethod, Record<string, unknown>, Record<string, unknown>]>([
    ['GetTask', { id: 'PUBLIC', historyLength: 3 }, { id: 'internal', historyLength: 3 }],
    ['GetTaskPushNotificationConfig', { taskId: 'PUBLIC', id: 'PUBLIC' }, { taskId: 'internal', id: 'PUBLIC' }],
    [
      'SendMessage',
      {
        message: {
          messageId: 'PUBLIC',
          taskId: 'PUBLIC',
          contextId: 'PUBLIC-CTX',
          parts: [{ text: 'PUBLIC' }],
          metadata: { taskId: 'PUBLIC' },
        },
        metadata: { taskId: 'PUBLIC' },
      },
      {
        message: {
          messageId: 'PUBLIC',
          taskId: 'internal',
          contextId: 'ctx',
          parts: [{ text: 'PUBLIC' }],
          metadata: { taskId: 'PUBLIC' },
        },
        metadata: { taskId: 'PUBLIC' },
      },
    ],
  ])('should name it where a task is named: %s', (method, params, expected) => {
    expect(addressed(method, params)).toStrictEqual(expected);
  });

  test('should leave a context out that means nothing there', () => {
    const { contextId: _, ...unknown } = target;
    const params = { message: { taskId: 'PUBLIC', contextId: 'PUBLIC-CTX' } };
    const sent = addressRequest({ method: 'SendMessage', params }, 'PUBLIC', NAMES, unknown);
    expect(JSON.stringify(sent)).toBe('{"message":{"taskId":"internal"}}');
  });

  test('should be the same request where the task has not moved', () => {
    const params = { message: { taskId: 'PUBLIC', contextId: 'own' } };
    const own = { ...target, serverTaskId: 'PUBLIC' };
    expect(addressRequest({ method: 'SendMessage', params }, 'PUBLIC', NAMES, own)).toBe(params);
  });
});
