import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Sending, type SendingTimes } from '../../../services/dispatcher/sending.js';
import { ResultLog } from '../../../services/dispatcher/result-log.js';
import type { RedispatchTask } from '../../../services/dispatcher/plan-redispatch.js';
import type { Observation } from '../../../topology/observation.js';
import { agent } from '../../kit/decider-kit/agents.js';
import { dispatched } from '../../kit/decider-kit/builders.js';
import { Ledger } from '../../kit/decider-kit/ledger.js';
import { StubAgent, stream, taskBody, taskStream } from './stub-agent.js';

const COMMAND: RedispatchTask = {
  type: 'RedispatchTask',
  commandId: 'redispatch:2@0/0:0:c-1',
  correlationId: 'c-1',
  agentId: 'w2',
  attempt: 2,
  loss: 1,
  lostBy: 'w1',
  lostTaskIds: [],
  requiredState: 'working',
  messageId: 'holdfast:2:0:c-1',
  again: 'no',
  considered: [],
  issuedAt: 0,
};
/** A first word is waited for as long as a slow machine takes; who waits for none says so. */
const TIMES: SendingTimes = { firstWordMs: 60_000, idleMs: 60_000, graceMs: 20, drainMs: 50 };

let stub: StubAgent;
let written: Observation[];
let stop: AbortController;

beforeEach(async () => {
  stub = await StubAgent.start();
  written = [];
  stop = new AbortController();
});
afterEach(() => {
  stub.stop();
});

/** `owners`: whose unit a server task is, as the ledger knows it. */
const send = (times = TIMES, contextId?: string, owners: readonly string[] = []): Sending => {
  const log = {
    observe: (observations: readonly Observation[]) => {
      written.push(...observations);
      return Promise.resolve([]);
    },
  };
  const logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const results = new ResultLog(log, { find: () => Promise.resolve(owners) }, logger);
  const record = new Ledger([...agent('w1')]).given(dispatched('w1')).unit;
  const dispatch = {
    command: COMMAND,
    record,
    input: { type: 'TaskInput', correlationId: 'c-1', agentId: 'w1', request: '', keptAt: 0 },
    endpoint: { url: stub.cardUrl.replace('card.json', 'rpc'), streaming: true, extensions: [] },
    envelope: {
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'SendStreamingMessage',
        params: { message: { messageId: 'm', parts: [] } },
      },
      ...(contextId === undefined ? {} : { contextId }),
    },
    headers: {},
  } as const;
  return new Sending(dispatch, results, times, stop.signal);
};

const words = (): readonly string[] =>
  written.map((one) => {
    switch (one.type) {
      case 'DispatchObserved':
        return `sent ${one.serverTaskId ?? '-'} ${one.contextId ?? '-'}`;
      case 'TaskStateObserved':
        return (one.state ?? '').replace('TASK_STATE_', '');
      case 'DispatchFailed':
        return `failed: ${one.reason ?? ''}`;
      case 'ExchangeObserved':
        return `exchange ${one.httpStatus} ${one.error ?? ''}`;
      case 'StreamClosed':
        return `closed ${one.clean ? 'clean' : 'broken'}`;
      default:
        return one.type;
    }
  });

describe('a send', () => {
  it('should be written before the states that came with it, and end when the task waits, though the agent hangs on', async () => {
    stub.answer = (_, response) => stream(response, taskStream('t-2', 'WORKING', 'INPUT_REQUIRED'), false);

    await send().ended;

    expect(words()).toStrictEqual(['sent t-2 ctx-t-2', 'SUBMITTED', 'WORKING', 'INPUT_REQUIRED']);
  });

  it('should be concluded by its first word, and tell of a stream that ends before the task', async () => {
    let end: () => void = () => undefined;
    stub.answer = (_, response) => {
      end = () => response.end();
      return stream(response, taskStream('t-2', 'WORKING'), false);
    };
    const sending = send();

    await sending.concluded;
    expect(words()[0]).toBe('sent t-2 ctx-t-2');
    expect(sending.isFollowing).toBe(true);
    end();
    await sending.ended;

    expect(words().slice(1)).toStrictEqual(['SUBMITTED', 'WORKING', 'closed clean']);
  });

  it('should have failed where the stream is answered by an error', async () => {
    stub.answer = () => ({ error: { code: -32602, message: 'bad' } });

    await send().ended;

    expect(words()).toStrictEqual(['failed: HTTP 200 -32602']);
  });

  it('should have an unknown outcome after a deadline, with the context it can be searched by', async () => {
    stub.answer = () => undefined;

    await send({ ...TIMES, firstWordMs: 50 }, 'of-the-client').ended;

    expect(words()).toStrictEqual(['sent - of-the-client', 'exchange 0 timeout']);
  });

  it('should have an unknown outcome after a stream that says nothing', async () => {
    stub.answer = (_, response) => stream(response, []);

    await send().ended;

    expect(words()).toStrictEqual(['sent - -', 'exchange 200 empty-stream']);
  });

  it('should be left without a result where the dispatcher stops before the agent spoke', async () => {
    stub.answer = () => undefined;
    const sending = send();

    stop.abort();

    await expect(sending.concluded).rejects.toThrow('aborted');
    expect(written).toStrictEqual([]);
  });

  it('should be heard for a while longer where the dispatcher stops just before the agent speaks', async () => {
    stub.answer = (_, response) => {
      setTimeout(() => stream(response, [{ task: taskBody('t-2', 'COMPLETED') }]), 30);
      return 'answered';
    };
    const sending = send({ ...TIMES, drainMs: 60_000 });

    stop.abort();
    await sending.ended;

    expect(words()).toStrictEqual(['sent t-2 ctx-t-2', 'COMPLETED']);
  });

  it('should tell that its stream broke where the dispatcher stops while it follows', async () => {
    stub.answer = (_, response) => stream(response, taskStream('t-2', 'WORKING'), false);
    const sending = send();
    await sending.concluded;
    while (words().length < 3) await new Promise((resolve) => setTimeout(resolve, 5));

    stop.abort();
    await sending.ended;

    expect(words()).toStrictEqual(['sent t-2 ctx-t-2', 'SUBMITTED', 'WORKING', 'closed broken']);
  });

  it('should say so where the agent names a task of another unit', async () => {
    stub.answer = () => ({ result: { task: taskBody('t-2', 'COMPLETED') } });

    await send(TIMES, undefined, ['0:other']).ended;

    expect(written.map((one) => ('boundTo' in one ? one.boundTo : undefined))).toStrictEqual([undefined, '0:other']);
  });
});
