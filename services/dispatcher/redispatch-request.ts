import type { AgentEndpoint } from '../../infra/http/agent-endpoint.js';
import { isObject, own, parseJson } from '../../topology/a2a/json.js';
import { LIFECYCLE_EXTENSION } from '../../topology/a2a/lifecycle.js';
import type { TaskInput } from '../../topology/topics.js';
import type { UnitRecord } from '../../topology/task/unit.js';
import type { RedispatchTask } from './plan-redispatch.js';

/** A JSON-RPC envelope, and the context it names. */
export type Envelope = {
  readonly body: Readonly<Record<string, unknown>>;
  readonly contextId?: string;
};

/**
 * The original request as attempt `command.attempt` (R34): same parts, same configuration, another message ID.
 *
 * It names no task: that is the other attempt's. It names a context only where the client had made a new one of its own
 * for this unit (the record does not `continue`): the client will look for it, and an unknown outcome can be searched by
 * it (R52). A context that an agent made, or that went on from earlier work, means nothing to another agent, and one of
 * our own making might be refused by agents that make theirs; so without the client's there is none, and the search is
 * replaced by the send deadline. `undefined`: the kept input is no request.
 */
export const redispatchRequest = (
  command: RedispatchTask,
  input: TaskInput,
  record: UnitRecord,
  endpoint: AgentEndpoint,
): Envelope | undefined => {
  const kept = parseJson(input.request);
  const original = own(kept, 'message');
  if (!isObject(kept) || !isObject(original) || !Array.isArray(original.parts)) return undefined;
  const { taskId: _, contextId, referenceTaskIds: __, metadata, extensions, ...message } = original;
  const context = !record.continues && typeof contextId === 'string' && contextId !== '' ? { contextId } : {};
  const skillId = input.skillId ?? record.skillId;
  const lifecycle = own(metadata, LIFECYCLE_EXTENSION);
  const { tenant: ____, configuration, ...params } = kept;
  const tenant = endpoint.tenant ?? record.tenant;
  return {
    ...context,
    body: {
      jsonrpc: '2.0',
      id: command.commandId,
      method: endpoint.streaming ? 'SendStreamingMessage' : 'SendMessage',
      params: {
        ...params,
        ...(tenant === undefined ? {} : { tenant }),
        message: {
          ...message,
          ...context,
          messageId: command.messageId,
          metadata: {
            ...(isObject(metadata) ? metadata : {}),
            [LIFECYCLE_EXTENSION]: {
              ...(isObject(lifecycle) ? lifecycle : {}),
              correlationId: record.correlationId,
              attempt: command.attempt,
              ...(skillId === undefined ? {} : { skillId }),
            },
          },
          ...withExtension(extensions, endpoint),
        },
        // A blocking answer would hide everything until the task stops, and a stream is not blocked by it.
        configuration: {
          ...(isObject(configuration) ? configuration : {}),
          ...(endpoint.streaming ? {} : { returnImmediately: true }),
        },
      },
    },
  };
};

/** The extension is named in a message to an agent that declares it; others may refuse what they do not know. */
const withExtension = (extensions: unknown, endpoint: AgentEndpoint): { readonly extensions?: readonly unknown[] } => {
  const named: readonly unknown[] = Array.isArray(extensions) ? extensions : [];
  const others = named.filter((uri) => uri !== LIFECYCLE_EXTENSION);
  const all = endpoint.extensions.includes(LIFECYCLE_EXTENSION) ? [...others, LIFECYCLE_EXTENSION] : others;
  return all.length === 0 ? {} : { extensions: all };
};

/** Headers of a request of Holdfast's own: its identity (R25), and the extension where the agent declares it. */
export const requestHeaders = (
  endpoint: AgentEndpoint,
  identity: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> => ({
  ...identity,
  ...(endpoint.extensions.includes(LIFECYCLE_EXTENSION) ? { 'a2a-extensions': LIFECYCLE_EXTENSION } : {}),
});
