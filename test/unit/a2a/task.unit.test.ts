import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { LIFECYCLE_EXTENSION } from '../../../topology/a2a/lifecycle.js';
import { readArtifactUpdate, readMessage, readStatusUpdate, readTask } from '../../../topology/a2a/task.js';
import { readTimestamp } from '../../../topology/a2a/timestamp.js';

const lifecycle = (fields: object) => ({ [LIFECYCLE_EXTENSION]: fields });

describe('a task', () => {
  test.each([
    ['1.0', 'TASK_STATE_COMPLETED', { text: 'x', mediaType: 'text/plain' }, 'text/plain'],
    ['0.3', 'completed', { kind: 'text', text: 'x' }, undefined],
    ['0.3', 'TASK_STATE_CANCELLED', { text: 'x' }, undefined],
  ] as const)('should be read in the shape of %s with the state as spelled: %s', (dialect, state, part, mediaType) => {
    const task = {
      kind: 'task',
      id: 't',
      contextId: 'c',
      status: { state, timestamp: '2026-01-02T03:04:05.678Z', message: { messageId: 'm', taskId: 'other' } },
      artifacts: [{ artifactId: 'a', parts: [part] }],
      metadata: lifecycle({ correlationId: ' c-1 ' }),
    };

    expect(readTask(task, dialect)).toStrictEqual({
      type: 'task',
      speaker: { serverTaskId: 't', contextId: 'c', correlationId: ' c-1 ' },
      status: {
        state,
        timestamp: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
        messageId: 'm',
        lifecycle: { correlationId: ' c-1 ' },
      },
      artifacts: [
        {
          artifactId: 'a',
          parts: [
            {
              part: mediaType === undefined ? { kind: 'text', bytes: 1 } : { kind: 'text', mediaType, bytes: 1 },
              content: { encoding: 'utf8', body: 'x' },
            },
          ],
        },
      ],
    });
  });

  test.each([null, [], 'task', 7, {}, { status: 'working', artifacts: null, metadata: 'x' }])(
    'should say nothing where %j says nothing readable',
    (task) => {
      expect(readTask(task, '1.0')).toStrictEqual({
        type: 'task',
        speaker: {},
        status: { lifecycle: {} },
        artifacts: [],
      });
    },
  );

  test.each([
    [undefined, undefined],
    [null, undefined],
    ['', ''],
    ['TASK_STATE_UNSPECIFIED', 'TASK_STATE_UNSPECIFIED'],
    ['task_state_working', 'task_state_working'],
    [6, '6'],
    [false, 'false'],
    [['working'], '[array]'],
    [{ state: 'working' }, '[object]'],
  ])('should not mistake the state %j for a missing or another one', (state, expected) => {
    const read = readStatusUpdate({ status: { state } }).status;

    expect(read).toStrictEqual({ ...(expected !== undefined && { state: expected }), lifecycle: {} });
  });

  test('should keep an artifact that is none, or has no ID, for the guard to refuse', () => {
    const read = (artifacts: unknown) => readTask({ artifacts }, '1.0').artifacts;
    const none = (body: string) => ({
      artifactId: '',
      parts: [{ part: { kind: 'raw', bytes: body.length }, content: { encoding: 'utf8', body } }],
    });

    expect(read([null, 'x'])).toStrictEqual([none('null'), none('"x"')]);
    expect(read('x')).toStrictEqual([none('"x"')]);
    expect(read({ parts: [] })).toStrictEqual([{ artifactId: '', parts: [] }]);
    expect(readArtifactUpdate({ taskId: 't' }, '1.0').artifact).toStrictEqual(none('null'));
  });
});

describe('lifecycle metadata', () => {
  test('should be taken from the word, then its status, then the status message', () => {
    const read = (metadata: unknown, status: unknown, message: unknown) =>
      readStatusUpdate({ metadata, status: { metadata: status, message: { metadata: message } } }).status.lifecycle;
    const phase = lifecycle({ phase: 'indeterminate', reason: 'lost' });

    expect(read(phase, lifecycle({ phase: 'x' }), lifecycle({ correlationId: 'c' }))).toStrictEqual({
      correlationId: 'c',
      phase: 'indeterminate',
      reason: 'lost',
    });
    expect(read([phase], {}, phase)).toStrictEqual({ phase: 'indeterminate', reason: 'lost' });
  });

  test('should be read on an artifact and on a message', () => {
    const metadata = lifecycle({ correlationId: 'c' });

    expect(readArtifactUpdate({ artifact: { metadata } }, '1.0').speaker).toStrictEqual({ correlationId: 'c' });
    expect(readMessage({ metadata, messageId: 'm' })).toStrictEqual({
      type: 'message',
      speaker: { correlationId: 'c' },
      messageId: 'm',
    });
  });
});

describe('an artifact update', () => {
  test.each([
    [{}, false, false],
    [{ append: true, lastChunk: true }, true, true],
    [{ append: false, last_chunk: true }, false, true],
    [{ append: 'true', lastChunk: 1 }, false, false],
  ])('should read the flags of %j, where ProtoJSON leaves out false', (flags, append, lastChunk) => {
    const word = readArtifactUpdate({ taskId: 't', artifact: { artifactId: 'a', parts: [] }, ...flags }, '1.0');

    expect(word).toStrictEqual({
      type: 'artifact-update',
      speaker: { serverTaskId: 't' },
      artifact: { artifactId: 'a', parts: [] },
      append,
      lastChunk,
    });
  });
});

describe('a status timestamp', () => {
  test.each([
    ['2026-12-01T01:59:11.879Z', Date.UTC(2026, 11, 1, 1, 59, 11, 879)],
    ['2026-12-01T02:13:26.382165Z', Date.UTC(2026, 11, 1, 2, 13, 26, 382)],
    ['2026-12-01T02:13:26Z', Date.UTC(2026, 11, 1, 2, 13, 26)],
    ['2026-12-01t02:13:26.5z', Date.UTC(2026, 11, 1, 2, 13, 26, 500)],
    ['2026-12-01T02:13:26+02:30', Date.UTC(2026, 10, 30, 23, 43, 26)],
    ['2026-12-01T02:13:26-00:30', Date.UTC(2026, 11, 1, 2, 43, 26)],
    ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
    ['1969-12-31T23:59:59.999Z', -1],
    ['2016-12-31T23:59:60Z', Date.UTC(2017, 0, 1)],
  ])('should be read from %s', (wire, expected) => {
    expect(readTimestamp(wire)).toBe(expected);
  });

  test.each([
    undefined,
    null,
    '',
    1764554351879,
    {},
    '2026-12-01',
    '2026-12-01T02:13:26',
    '2026-12-01 02:13:26Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-02-29T00:00:00Z',
    '2100-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-12-00T00:00:00Z',
    '2026-12-01T24:00:00Z',
    '2026-12-01T00:60:00Z',
    '2026-12-01T00:00:61Z',
    '2026-12-01T00:00:00.Z',
    '2026-12-01T00:00:00+24:00',
    ' 2026-12-01T00:00:00Z',
    '2026-12-01T00:00:00Z\n',
    'Tue, 01 Dec 2026 01:59:11 GMT',
  ])('should be absent where there is %j', (wire) => {
    expect(readTimestamp(wire)).toBeUndefined();
  });

  test('should be what the calendar says', () => {
    const dates = fc.date({
      min: new Date('0000-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(dates, (date) => {
        expect(readTimestamp(date.toISOString())).toBe(date.getTime());
      }),
    );
  });
});
