import type { ServerResponse } from 'node:http';
import { bodyOf, served } from './served.js';

type Status = { readonly state: string; readonly timestamp?: string };
type Artifact = { readonly artifactId: string; readonly parts: readonly object[] };
export type WireTask = {
  readonly id: string;
  readonly contextId: string;
  readonly status: Status;
  readonly artifacts?: readonly Artifact[];
};

/** What was asked of the agent, and over which connection. */
export type Call = {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly port: number | undefined;
};

/** One thing that the agent does to answer; a stream is a list of results, kept open where `open`. */
export type Reply =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number } }
  | { readonly stream: readonly object[]; readonly open?: boolean }
  | 'hang'
  | 'drop';

export const task = (state: string, more: Partial<WireTask> & { readonly timestamp?: string } = {}): WireTask => {
  const { timestamp, ...rest } = more;
  return {
    id: 't-1',
    contextId: 'c-1',
    status: { state: `TASK_STATE_${state}`, ...(timestamp === undefined ? {} : { timestamp }) },
    ...rest,
  };
};
export const status = (state: string, timestamp?: string): object => {
  const { id: taskId, ...rest } = task(state, timestamp === undefined ? {} : { timestamp });
  return { statusUpdate: { taskId, ...rest } };
};
export const artifact = (parts: readonly object[], more: object = {}): object => ({
  artifactUpdate: { taskId: 't-1', contextId: 'c-1', artifact: { artifactId: 'a', parts }, ...more },
});
export const NOT_FOUND: Reply = { error: { code: -32001 } };

/** An agent that answers as `reply` says, and remembers what it was asked. */
export const fakeAgent = async (
  reply: (call: Call, count: number) => Reply,
): Promise<{ readonly url: string; readonly calls: readonly Call[] }> => {
  const calls: Call[] = [];
  const url = await served((request, response) => {
    void bodyOf(request).then((body) => {
      const { id, method, params } = JSON.parse(body) as Pick<Call, 'method' | 'params'> & { readonly id: string };
      const call = { method, params, headers: request.headers, port: request.socket.remotePort };
      const count = calls.filter((one) => one.method === method).length;
      calls.push(call);
      answer(response, id, reply(call, count));
    });
  });
  return { url, calls };
};

const answer = (response: ServerResponse, id: string, reply: Reply): void => {
  if (reply === 'hang') return;
  if (reply === 'drop') {
    response.destroy();
    return;
  }
  const envelope = { jsonrpc: '2.0', id };
  if (!('stream' in reply)) {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ ...envelope, ...reply }));
    return;
  }
  response.setHeader('content-type', 'text/event-stream');
  for (const result of reply.stream) response.write(`data: ${JSON.stringify({ ...envelope, result })}\n\n`);
  if (reply.open !== true) response.end();
};
