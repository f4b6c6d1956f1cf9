import type { AgentRecord } from '../../topology/agent/agent-records.js';
import type { CommandRecord, DeadLetter, EvidenceRecord, Verdict, Violation } from '../../topology/ledger-records.js';
import type { Observation } from '../../topology/observation.js';

/** Records of the log as sentences, for somebody who watches. Pure. */

const short = (id: string): string => (id.length > 8 ? `${id.slice(0, 8)}…` : id);

export const observed = (seen: Observation): string => {
  switch (seen.type) {
    case 'DispatchObserved':
      return seen.by === 'holdfast'
        ? `Holdfast sent it to ${seen.agentId} (task ${short(seen.serverTaskId ?? '?')})`
        : `the client sent it to ${seen.agentId}`;
    case 'TaskStateObserved':
      return `${seen.agentId} says task ${short(seen.serverTaskId)} is ${seen.state ?? 'nothing'} (${seen.via})`;
    case 'ArtifactObserved':
      return `${seen.agentId} emits artifact "${seen.artifactId}" as ${seen.parts.map(({ mediaType }) => mediaType ?? 'untyped').join(', ')}`;
    case 'TaskNotFoundObserved':
      return `${seen.agentId} does not know task ${short(seen.serverTaskId)}`;
    case 'ExchangeObserved':
      return `${seen.agentId} answers ${seen.method}: ${seen.reason ?? seen.error ?? `HTTP ${seen.httpStatus}`}`;
    case 'DispatchStarted':
      return `about to send it to ${seen.agentId}`;
    case 'DispatchFailed':
      return `sending it to ${seen.agentId} failed: ${seen.reason ?? ''}`;
    case 'StreamClosed':
      return `the stream of ${seen.agentId} ended`;
    case 'MessageObserved':
      return `${seen.agentId} answers with a message`;
    case 'CancelRequested':
      return 'the client cancels';
    case 'OperatorDecided':
      return `an operator decides: ${seen.action}`;
  }
};

export const judged = ({ verdict, code, contractError, reason, rule }: Verdict): string =>
  [`${verdict}${code === undefined ? '' : ` ${code}`}`, contractError, `(${rule}) ${reason}`]
    .filter((part) => part !== undefined)
    .join(' · ');

export const violated = ({ code, rule, reason, requiredState }: Violation): string =>
  `${code} · (${rule}) ${reason}${requiredState === undefined ? '' : `; needs ${requiredState} verified`}`;

export const commanded = (command: CommandRecord): string => {
  switch (command.type) {
    case 'RedispatchTask':
      return `redispatch to ${command.agentId}, attempt ${command.attempt}; refused: ${refused(command)}`;
    case 'QueryTask':
      return `ask ${command.agentId} (${command.reason})`;
    case 'CancelSuperseded':
      return `tell ${command.agentId} to stop`;
    case 'RefreshCard':
      return `fetch the card of ${command.agentId}`;
  }
};

export const refused = ({ considered }: CommandRecord & { readonly type: 'RedispatchTask' }): string =>
  considered
    .filter(({ lacks }) => lacks.length > 0)
    .map(({ agentId, lacks }) => `${agentId} (${lacks.join(', ')})`)
    .join('; ') || 'nobody';

export const aboutAgent = (record: AgentRecord): string => {
  switch (record.type) {
    case 'CardAccepted':
      return `the card of ${record.agentId} promises ${record.terms.states?.join(' ') ?? 'all states'}; ${record.terms.defaultOutputModes.join(' ')}`;
    case 'CardRevalidated':
      return `the card of ${record.agentId} is still the same`;
    case 'CardRefused':
      return `the card of ${record.agentId} could not be had: ${record.reason}`;
    case 'AgentVerified':
      return `${record.agentId} was verified: ${record.states.map(({ state }) => state).join(' ')}; ${record.modes.join(' ')}`;
    case 'EvidenceFolded':
      return record.needsProbe
        ? `${record.agentId} lost a task: not durable, to be probed again`
        : `${record.agentId} was seen again at ${record.observed.join(' ') || 'no state'}`;
    case 'AgentConfigured':
      return `${record.agentId} is configured${record.durable ? ' as durable' : ''}`;
    case 'AgentRemoved':
      return `${record.agentId} was removed`;
    case 'GapObserved':
      return `nothing was seen of ${record.agentIds.join(', ')} for ${Math.round((record.to - record.from) / 1_000)} s`;
    case 'PolicyChanged':
      return `the policy is now ${short(record.version)}: recovery ${record.policy.recovery ?? 'always within substitution groups, else manual'}`;
  }
};

export const evident = (evidence: EvidenceRecord): string =>
  evidence.kind === 'task-lost'
    ? `${evidence.agentId} lost task ${short(evidence.serverTaskId)} at ${evidence.state ?? 'no state'}`
    : `${evidence.agentId} showed task ${short(evidence.serverTaskId)} at ${evidence.state ?? 'no state'} again`;

export const setAside = ({ reason, detail, source: { topic, partition, offset } }: DeadLetter): string =>
  `${topic}/${partition}/${offset} was set aside as ${reason}: ${detail}`;
