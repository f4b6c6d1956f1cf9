import type { AgentRecord } from '../../topology/agent/agent-records.js';
import type { CommandRecord, Verdict } from '../../topology/ledger-records.js';
import { aboutAgent, commanded, judged, observed, refused } from '../console/narration.js';
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
      return isTold(record.value) ? `  agent     ${aboutAgent(record.value)}` : undefined;
  }
};

const isTold = (record: AgentRecord): boolean =>
  record.type === 'CardAccepted' ||
  record.type === 'AgentVerified' ||
  (record.type === 'EvidenceFolded' && record.needsProbe);

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
