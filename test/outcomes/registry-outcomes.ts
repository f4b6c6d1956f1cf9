import { outcomeTable } from './outcome.js';

const WAITS = 'the partition waits, which the log says, and goes on by itself; nothing is lost, nothing set aside';

/** What can become of the registry. */
export const REGISTRY_OUTCOMES = outcomeTable('Schema registry', {
  awayAtStart: {
    given: 'it is away when a part starts',
    outcome: 'the part says so and waits for a minute, then ends with exit code 2; SIGTERM ends the waiting at once',
  },
  awayForCommand: {
    given: 'it is away when a command needs it',
    outcome: 'exit code 2, with its address and the reason',
  },
  notARegistry: {
    given: 'the address is that of something else',
    outcome: 'exit code 2, and the question whether `registry.url` is right',
  },
  contradictsItself: {
    given: 'it gives another schema under the ID that it names for one of ours',
    outcome: 'no part starts: nothing is written that nobody could read',
  },
  awayKnown: {
    given: 'it goes away, and records come with schemas that were seen before',
    outcome: 'they are judged as ever: it is asked once for a schema',
  },
  awayUnknown: { given: 'it goes away, and a record comes with a schema that was not seen before', outcome: WAITS },
  slow: { given: 'each answer takes seconds', outcome: 'records are judged, those with new schemas late' },
  silent: { given: 'it takes a question and never answers', outcome: WAITS },
  breaksOff: { given: 'its answers break off in the middle', outcome: WAITS },
  fails: { given: 'it answers 500, 502 or 503', outcome: WAITS },
  page: { given: 'a proxy answers 200 with a page', outcome: WAITS },
  otherShape: { given: 'it answers 200 with JSON of another shape', outcome: WAITS },
  nothing: { given: 'it answers 200, or an error, with `null`', outcome: WAITS },
  redirects: {
    given: 'it redirects',
    outcome:
      'not followed, since the next one would get the credentials; the log says whereto, and the partition waits',
  },
  proxyFindsNothing: { given: 'a proxy answers 404 with a page', outcome: WAITS },
  emptied: {
    given: 'it was emptied: 404 for IDs that it had, those of Holdfast among them',
    outcome: `${WAITS}, once its data is restored`,
  },
  unknownId: {
    given: 'a record comes with an ID that a healthy registry does not know',
    outcome: 'set aside as `unknown-schema` after `schemaWaitMs`, the next one is judged',
  },
  claimedLater: {
    given: 'the ID is registered within `schemaWaitMs` after its record came',
    outcome: 'the record is judged',
  },
  otherRecord: {
    given: 'under the ID of a record lies the schema of another one',
    outcome: 'set aside as `undecodable`, the next one is judged; asked for again after a minute, for replays',
  },
  noAvro: { given: 'under the ID lies what is no Avro', outcome: 'set aside as `undecodable`, the next one is judged' },
  huge: {
    given: 'under the ID lies a schema of 10 MB',
    outcome: 'read up to 1 MiB and no further; set aside as `undecodable`, the next one is judged',
  },
  deep: {
    given: 'under the ID lies a schema nested 20,000 deep',
    outcome: 'set aside as `undecodable`, the next one is judged',
  },
});
