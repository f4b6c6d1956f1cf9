import { describe, expect, test } from '@jest/globals';
import { MAX_ID_LENGTH, readBody } from '../../../topology/a2a/json.js';
import { observe } from '../../../topology/a2a/observe.js';
import { readParts } from '../../../topology/a2a/part.js';
import { readTask } from '../../../topology/a2a/task.js';
import { AGENT, ASKER, UNIT } from '../../kit/wire/expected.js';

const LONG = 'x'.repeat(20_000);
const CUT = LONG.slice(0, MAX_ID_LENGTH + 1);

const answered = (method: string, params: unknown, result: unknown) =>
  observe(
    {
      kind: 'call',
      request: {
        binding: 'JSONRPC',
        headers: { 'a2a-version': '1.0' },
        body: { jsonrpc: '2.0', id: 1, method, params },
      },
      answer: { status: 200, contentType: 'application/json', body: { jsonrpc: '2.0', id: 1, result } },
    },
    UNIT,
    AGENT,
    ASKER,
  );

describe('an ID that is too long to be one', () => {
  test('should not make a word one about the task that was asked about', () => {
    const seen = answered(
      'GetTask',
      { id: 'T' },
      { id: LONG, contextId: 'c', status: { state: 'TASK_STATE_WORKING' } },
    );

    expect(seen.map((one) => [one.type, 'serverTaskId' in one && one.serverTaskId])).toStrictEqual([
      ['TaskStateObserved', CUT],
    ]);
  });

  test('should not pass for an absent context', () => {
    const seen = answered(
      'GetTask',
      { id: 'T' },
      { id: 'T', contextId: LONG, status: { state: 'TASK_STATE_WORKING' } },
    );

    expect(seen.map((one) => 'contextId' in one && one.contextId)).toStrictEqual([CUT]);
  });

  test.each([
    ['a task', { task: { id: LONG, status: { state: 'TASK_STATE_WORKING' } } }],
    ['a message about a task', { message: { messageId: 'm', taskId: LONG, role: 'ROLE_AGENT', parts: [] } }],
  ])('should leave no task where %s answers a dispatch', (_, result) => {
    const seen = answered('SendMessage', { message: { messageId: 'm', parts: [{ text: 'x' }] } }, result);

    expect(seen.map((one) => [one.type, 'serverTaskId' in one])).toStrictEqual([['ExchangeObserved', false]]);
  });

  test('should not make an artifact the one without an ID', () => {
    expect(readTask({ artifacts: [{ artifactId: LONG }, {}] }, '1.0').artifacts).toStrictEqual([
      { artifactId: CUT, parts: [] },
      { artifactId: '', parts: [] },
    ]);
  });
});

describe('what is more than is read', () => {
  const typed = (count: number, mediaType: (index: number) => string) =>
    readParts(
      Array.from({ length: count }, (_, index) => ({ data: 1, mediaType: mediaType(index) })),
      '1.0',
    );
  const officeType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

  test.each([
    ['parts of an ordinary type', 10_001, () => officeType, 10_000],
    ['parts of a long type', 100, () => `a/${'b'.repeat(15_998)}`, 62],
    ['parts of ever other types', 100, (index: number) => `a/${String(index).padStart(9_998, '0')}`, 10],
  ])('should be passed over, and nothing invented: %s', (_, count, mediaType, read) => {
    const parts = typed(count, mediaType);

    expect(parts.length).toBe(read);
    expect(parts.map(({ part }) => part.mediaType)).toStrictEqual(
      Array.from({ length: read }, (_one, i) => mediaType(i)),
    );
  });

  test('should be passed over, and nothing invented: artifacts', () => {
    const artifacts = Array.from({ length: 1_001 }, (_, index) => ({ artifactId: `a-${index}`, parts: [] }));

    expect(readTask({ artifacts }, '1.0').artifacts).toStrictEqual(artifacts.slice(0, -1));
  });

  test('should not be a body of a million objects', () => {
    expect(readBody(`[${'{"a":1},'.repeat(1_000_000)}0]`)).toHaveLength(1_000_001);
  });
});
