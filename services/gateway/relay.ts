/**
 * One exchange with an agent on a client's behalf, in the order that everything rests on: ask, write down what was
 * observed, pass on. What a verdict would have to wait for comes between the second and the third: `Recorded` says where.
 */
import { randomUUID } from 'node:crypto';
import type { AgentExchange } from '../../infra/http/agent-client.js';
import { observe } from '../../topology/a2a/observe.js';
import { replyOf } from './agent-answer.js';
import { ArtifactDigests } from './artifact-digest.js';
import { answerHeaders } from './forwarded-headers.js';
import type { Gateway } from './gateway.js';
import { isStreaming, type AnswerHeaders, type Client, type Operation } from './operation.js';
import type { Leg, Relayed } from './leg.js';
import { lossIn, ofUnit } from './recorder.js';
import { StreamRelay } from './stream-relay.js';

/**
 * Asks, writes, passes on. A stream goes to the client as it comes; its `reply` is then `streamed`.
 * @throws WriteAheadError, AgentUnreachableError
 */
export const relay = async (op: Operation, leg: Leg, client: Client, gateway: Gateway): Promise<Relayed> => {
  const stream =
    leg.unit !== undefined && isStreaming(op.method)
      ? new StreamRelay(op, { ...leg, unit: leg.unit }, client, gateway)
      : undefined;
  const { exchange, headers } = await ask(op, leg, gateway, stream);
  const { answer } = exchange;
  if ('events' in answer && stream !== undefined) return stream.end(answer);
  const reply = { ...replyOf(op.method, leg, answer), headers };
  if (leg.unit === undefined) return { reply };
  const said = ofUnit(observe(exchange, leg.unit, leg.agentId, leg.asker), { ...leg, unit: leg.unit });
  const lost = lossIn(await gateway.recorder.heard(said, new ArtifactDigests()));
  return { reply, ...(lost === undefined ? {} : { lost }) };
};

/**
 * Puts the question. Only a stream ends when its client has gone: the answer to anything else has to be on record.
 * @throws AgentUnreachableError
 */
export const ask = async (
  op: Operation,
  { agentId, headers, params }: Pick<Leg, 'agentId' | 'headers' | 'params'>,
  { parts: { agents, call, settings } }: Gateway,
  stream?: StreamRelay,
): Promise<{ readonly exchange: AgentExchange; readonly headers: AnswerHeaders }> => {
  const { method } = op;
  const { tenant, url, reach } = await agents.endpoint(agentId);
  // The client names the tenant that it knows: of the agent that it asks.
  const elsewhere = agentId === op.agentId || tenant === undefined ? {} : { tenant };
  const takesItsTime = method === 'SendMessage' || isStreaming(method);
  let answered: AnswerHeaders = {};
  const exchange = await call(
    {
      url,
      ...(reach === undefined ? {} : { reach }),
      body: { jsonrpc: '2.0', id: randomUUID(), method, params: { ...params, ...elsewhere } },
      headers,
      timeoutMs: takesItsTime ? settings.answerTimeoutMs : settings.questionTimeoutMs,
      ...(stream === undefined ? {} : { signal: stream.signal }),
      onHeaders: (said) => {
        answered = answerHeaders(said);
        stream?.answeredWith(answered);
      },
    },
    stream?.take,
  );
  return { exchange, headers: answered };
};
