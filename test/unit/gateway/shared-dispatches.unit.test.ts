import { expect, test } from '@jest/globals';
import { readRequest } from '../../../topology/a2a/request.js';
import type { Client, EventSink, Operation, Reply } from '../../../services/gateway/operation.js';
import { SharedDispatches } from '../../../services/gateway/shared-dispatches.js';

const send = (messageId?: string): Operation => {
  const params = { message: { ...(messageId === undefined ? {} : { messageId }), parts: [{ text: 'x' }] } };
  const body = { method: 'SendStreamingMessage', params };
  const read = readRequest({ binding: 'JSONRPC', headers: { 'a2a-version': '1.0' }, body });
  return { agentId: 'w1', method: 'SendStreamingMessage', params, read, headers: {} };
};

const listener = () => {
  const heard: unknown[] = [];
  const leaving = new AbortController();
  const sink: EventSink = {
    result: (result) => Promise.resolve(void heard.push(result)),
    error: (error) => Promise.resolve(void heard.push(error)),
  };
  const client: Client = { gone: leaving.signal, openStream: () => sink };
  return { heard, client, leave: leaving.abort.bind(leaving) };
};

/** A dispatch that goes on when it is told to. */
const underWay = () => {
  const sent: Client[] = [];
  let conclude: (reply: Reply) => void = () => undefined;
  const concluded = new Promise<Reply>((resolve) => (conclude = resolve));
  return {
    sent,
    conclude,
    dispatch: (client: Client): Promise<Reply> => {
      sent.push(client);
      return concluded;
    },
  };
};

test('a stream should be heard by all that wait for it, and whoever comes later should send by itself', async () => {
  const shared = new SharedDispatches();
  const { sent, conclude, dispatch } = underWay();
  const [first, second, late] = [listener(), listener(), listener()];
  const waiting = [first, second].map(({ client }) => shared.share(send('m'), client, dispatch));

  await sent[0]?.openStream().result(1);
  waiting.push(shared.share(send('m'), late.client, dispatch));
  await sent[0]?.openStream().result(2);
  conclude({ kind: 'streamed' });

  expect(await Promise.all(waiting)).toStrictEqual(Array.from({ length: 3 }, () => ({ kind: 'streamed' })));
  expect([first.heard, second.heard, late.heard]).toStrictEqual([[1, 2], [1, 2], []]);
  expect(sent).toHaveLength(2);
});

test('it should be over when the last of them has gone, and not before', async () => {
  const shared = new SharedDispatches();
  const { sent, conclude, dispatch } = underWay();
  const [first, second] = [listener(), listener()];
  const waiting = [first, second].map(({ client }) => shared.share(send('m'), client, dispatch));

  first.leave();
  const before = sent[0]?.gone.aborted;
  second.leave();

  expect([before, sent[0]?.gone.aborted]).toStrictEqual([false, true]);
  conclude({ kind: 'streamed' });
  await Promise.all(waiting);
});

test('messages without an ID, or with another, should be sent each', async () => {
  const shared = new SharedDispatches();
  const { sent, conclude, dispatch } = underWay();
  const waiting = [send(), send(), send('m'), send('n')].map((op) => shared.share(op, listener().client, dispatch));
  conclude({ kind: 'streamed' });
  await Promise.all(waiting);

  expect(sent).toHaveLength(4);
});

test('a dispatch that failed should fail for all, and the next be sent', async () => {
  const shared = new SharedDispatches();
  let sent = 0;
  const dispatch = (): Promise<Reply> => {
    sent += 1;
    return Promise.reject(new Error('no broker'));
  };
  const outcomes = await Promise.allSettled([1, 2].map(() => shared.share(send('m'), listener().client, dispatch)));
  await expect(shared.share(send('m'), listener().client, dispatch)).rejects.toThrow('no broker');

  expect(outcomes.map(({ status }) => status)).toStrictEqual(['rejected', 'rejected']);
  expect(sent).toBe(2);
});
