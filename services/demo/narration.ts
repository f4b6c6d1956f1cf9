import type { AgentRecord } from '../../topology/agent/agent-records.js';
import type { CommandRecord, Verdict } from '../../topology/ledger-records.js';
import type { Observation } from '../../topology/observation.js';
import { place, type TapedRecord } from './story-tape.js';

/** A record of the log as one line of the story; `undefined`: nothing that a reader needs. */
export const tell = (record: TapedRecord): string | undefined => {
  const said = sentence(record);
  return said === undefined ? undefined : `${place(record).padEnd(26)} ${said}`;
};

const sentence = (record: TapedRecord): string | undefined => {
  switch (record.topic) {
    case 'task-events':
      return `  seen      ${observed(record.value)}`;
    case 'verdicts':
      return `  verdict   ${judged(record.value)}`;
    case 'commands':
      return `  command   ${commanded(record.value)}`;
    case 'agents':
      return aboutAgent(record.value);
  }
};

const short = (id: string): string => (id.length > 8 ? `${id.slice(0, 8)}…` : id);

const observed = (seen: Observation): string => {
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

const judged = ({ verdict, code, contractError, reason, rule }: Verdict): string =>
  [`${verdict}${code === undefined ? '' : ` ${code}`}`, contractError, `(${rule}) ${reason}`]
    .filter((part) => part !== undefined)
    .join(' · ');

const commanded = (command: CommandRecord): string => {
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

const refused = ({ considered }: CommandRecord & { readonly type: 'RedispatchTask' }): string =>
  considered
    .filter(({ lacks }) => lacks.length > 0)
    .map(({ agentId, lacks }) => `${agentId} (${lacks.join(', ')})`)
    .join('; ') || 'nobody';

const aboutAgent = (record: AgentRecord): string | undefined => {
  switch (record.type) {
    case 'CardAccepted':
      return `  agent     the card of ${record.agentId} promises ${record.terms.states?.join(' ') ?? 'all states'}; ${record.terms.defaultOutputModes.join(' ')}`;
    case 'AgentVerified':
      return `  agent     ${record.agentId} was verified: ${record.states.map(({ state }) => state).join(' ')}; ${record.modes.join(' ')}`;
    case 'EvidenceFolded':
      return record.needsProbe
        ? `  agent     ${record.agentId} lost a task: not durable, to be probed again`
        : undefined;
    default:
      return undefined;
  }
};

/** The decision behind a redispatch, in one sentence. */
export const explainRedispatch = (
  loss: Verdict,
  command: (CommandRecord & { readonly type: 'RedispatchTask' }) | undefined,
): string => {
  const lost = `${loss.agentId ?? 'The agent'} lost task ${loss.serverTaskId ?? '?'} in ${loss.state ?? 'no state yet'}`;
  if (command === undefined && loss.contractError === undefined)
    return `${lost}; recovery is off, so nobody was asked.`;
  return command === undefined
    ? `${lost}; nobody was verified to take it over.`
    : `${lost}, so ${command.agentId}, verified for ${command.requiredState}, took it over as attempt ${command.attempt}; refused were ${refused(command)}.`;
};
