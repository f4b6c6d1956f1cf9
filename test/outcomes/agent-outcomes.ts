import { outcomeTable } from './outcome.js';

/** What agents, and their clients, can answer and ask. */
export const AGENT_OUTCOMES = outcomeTable('Agents and their cards', {
  cardEndless: {
    given: 'a card of a gigabyte',
    outcome: 'read to 512 KiB and refused (`CardRefused`); the last good card stays in force',
  },
  cardBomb: {
    given: 'a small card that unpacks to 256 MiB (gzip, deflate, brotli)',
    outcome: 'unpacked to 512 KiB and refused',
  },
  cardEncoded: { given: 'a card in an encoding nobody asked for (zstd)', outcome: 'refused unread' },
  cardDripping: { given: 'a card, or the head of its answer, that comes byte by byte', outcome: 'given up after 5 s' },
  cardElsewhere: {
    given: 'a redirect to another host, port or scheme',
    outcome: 'not followed: whoever answers for an agent was named by the operator',
  },
  cardRedirectLoop: { given: 'redirects without an end', outcome: 'refused after three' },
  cardToMetadata: {
    given: 'a card whose interface is a link-local or metadata address, in any notation',
    outcome: 'refused; nothing is ever sent there unless `egress.allow` lists it',
  },
  cardLessPublic: {
    given:
      'a public card that leads to a private or loopback address, by a number, by a name or by a name rebound later',
    outcome: 'not called: a card leads to nothing less public than itself, unless `egress.allow` lists it',
  },
  cardPage: { given: 'a login page under 200', outcome: 'refused: no JSON' },
  cardMislabelled: { given: 'a good card under a wrong content type', outcome: 'accepted: what it holds counts' },
  cardOtherShape: { given: 'JSON that is no card', outcome: 'refused, with what it lacks' },
  cardTooComplex: { given: 'a card nested 100,000 levels deep', outcome: 'refused' },
  cardTwiceNamed: {
    given: 'a card with duplicate keys, or keys like `__proto__`',
    outcome: 'the last of equal keys counts; a key is only ever a key',
  },
  cardOverlong: { given: 'a skill with a name of 400 KB, and NULs', outcome: 'refused' },
  cardManySkills: { given: 'a card of 10,000 skills', outcome: 'accepted, in one record' },
  cardEmpty: { given: '204 without a body', outcome: 'refused' },
  cardNotModified: { given: '304 without anything that could be renewed', outcome: 'refused' },
  cardFailing: { given: '500 instead of a card', outcome: 'refused; asked again after a growing pause' },
  cardRestless: {
    given: 'a card that is another at every look',
    outcome: 'each is accepted, and looked for ever less often unless somebody needs it',
  },
  answerEndless: {
    given: 'an answer of a gigabyte',
    outcome: 'read to 16 MiB; the client is told 502 InvalidAgentResponse, the task stays as it was',
  },
  answerTooComplex: {
    given: 'an answer nested 100,000 levels deep, or of five million empty objects',
    outcome: '502 InvalidAgentResponse, not a failure of the gateway',
  },
  answerPacked: {
    given: 'a packed answer (gzip) that nobody asked for',
    outcome: 'not unpacked: 502 InvalidAgentResponse',
  },
  answerToAnother: {
    given: 'an answer under the ID of another request, or a batch',
    outcome: 'it is nobody’s here: 502 InvalidAgentResponse',
  },
  answerTorn: { given: 'a connection reset in the middle of an answer', outcome: '502, to be asked again' },
  answerSwitching: { given: '101, or interim answers without an end', outcome: '502 or 504, to be asked again' },
  answerDripping: {
    given: 'an answer, or its head, that comes byte by byte',
    outcome: '504 once the time for an answer is over, however busy the line',
  },
  answerNotUtf8: { given: 'bytes that are no UTF-8', outcome: 'read as U+FFFD, as by `fetch`; the rest stands' },
  answerTwice: {
    given: 'a result and a TaskNotFound in one answer',
    outcome: 'the result stands, the TaskNotFound counts for nothing: the task itself is asked for',
  },
  answerOverlongId: {
    given: 'a task ID of two megabytes',
    outcome:
      'no ID: the outcome of the send is unknown (R52); the same message again begins a task that can be followed',
  },
  answerManyParts: {
    given: 'an artifact of 100,000 parts',
    outcome: 'the first 10,000 are judged, its task goes on',
  },
  streamEndless: {
    given: 'a stream that is one endless event, or never ends its line',
    outcome: 'broken off at 8 MiB; what was said before stands, and the agent is asked for the task (R32)',
  },
  streamLost: {
    given: 'a TaskNotFound in the middle of a stream, about a task that is lost',
    outcome: 'never passed on: the client hears that it is indeterminate, then the worker that took it over',
  },
  streamLostAtOnce: {
    given: 'a subscription that is answered by TaskNotFound, as a body or as the first event',
    outcome: 'the same',
  },
  streamContradicted: {
    given: 'a TaskNotFound in the middle of a stream, about a task that the agent has',
    outcome: 'the client hears the task as it stands, and at last that the agent contradicts itself (retryable)',
  },
  sentAtOnce: {
    given: 'the same message, 50 times at once and once more later',
    outcome: 'one task at the agent, and one answer for all (R49)',
  },
  clientEndless: { given: 'a client’s body of a gigabyte', outcome: '413 at 4 MiB' },
  clientTooComplex: { given: 'a client’s body nested 100,000 levels deep', outcome: 'parse error (-32700)' },
  clientMislabelled: {
    given: 'a client’s body that is said to be text, a form, or packed',
    outcome: '415: what a browser sends anywhere unasked is not taken for a request',
  },
  clientOverlongId: { given: 'a client’s ID of more than 16,384 characters', outcome: 'invalid parameters (-32602)' },
  clientHeaders: {
    given: 'line breaks in headers, paths and IDs',
    outcome: 'refused, or data like any other: nothing is ever a header of its own',
  },
});
