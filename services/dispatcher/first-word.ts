import { isRefused } from '../../topology/a2a/not-found.js';
import type { WireObservation } from '../../topology/a2a/exchange.js';
import type { DispatchFailed, DispatchObserved, ExchangeObserved } from '../../topology/observation.js';
import type { TaskInput } from '../../topology/topics.js';
import type { UnitRecord } from '../../topology/task/unit.js';
import type { RedispatchTask } from './plan-redispatch.js';

/** What the first thing heard after a send says about the send. */
export type FirstWord =
  /** The agent has it: it named a task, or answered with a Message (R51). */
  | { readonly kind: 'taken'; readonly serverTaskId?: string; readonly contextId?: string }
  /** Definitely not taken: refused, or no connection (R37). */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Nobody knows (R52). */
  | { readonly kind: 'unknown' };

export const firstWordOf = (observations: readonly WireObservation[]): FirstWord => {
  for (const seen of observations) {
    if (seen.type === 'MessageObserved') return { kind: 'taken', ...contextOf(seen) };
    if ('via' in seen) return { kind: 'taken', serverTaskId: seen.serverTaskId, ...contextOf(seen) };
  }
  const exchange = observations.find((seen) => seen.type === 'ExchangeObserved');
  if (exchange === undefined) return { kind: 'unknown' };
  return isNoConnection(exchange) || isRefused(exchange)
    ? { kind: 'refused', reason: describeExchange(exchange) }
    : { kind: 'unknown' };
};

const contextOf = ({ contextId }: { readonly contextId?: string }): { readonly contextId?: string } =>
  contextId === undefined ? {} : { contextId };

/** Nobody listened, or nobody was called, so nobody took anything. A connection that broke later proves nothing. */
const isNoConnection = ({ httpStatus, error }: ExchangeObserved): boolean =>
  httpStatus === 0 && (error === 'refused' || error === 'egress-refused');

export const describeExchange = ({ httpStatus, rpcErrorCode, reason, error }: ExchangeObserved): string =>
  httpStatus === 0
    ? `no answer (${error ?? 'unknown'})`
    : [`HTTP ${httpStatus}`, rpcErrorCode, reason, error].filter((word) => word !== undefined).join(' ');

/** The fact that the redispatch went out. Written before the states that came with it: they are its attempt's (R34). */
export const dispatchObserved = (
  command: RedispatchTask,
  { skillId }: TaskInput,
  record: UnitRecord,
  word: { readonly serverTaskId?: string; readonly contextId?: string },
): DispatchObserved => ({
  type: 'DispatchObserved',
  ...unitOf(command),
  agentId: command.agentId,
  by: 'holdfast',
  commandId: command.commandId,
  messageId: command.messageId,
  ...((skillId ?? record.skillId) === undefined ? {} : { skillId: skillId ?? record.skillId ?? '' }),
  ...(word.serverTaskId === undefined ? {} : { serverTaskId: word.serverTaskId }),
  ...(word.contextId === undefined ? {} : { contextId: word.contextId }),
  acceptedOutputModes: record.acceptedOutputModes,
  inputKept: true,
  continues: record.continues,
});

export const dispatchFailed = (command: RedispatchTask, reason: string): DispatchFailed => ({
  type: 'DispatchFailed',
  ...unitOf(command),
  agentId: command.agentId,
  commandId: command.commandId,
  reason,
});

/** The unit that a command is about. */
export const unitOf = ({
  tenant,
  correlationId,
}: {
  readonly tenant?: string;
  readonly correlationId: string;
}): { readonly tenant?: string; readonly correlationId: string } => ({
  ...(tenant === undefined ? {} : { tenant }),
  correlationId,
});
