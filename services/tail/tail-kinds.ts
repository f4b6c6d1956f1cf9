import type { AgentRecord } from '../../topology/agent/agent-records.js';
import type { Topic } from '../../topology/kit/topology.js';
import type { CommandRecord, DeadLetter, EvidenceRecord, Verdict, Violation } from '../../topology/ledger-records.js';
import type { Observation } from '../../topology/observation.js';
import { AGENTS, COMMANDS, DEAD_LETTERS, EVIDENCE, TASK_EVENTS, VERDICTS, VIOLATIONS } from '../../topology/topics.js';
import { aboutAgent, commanded, evident, judged, observed, setAside, violated } from '../console/narration.js';

/** A kind of record that can be followed. `word` says in a line what it is. */
export type TailKind = {
  readonly name: string;
  readonly word: string;
  readonly topic: Topic<unknown>;
  readonly tell: (value: unknown) => string;
};

const kind = <Value>(name: string, word: string, topic: Topic<Value>, tell: (value: Value) => string): TailKind => ({
  name,
  word,
  topic,
  // Only values of this very topic come here.
  tell: (value) => tell(value as Value),
});

/** In the order in which one follows from the other. */
export const TAIL_KINDS: readonly TailKind[] = [
  kind<AgentRecord>('agents', 'agent', AGENTS, aboutAgent),
  kind<Observation>('events', 'seen', TASK_EVENTS, observed),
  kind<Verdict>('verdicts', 'verdict', VERDICTS, judged),
  kind<Violation>('violations', 'violation', VIOLATIONS, violated),
  kind<CommandRecord>('commands', 'command', COMMANDS, commanded),
  kind<EvidenceRecord>('evidence', 'evidence', EVIDENCE, evident),
  kind<DeadLetter>('dead-letters', 'dead letter', DEAD_LETTERS, setAside),
];

/** What is followed where nothing is named: evidence says again what the agents' records say. */
export const TOLD_BY_DEFAULT = TAIL_KINDS.filter(({ name }) => name !== 'evidence');

/** Every word by which a kind can be named: its own, and its topic's. */
export const TAIL_WORDS = TAIL_KINDS.flatMap(({ name, topic }) => [name, topic.name]);

/** The kinds that are meant by words of `TAIL_WORDS`; none: those told by default. */
export const kindsOf = (words: readonly string[]): readonly TailKind[] =>
  words.length === 0
    ? TOLD_BY_DEFAULT
    : TAIL_KINDS.filter(({ name, topic }) => words.includes(name) || words.includes(topic.name));
