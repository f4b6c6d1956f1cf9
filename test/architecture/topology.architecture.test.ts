import { describe, expect, test } from '@jest/globals';
import { describeTopology, validateTopology, type Topic } from '../../topology/kit/topology.js';
import { ledgerTopology } from '../../topology/ledger.topology.js';
import { TOPICS } from '../../topology/topics.js';

/** A change of this text is a change of what lies in Kafka: it is meant, or it is a mistake. */
const DESCRIPTION = `\
application holdfast-ledger
  source    a2a.task-events.v1 [by-key, delete] DispatchObserved DispatchStarted DispatchFailed TaskStateObserved ArtifactObserved MessageObserved TaskNotFoundObserved ExchangeObserved StreamClosed CancelRequested OperatorDecided
  global    a2a.agents.v1 [single, delete] CardAccepted CardRevalidated CardRefused AgentVerified EvidenceFolded AgentConfigured AgentRemoved GapObserved PolicyChanged
  changelog a2a.ledger.v1 [own-number, compact] LedgerEntry LedgerPosition
  chained   a2a.verdicts.v1 [own-number, delete] Verdict
  sink      a2a.violations.v1 [own-number, delete] Violation
  sink      a2a.commands.v1 [own-number, delete] RedispatchTask QueryTask CancelSuperseded RefreshCard
  sink      a2a.evidence.v1 [own-number, delete] Evidence
  sink      a2a.dead-letters.v1 [own-number, delete] DeadLetter
  sink      a2a.inputs.v1 [by-key, compact] TaskInput`;

describe('the ledger topology', () => {
  test('should be as described', () => {
    expect(describeTopology(ledgerTopology)).toBe(DESCRIPTION);
  });

  test('should hold together', () => {
    expect(validateTopology(ledgerTopology)).toStrictEqual([]);
  });

  test('should use every topic that there is, once each', () => {
    const { source, global, store, sinks } = ledgerTopology;
    const used: readonly Topic<unknown>[] = [source, global, store.changelog, ...sinks];

    expect(new Set(used)).toStrictEqual(new Set<Topic<unknown>>(TOPICS));
    expect(new Set(TOPICS.map(({ name }) => name)).size).toBe(TOPICS.length);
  });
});

describe('a faulty topology', () => {
  const { source, global, store, sinks, chained } = ledgerTopology;

  test.each([
    [
      'an application ID that is not kebab-case',
      { applicationId: 'Holdfast_Ledger' },
      ['application ID Holdfast_Ledger is not kebab-case'],
    ],
    ['an empty application ID', { applicationId: '' }, ['application ID  is not kebab-case']],
    ['a topic in two roles', { sinks: [...sinks, source] }, ['topic a2a.task-events.v1 has two roles']],
    [
      'a source that is not partitioned by key',
      { source: { ...source, partitioning: 'own-number' as const } },
      ['source a2a.task-events.v1 is not partitioned by key'],
    ],
    [
      'a global topic of several partitions',
      { global: { ...global, partitioning: 'by-key' as const } },
      ['global a2a.agents.v1 has more than one partition'],
    ],
    [
      'a changelog that is not compacted',
      { store: { ...store, changelog: { ...store.changelog, cleanup: 'delete' as const } } },
      ['changelog a2a.ledger.v1 is not compacted'],
    ],
    [
      'a chained topic that is no sink',
      { chained: { ...chained, topic: global } },
      ['chained topic a2a.agents.v1 is no sink'],
    ],
    ['a topic without records', { source: { ...source, records: [] } }, ['topic a2a.task-events.v1 carries no record']],
    [
      'several faults',
      { applicationId: 'X', sinks: [] },
      ['application ID X is not kebab-case', 'chained topic a2a.verdicts.v1 is no sink'],
    ],
  ])('should be named: %s', (_, change, named) => {
    expect(validateTopology({ ...ledgerTopology, ...change })).toStrictEqual(named);
  });
});
