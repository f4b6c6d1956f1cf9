import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { Role, type StreamResponse, type Task } from '@a2a-js/sdk';
import { ClientFactory } from '@a2a-js/sdk/client';
import type { JsonLine } from '../../services/demo/json-lines.js';
import { stateWord } from '../../services/demo/state-words.js';
import { LIFECYCLE_EXTENSION } from '../../topology/a2a/lifecycle.js';

type Said = { readonly text: string; readonly task?: Task; readonly lifecycle?: JsonLine };

/** Says it to the agent, and hears what it streams. */
export async function* hear(cardUrl: string, { text, task, lifecycle }: Said): AsyncGenerator<StreamResponse> {
  const client = await new ClientFactory().createFromUrl(cardUrl, '');
  yield* client.sendMessageStream({
    tenant: '',
    configuration: undefined,
    metadata: undefined,
    message: {
      messageId: randomUUID(),
      role: Role.ROLE_USER,
      taskId: task?.id ?? '',
      contextId: task?.contextId ?? '',
      parts: [{ content: { $case: 'text', value: text }, mediaType: 'text/plain', filename: '', metadata: undefined }],
      metadata: lifecycle === undefined ? undefined : { [LIFECYCLE_EXTENSION]: lifecycle },
      extensions: [],
      referenceTaskIds: [],
    },
  });
}

/** As `hear`, to the end of the stream. */
export async function say(cardUrl: string, said: Said): Promise<readonly StreamResponse[]> {
  const events: StreamResponse[] = [];
  for await (const event of hear(cardUrl, said)) events.push(event);
  return events;
}

/** The task as the agent has it now. */
export async function getTask(cardUrl: string, id: string): Promise<Task> {
  return (await new ClientFactory().createFromUrl(cardUrl, '')).getTask({ tenant: '', id });
}

/** A stream as a list of words: states as they are, artifacts as `offer application/json`, the last chunk with a dot. */
export const words = (events: readonly StreamResponse[]): readonly string[] =>
  events.map(({ payload }) => {
    switch (payload?.$case) {
      case 'task':
      case 'statusUpdate':
        return stateWord(payload.value.status?.state);
      case 'artifactUpdate': {
        const { artifact, append, lastChunk } = payload.value;
        const types = artifact?.parts.map(({ mediaType }) => mediaType).join(' ') ?? '';
        return `${append ? '+' : ''}${artifact?.artifactId ?? ''} ${types}${lastChunk ? '.' : ''}`;
      }
      default:
        return 'message';
    }
  });

/** The task a stream begins with. */
export const taskOf = (events: readonly StreamResponse[]): Task => {
  const first = events[0]?.payload;
  if (first?.$case !== 'task') throw new Error('the stream did not begin with a task');
  return first.value;
};

/** The metadata of a state. */
export const metadataOf = ({ payload }: StreamResponse): unknown =>
  payload?.$case === 'task' || payload?.$case === 'statusUpdate' ? payload.value.metadata : undefined;

/** What the task's artifacts hold, part by part. */
export const contents = (task: Task): unknown =>
  task.artifacts.map(({ parts }) => parts.map(({ content }) => content?.value as unknown));

/** Whether somebody listens on the port. */
export async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

type Call = {
  readonly text: unknown;
  readonly taskId: unknown;
  readonly messageId: unknown;
  readonly correlationId: unknown;
};

type LateAgent = { readonly server: Server; readonly cardUrl: string; readonly calls: readonly Call[] };

type RpcRequest = {
  readonly id: number;
  readonly method: string;
  readonly params: {
    readonly message?: {
      readonly messageId: string;
      readonly taskId?: string;
      readonly parts: readonly { readonly text?: string }[];
      readonly metadata?: Readonly<Record<string, { readonly correlationId?: string }>>;
    };
  };
};

/** An agent that speaks as a mesh does while it looks for a lost task: not now, unknown, and at last a question. */
export async function agentThatKnowsLater(): Promise<LateAgent> {
  const calls: Call[] = [];
  const state = (name: string): object => ({
    result: { id: 't-1', contextId: 'c-1', status: { state: `TASK_STATE_${name}`, timestamp: '2026-01-01T00:00:00Z' } },
  });
  const notNow = { error: { code: -32090, message: 'the task is indeterminate' } };
  const polls = [notNow, state('UNSPECIFIED'), state('INPUT_REQUIRED'), state('INPUT_REQUIRED'), state('COMPLETED')];
  const sends = [
    { result: { task: { id: 't-1', contextId: 'c-1', status: { state: 'TASK_STATE_INPUT_REQUIRED' } } } },
    notNow,
    { result: { task: { id: 't-1', contextId: 'c-1', status: { state: 'TASK_STATE_COMPLETED' } } } },
  ];
  const answer = ({ method, params: { message } }: RpcRequest): object | undefined => {
    if (message === undefined) return method === 'GetTask' ? polls.shift() : undefined;
    const { messageId, taskId, parts, metadata } = message;
    calls.push({
      text: parts[0]?.text,
      taskId,
      messageId,
      correlationId: metadata?.[LIFECYCLE_EXTENSION]?.correlationId,
    });
    return sends.shift();
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.method === 'GET') {
        response.setHeader('content-type', 'application/json').end(JSON.stringify(card()));
        return;
      }
      const call = JSON.parse(Buffer.concat(chunks).toString()) as RpcRequest;
      const body = { jsonrpc: '2.0', id: call.id, ...answer(call) };
      const streams = call.method === 'SendStreamingMessage' && 'result' in body;
      response.setHeader('content-type', streams ? 'text/event-stream' : 'application/json');
      response.end(streams ? `data: ${JSON.stringify(body)}\n\n` : JSON.stringify(body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}`;
  const card = (): object => ({
    name: 'Mesh',
    description: '',
    version: '1.0.0',
    supportedInterfaces: [{ url: `${url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: { streaming: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['application/json'],
    skills: [],
  });
  return { server, cardUrl: `${url}/card.json`, calls };
}
