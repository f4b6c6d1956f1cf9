/** From a recorded exchange to what was observed: the whole of this folder put together. */
import type { BodyAnswer, StreamAnswer, WireExchange, WireObservation } from './exchange.js';
import { omitAbsent, own } from './json.js';
import { beginStream, endStream, observeEvent } from './observe-stream.js';
import { ANSWERS, countListed, openBody, readAnswer, readChoice } from './payload.js';
import { readRequest, type ReadRequest } from './request.js';
import {
  besideWords,
  exchangeObserved,
  observeWord,
  taskNamedBy,
  type AskedBy,
  type UnitOfWork,
  type Witness,
} from './word-observations.js';

/** The `method` of an observation about a webhook call that said nothing readable. */
export const PUSH = 'PushNotification';

const bare = ({ tenant, correlationId }: UnitOfWork): UnitOfWork => omitAbsent({ tenant, correlationId });

/** Who heard the answer to a request; for observers of streams in flight (`observeEvent`). */
export const witnessOf = (
  { binding, method, dialect }: ReadRequest,
  unit: UnitOfWork,
  agentId: string,
  asker: AskedBy,
): Witness => ({ unit: bare(unit), agentId, asker, binding, dialect, method });

/**
 * A body says its words, then what the exchange itself says where that matters: it holds an error, no task, only a part
 * of an answer, or a list (R52: that a search found nothing is known by `found` alone).
 */
const observeBody = (witness: Witness, about: string | undefined, answer: BodyAnswer): readonly WireObservation[] => {
  const { value, error } = openBody(witness.binding, answer.status, answer.body);
  const form = ANSWERS[witness.method];
  const isList = form?.holds === 'list';
  const words = readAnswer(witness.method, value, witness.dialect);
  const said = words.flatMap((word) => {
    const isUpdate = word.type === 'status-update' || word.type === 'artifact-update';
    return observeWord(witness, word, isUpdate ? 'status-update' : (form?.via ?? 'snapshot'), about);
  });
  if (said.length > 0 && error === undefined && answer.error === undefined && !isList) return said;
  const found = isList && error === undefined ? countListed(value) : undefined;
  const serverTaskId = about ?? (isList ? undefined : words.map(taskNamedBy).find((named) => named !== undefined));
  const head = words.length > 0 && error !== undefined ? besideWords(answer) : answer;
  return [...said, exchangeObserved(witness, { serverTaskId, answer: head, readError: error, found })];
};

const observeStream = (
  witness: Witness,
  about: string | undefined,
  { events, ended, ...head }: StreamAnswer,
): readonly WireObservation[] => {
  let place = beginStream(about);
  const observations: WireObservation[] = [];
  for (const event of events) {
    const step = observeEvent(witness, place, head, event);
    observations.push(...step.observations);
    place = step.place;
  }
  return [...observations, ...endStream(witness, place, head, ended)];
};

/** A webhook has no request: the `kind` of 0.3 tells its dialect, and nothing in it answers a dispatch (R51). */
const observePush = (body: unknown, heard: Omit<Witness, 'binding' | 'dialect' | 'method'>) => {
  const dialect = own(body, 'kind') === undefined ? '1.0' : '0.3';
  const witness: Witness = { ...heard, binding: 'HTTP+JSON', dialect, method: PUSH };
  const words = readChoice(body, dialect).flatMap((word) => observeWord(witness, word, 'push', undefined));
  return words.length > 0 ? words : [exchangeObserved(witness, { answer: { status: 0, error: 'unreadable' } })];
};

/**
 * What was observed in an exchange, in the order in which it belongs on the log; never empty, whatever the agent sent.
 * All of it is said to be about `unit`. In the answer to a ListTasks of a client each task belongs to its own unit: the
 * caller, who knows which, exchanges `tenant` and `correlationId` by `serverTaskId`, as it adds `boundTo` (R54) and the
 * hashes.
 */
export const observe = (
  exchange: WireExchange,
  unit: UnitOfWork,
  agentId: string,
  asker: AskedBy,
): readonly WireObservation[] => {
  if (exchange.kind === 'push') {
    return observePush(exchange.body, { unit: bare(unit), agentId, asker });
  }
  const asked = readRequest(exchange.request);
  const witness = witnessOf(asked, unit, agentId, asker);
  const { answer } = exchange;
  return 'events' in answer
    ? observeStream(witness, asked.serverTaskId, answer)
    : observeBody(witness, asked.serverTaskId, answer);
};
