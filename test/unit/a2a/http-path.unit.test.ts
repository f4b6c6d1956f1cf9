import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readHttpPath, taskPath } from '../../../topology/a2a/http-path.js';

describe('task path', () => {
  test.each([
    ['6b1f', '/tasks/6b1f'],
    ['../../v1/tasks/9?x=1#f é', '/tasks/..%2F..%2Fv1%2Ftasks%2F9%3Fx%3D1%23f%20%C3%A9'],
    ['urn:task:1', '/tasks/urn%3Atask%3A1'],
    ['1:cancel', '/tasks/1%3Acancel'],
    ['%2e%2E', '/tasks/%252e%252E'],
    ['.', '/tasks/%2E'],
    ['..', '/tasks/%2E%2E'],
    ['...', '/tasks/...'],
    ['\ud83d\ude00', '/tasks/%F0%9F%98%80'],
    ['a\ud800', '/tasks/a%EF%BF%BD'],
    ['\udc00\ud800', '/tasks/%EF%BF%BD%EF%BF%BD'],
    ['a\\b\r\n\0', '/tasks/a%5Cb%0D%0A%00'],
    ['', '/tasks/'],
  ])('should be one segment for %p', (id, path) => {
    expect(taskPath(id)).toBe(path);
  });

  test('should be read back as the same task, whatever the agent chose for an ID', () => {
    const ids = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(ids, fc.constantFrom('1.0', '0.3'), (id, dialect) => {
        const prefix = dialect === '0.3' ? '/v1' : '';
        const path = `${prefix}${taskPath(id)}`;

        expect(readHttpPath('GET', path, dialect)).toStrictEqual({ method: 'GetTask', serverTaskId: id });
        expect(readHttpPath('POST', `${path}:cancel`, dialect)).toStrictEqual({
          method: 'CancelTask',
          serverTaskId: id,
        });
      }),
    );
  });

  test('should never leave its folder, also when a URL parser resolves it, but for the IDs that are dots', () => {
    const hostile = fc.string({
      unit: fc.constantFrom('.', '/', '\\', '%', '2', 'e', '?', '#', ':', ';', 'a', '\ud800'),
    });
    fc.assert(
      fc.property(hostile, (id) => {
        fc.pre(!['.', '..'].includes(id));
        const resolved = new URL(`https://agent.example/a2a${taskPath(id)}`).pathname;

        expect(resolved).toBe(`/a2a${taskPath(id)}`);
      }),
    );
  });
});

describe('reading a path', () => {
  test.each([
    ['GET', '1:subscribe', { method: 'SubscribeToTask', serverTaskId: '1' }],
    ['POST', '1:subscribe', { method: 'SubscribeToTask', serverTaskId: '1' }],
    ['POST', '1:cancel', { method: 'CancelTask', serverTaskId: '1' }],
    ['GET', '1:cancel', undefined],
    ['GET', ':subscribe', undefined],
    ['POST', ':cancel', undefined],
    ['POST', '1:subscribe:cancel', { method: 'CancelTask', serverTaskId: '1:subscribe' }],
  ])('should not swallow the verb of %s %s into a task ID', (verb, segment, expected) => {
    expect(readHttpPath(verb, `/tasks/${segment}`, '1.0')).toStrictEqual(expected);
  });

  test('should leave other colons in the task ID, raw or encoded', () => {
    expect(readHttpPath('GET', '/tasks/urn:x:1', '1.0')).toStrictEqual({ method: 'GetTask', serverTaskId: 'urn:x:1' });
    expect(readHttpPath('GET', '/tasks/x%3Acancel', '1.0')).toStrictEqual({
      method: 'GetTask',
      serverTaskId: 'x:cancel',
    });
  });

  test.each([
    ['/tasks/tasks', { method: 'GetTask', serverTaskId: 'tasks' }],
    ['/acme/tasks', { method: 'ListTasks', tenant: 'acme' }],
    ['/tasks/tasks/tasks', { method: 'GetTask', serverTaskId: 'tasks', tenant: 'tasks' }],
    ['/tasks/a/pushNotificationConfigs', { method: 'ListTaskPushNotificationConfigs', serverTaskId: 'a' }],
  ])('should read %s first without a tenant', (path, expected) => {
    expect(readHttpPath('GET', path, '1.0')).toStrictEqual(expected);
  });

  test('should take `v1` for the prefix of 0.3, and for a tenant where 1.0 is declared', () => {
    expect(readHttpPath('GET', '/v1/tasks/9', '0.3')).toStrictEqual({ method: 'GetTask', serverTaskId: '9' });
    expect(readHttpPath('GET', '/v1/tasks/9', '1.0')).toStrictEqual({
      method: 'GetTask',
      serverTaskId: '9',
      tenant: 'v1',
    });
    expect(readHttpPath('GET', '/v1/extendedAgentCard', '0.3')).toBeUndefined();
  });

  test.each(['/tasks/%', '/tasks/%zz', '/tasks/%ff'])('should keep %s as it stands where it is no UTF-8', (path) => {
    expect(readHttpPath('GET', path, '1.0')).toStrictEqual({ method: 'GetTask', serverTaskId: path.slice(7) });
  });

  test.each([
    '',
    '/',
    '//',
    '//tasks/1',
    'tasks/1/2',
    '/nope',
    '/a/b/tasks/1',
    '/tasks/1/2',
    '/message:send',
    '/?tasks',
  ])('should read nothing into GET %p', (path) => {
    expect(readHttpPath('GET', path, '1.0')).toBeUndefined();
  });

  test('should never throw', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('1.0', '0.3'), (verb, path, dialect) => {
        expect(() => readHttpPath(verb, path, dialect)).not.toThrow();
      }),
    );
  });
});
