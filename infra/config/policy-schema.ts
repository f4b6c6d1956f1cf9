import { TASK_STATES } from '../../topology/task/task-state.js';
import { count, listOf, object, oneOf, positiveMs, text, type SchemaNode } from './schema-words.js';

export const state: SchemaNode = oneOf('Task state of A2A.', TASK_STATES);

/** `enforce` is understood by the rules; no gateway acts on it yet, so nobody should think that one does. */
export const contract: SchemaNode = oneOf('What becomes of violations: they are recorded and passed on.', ['observe']);

export const recovery = (description: string): SchemaNode => oneOf(description, ['off', 'manual', 'always']);

/** What decisions depend on (RULES.md section 13). */
export const POLICY_SCHEMA = object('What the decisions of the ledger depend on; part of every verdict.', {
  deferTimeoutMs: positiveMs('How long a record waits for what it needs to be judged (R26), ms.'),
  refreshBackoffMs: positiveMs('Least time between two requests for the card of an agent, ms.'),
  staleAfterMs: positiveMs('Without news for so long, the agent of a unit at work is asked (R46), ms.'),
  stalledAfterMs: positiveMs('Without news for so long, a unit is marked stalled (R46), ms.'),
  indeterminateAfterMs: positiveMs(
    'A lost unit that waits longer for a candidate is marked for the operator (R35), ms.',
  ),
  maxAttempts: count('Dispatches of a unit, the first one of the client included (R37).'),
  dispatchDeadlineMs: positiveMs('Within what a command has to be taken up, ms.'),
  sendDeadlineMs: positiveMs('Within what a redispatched message has to be answered, ms.'),
  inputRetentionMs: positiveMs('How long the input of a unit is kept to be sent again (R34), ms.'),
  retainForMs: positiveMs('How long the record of an ended unit is kept, ms.'),
  reexaminePerSecond: count('Lost units looked at again per second once an agent can take them (R35).'),
  trust: oneOf('Whether agents have to be verified by probing, or are all alike and durable.', [
    'verify',
    'homogeneous-durable',
  ]),
  recovery: recovery(
    'What becomes of lost units: nothing, redispatch after approval, or redispatch. Absent: always within a substitution group, else manual (R41).',
  ),
  contract,
  unverified: oneOf('What becomes of a first dispatch to an agent that was never verified (R12).', [
    'probe-first',
    'trust',
    'refuse',
  ]),
  assume: listOf('States that count as verified while they are advertised: no probe can force them (R13).', state),
  preference: listOf('Agent IDs, whom to choose first (R33).', text('Agent ID.')),
  substitutionGroups: listOf(
    'Who may take over for whom: lists of agent IDs.',
    listOf('Agents that may take over for each other.', text('Agent ID.')),
  ),
});
