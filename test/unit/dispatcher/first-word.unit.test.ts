import { describe, expect, it } from '@jest/globals';
import { firstWordOf } from '../../../services/dispatcher/first-word.js';
import type { BodyAnswer } from '../../../topology/a2a/exchange.js';
import { observe } from '../../../topology/a2a/observe.js';

const REQUEST = {
  binding: 'JSONRPC',
  headers: { 'a2a-version': '1.0' },
  body: { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message: { messageId: 'm', parts: [] } } },
} as const;

const after = (answer: BodyAnswer) =>
  firstWordOf(observe({ kind: 'call', request: REQUEST, answer }, { correlationId: 'c-1' }, 'w2', { by: 'holdfast' }));

const json = (body: object, status = 200): BodyAnswer => ({ status, contentType: 'application/json', body });

describe('the first word after a send', () => {
  it('should tell the task and context where the agent took it', () => {
    const task = { id: 't-2', contextId: 'x', status: { state: 'TASK_STATE_SUBMITTED' } };

    expect(after(json({ result: { task } }))).toStrictEqual({ kind: 'taken', serverTaskId: 't-2', contextId: 'x' });
  });

  it('should be taken too where the agent answers with a Message', () => {
    const message = { messageId: 'm-2', contextId: 'x', role: 'ROLE_AGENT', parts: [{ text: 'no need' }] };

    expect(after(json({ result: { message } }))).toStrictEqual({ kind: 'taken', contextId: 'x' });
  });

  it.each<[string, BodyAnswer, string]>([
    ['an error of the protocol', json({ error: { code: -32602, message: 'bad' } }), 'HTTP 200 -32602'],
    ['a status of 4xx', { status: 403, body: 'no' }, 'HTTP 403'],
    ['nobody who listens', { status: 0, error: 'refused' }, 'no answer (refused)'],
  ])('should be a refusal after %s', (_, answer, reason) => {
    expect(after(answer)).toStrictEqual({ kind: 'refused', reason });
  });

  it.each<[string, BodyAnswer]>([
    ['a timeout', { status: 0, error: 'timeout' }],
    ['a connection that broke', { status: 0, error: 'reset' }],
    ['a server that failed', { status: 502, body: 'bad gateway' }],
    ['an internal error', json({ error: { code: -32603, message: 'oops' } })],
    ['a page of a proxy', { status: 200, contentType: 'text/html', body: '<html>' }],
  ])('should leave the outcome unknown after %s', (_, answer) => {
    expect(after(answer)).toStrictEqual({ kind: 'unknown' });
  });
});
