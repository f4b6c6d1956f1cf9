import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';

/** One call as an agent got it. */
export type Call = {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly headers: IncomingHttpHeaders;
  readonly at: number;
};

/** What an agent does with a call: what it answers, that it has answered by itself, or (`undefined`) nothing at all. */
export type Answer = (
  call: Call,
  response: ServerResponse,
) => { readonly result?: unknown; readonly error?: unknown } | 'answered' | undefined;

export const TASK_NOT_FOUND = { error: { code: -32001, message: 'Task not found' } };

export const taskBody = (id: string, state: string, contextId = `ctx-${id}`): object => ({
  id,
  contextId,
  status: { state: `TASK_STATE_${state}`, timestamp: new Date().toISOString() },
});

/** Writes stream frames, and ends the stream unless told otherwise. */
export const stream = (response: ServerResponse, frames: readonly object[], end = true): 'answered' => {
  response.setHeader('content-type', 'text/event-stream');
  for (const result of frames) response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result })}\n\n`);
  if (end) response.end();
  return 'answered';
};

/** A new task, and the states it goes through. */
export const taskStream = (id: string, ...states: readonly string[]): readonly object[] => [
  { task: taskBody(id, 'SUBMITTED') },
  ...states.map((state) => ({
    statusUpdate: {
      taskId: id,
      contextId: `ctx-${id}`,
      status: { state: `TASK_STATE_${state}`, timestamp: new Date().toISOString() },
    },
  })),
];

/** An A2A agent whose every answer the test gives. */
export class StubAgent {
  readonly calls: Call[] = [];
  answer: Answer = () => TASK_NOT_FOUND;
  readonly #server: Server;
  readonly cardUrl: string;

  static async start(streaming = true): Promise<StubAgent> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    return new StubAgent(server, `http://127.0.0.1:${port}`, streaming);
  }

  private constructor(server: Server, url: string, streaming: boolean) {
    this.#server = server;
    this.cardUrl = `${url}/card.json`;
    const card = {
      name: 'stub',
      supportedInterfaces: [{ url: `${url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
      capabilities: { streaming },
    };
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (request.method === 'GET') {
          response.setHeader('content-type', 'application/json').end(JSON.stringify(card));
          return;
        }
        const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString()) as Pick<
          Call,
          'method' | 'params'
        > & {
          readonly id: unknown;
        };
        const call = { method, params, headers: request.headers, at: performance.now() };
        this.calls.push(call);
        const said = this.answer(call, response);
        if (typeof said === 'object')
          response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, ...said }));
      });
    });
  }

  methods(): readonly string[] {
    return this.calls.map(({ method }) => method);
  }

  stop(): void {
    this.#server.close().closeAllConnections();
  }
}
