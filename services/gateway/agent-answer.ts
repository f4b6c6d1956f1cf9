import type { BodyAnswer, StreamAnswer } from '../../topology/a2a/exchange.js';
import { isObject, own } from '../../topology/a2a/json.js';
import type { A2aMethod } from '../../topology/a2a/method.js';
import type { AnswerError, Reply } from './operation.js';
import { invalidAnswer, noAnswer } from './refusal.js';
import { renameAnswer, type NamesOf } from './rename.js';

/** What an agent's body comes to. */
export type AgentReply = Exclude<Reply, { readonly kind: 'streamed' }>;

/** The error of a JSON-RPC envelope, as it stands. */
export const errorIn = (body: unknown): AnswerError | undefined => {
  const error = own(body, 'error');
  const code = own(error, 'code');
  if (!isObject(error) || typeof code !== 'number') return undefined;
  const message = own(error, 'message');
  const data = own(error, 'data');
  return { code, message: typeof message === 'string' ? message : '', ...(data === undefined ? {} : { data }) };
};

/** The agent's answer in terms that every binding can say. What is not of the protocol stays what it is. */
export const replyOf = (
  method: A2aMethod,
  { agentId, namesOf }: { readonly agentId: string; readonly namesOf: NamesOf },
  answer: BodyAnswer | StreamAnswer,
): AgentReply => {
  if (answer.error !== undefined) return noAnswer(agentId, answer.error);
  const { status } = answer;
  if ('events' in answer) return unreadable(agentId);
  const { body, contentType } = answer;
  const error = errorIn(body);
  if (error !== undefined) return { kind: 'error', error, status };
  const result = own(body, 'result');
  if (result !== undefined) return { kind: 'result', result: renameAnswer(method, result, namesOf), status };
  // A deleted push configuration is answered by an empty result.
  if (isObject(body) && Object.hasOwn(body, 'result')) return { kind: 'result', result: null, status };
  if (body === undefined || isObject(body)) return unreadable(agentId);
  const page = typeof body === 'string' ? body : JSON.stringify(body);
  return { kind: 'foreign', status, body: page, ...(contentType === undefined ? {} : { contentType }) };
};

const unreadable = (agentId: string): AgentReply => invalidAnswer(`agent ${agentId} gave no JSON-RPC answer`);
