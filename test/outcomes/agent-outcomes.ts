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
});
