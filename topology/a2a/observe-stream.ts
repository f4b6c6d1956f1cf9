import type { Via } from '../observation.js';
import type { StreamAnswer, StreamEnd, WireObservation } from './exchange.js';
import { openEvent, readChoice } from './payload.js';
import type { SseEvent } from './stream.js';
import type { Word } from './task.js';
import { besideWords, exchangeObserved, observeWord, taskNamedBy, type Witness } from './word-observations.js';

/** How far a stream has come, for an observer that must write each event down before it passes it on. */
export type StreamPlace = {
  /** The task asked about, then the one that the stream named last. */
  readonly serverTaskId?: string;
  /** It has held a word, observed or not. */
  readonly worded: boolean;
  /** It has held a word that was observed. */
  readonly spoke: boolean;
  /** It has said an error. */
  readonly failed: boolean;
};

/** The place before the first event. */
export const beginStream = (serverTaskId?: string): StreamPlace => ({
  ...(serverTaskId !== undefined && { serverTaskId }),
  worded: false,
  spoke: false,
  failed: false,
});

/** A stream repeats the old snapshot first (R47), so a Task in it is a snapshot, at any place. */
const viaOf = (word: Word): Via => (word.type === 'task' ? 'snapshot' : 'status-update');

type Head = Pick<StreamAnswer, 'status' | 'contentType' | 'error'>;
type Step = { readonly place: StreamPlace; readonly observations: readonly WireObservation[] };

/**
 * One event: its words, then its error. What is neither (a ping, rubbish) is nothing; a terminal state said before an
 * error stands.
 */
export const observeEvent = (witness: Witness, before: StreamPlace, head: Head, event: SseEvent): Step => {
  const { value, error } = openEvent(witness.binding, event);
  let place = before;
  const observations: WireObservation[] = [];
  for (const word of readChoice(value, witness.dialect)) {
    const heard = observeWord(witness, word, viaOf(word), place.serverTaskId);
    observations.push(...heard);
    const serverTaskId = taskNamedBy(word) ?? place.serverTaskId;
    place = {
      ...place,
      worded: true,
      spoke: place.spoke || heard.length > 0,
      ...(serverTaskId !== undefined && { serverTaskId }),
    };
  }
  if (error !== undefined) {
    const answer = place.worded ? besideWords(head) : head;
    observations.push(exchangeObserved(witness, { serverTaskId: place.serverTaskId, answer, readError: error }));
    place = { ...place, failed: true };
  }
  return { place, observations };
};

/**
 * The end of a stream. One that said nothing is an answer that carried no task (R52). The close itself is about a task
 * (R32): where none was named there is nothing to ask about, be it a dispatch without an answer or a Message (R51).
 */
export const endStream = (
  { unit, agentId, ...witness }: Witness,
  { serverTaskId, spoke, failed }: StreamPlace,
  head: Head,
  ended: StreamEnd,
): readonly WireObservation[] => {
  const said = spoke || failed;
  const answer = { ...head, error: head.error ?? (ended === 'clean' ? 'empty-stream' : 'broken-stream') };
  const silent = said ? [] : [exchangeObserved({ unit, agentId, ...witness }, { serverTaskId, answer })];
  if (serverTaskId === undefined) return silent;
  return [...silent, { type: 'StreamClosed', ...unit, agentId, serverTaskId, clean: ended === 'clean' }];
};
