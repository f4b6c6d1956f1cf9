import type { Protocol, RequestDefinition } from '../kafkajs-internals.js';

/** What a principal was not allowed to do, in Kafka's own words. */
export type Refusal = {
  readonly operation: string;
  readonly resource: 'Topic' | 'Group' | 'TransactionalId' | 'Cluster';
  readonly name: string;
};

/** The operation that a request needs on each kind of resource it names. */
type Needs = { readonly topic?: string; readonly group?: string; readonly transactionalId?: string };

/** By kafkajs's names of requests. Fetch is not among them: its answers are decoded by `fetch-protocol.ts`. */
const NEEDS: Readonly<Record<string, Needs>> = {
  Metadata: { topic: 'Describe' },
  ListOffsets: { topic: 'Describe' },
  Produce: { topic: 'Write', transactionalId: 'Write' },
  GroupCoordinator: { group: 'Describe', transactionalId: 'Describe' },
  JoinGroup: { group: 'Read' },
  SyncGroup: { group: 'Read' },
  Heartbeat: { group: 'Read' },
  OffsetFetch: { topic: 'Describe', group: 'Describe' },
  InitProducerId: { transactionalId: 'Write' },
  AddPartitionsToTxn: { topic: 'Write', transactionalId: 'Write' },
  AddOffsetsToTxn: { group: 'Read', transactionalId: 'Write' },
  TxnOffsetCommit: { topic: 'Read', group: 'Read', transactionalId: 'Write' },
  EndTxn: { transactionalId: 'Write' },
  DescribeConfigs: { topic: 'DescribeConfigs' },
  CreateTopics: { topic: 'Create' },
  DeleteTopics: { topic: 'Delete' },
};

const TOPIC_REFUSED = 29;
const GROUP_REFUSED = 'GROUP_AUTHORIZATION_FAILED';
const TRANSACTIONAL_ID_REFUSED = 'TRANSACTIONAL_ID_AUTHORIZATION_FAILED';
const CLUSTER_REFUSED = 'CLUSTER_AUTHORIZATION_FAILED';

type Asked = { readonly groupId?: string; readonly transactionalId?: string };
type Table = Record<string, RequestDefinition<Asked>>;

/**
 * The broker says of each topic whether it was refused; kafkajs throws the first code it finds and forgets what it was
 * about. Here its errors carry the names.
 */
export function correctRefusals(require: NodeJS.Require): void {
  const { requests } = require('kafkajs/src/protocol/requests') as { requests: Table };
  for (const [api, needs] of Object.entries(NEEDS)) {
    const original = requests[api];
    if (original === undefined) throw new Error(`kafkajs has no request ${api}`);
    requests[api] = {
      versions: original.versions,
      protocol: (version) => {
        const protocol = original.protocol(version);
        return (asked) => naming(protocol(asked), needs, asked);
      },
    };
  }
}

function naming(stock: Protocol<unknown>, needs: Needs, asked: Asked): Protocol<unknown> {
  const { decode, parse } = stock.response;
  return {
    ...stock,
    response: {
      decode,
      parse: async (answer) => {
        try {
          return await parse(answer);
        } catch (error) {
          const refusals = [...topicRefusals(answer, needs), ...ownRefusals(error, needs, asked)];
          throw refusals.length === 0 ? error : Object.assign(error as Error, { refusals });
        }
      },
    },
  };
}

/** What an error of kafkajs says was refused, dug out from under its wrappers; empty: it is about something else. */
export function refusalsOf(error: unknown): readonly Refusal[] {
  for (let at = error, depth = 0; depth < 8 && typeof at === 'object' && at !== null; depth += 1) {
    const { cause, refusals } = at as { cause?: unknown; refusals?: readonly Refusal[] };
    if (refusals !== undefined) return refusals;
    at = cause;
  }
  return [];
}

/** Refused topics of an answer, whatever its layout: a code stands beside the name of its topic, or below it. */
function topicRefusals(answer: unknown, { topic: operation }: Needs): readonly Refusal[] {
  if (operation === undefined) return [];
  const names = new Set<string>();
  const visit = (node: unknown, above: string | undefined): void => {
    if (typeof node !== 'object' || node === null) return;
    if (Array.isArray(node)) {
      for (const item of node) visit(item, above);
      return;
    }
    const fields = node as Readonly<Record<string, unknown>>;
    const named = fields.topic ?? fields.topicName ?? fields.resourceName;
    const name = typeof named === 'string' ? named : above;
    if (name !== undefined && (fields.errorCode ?? fields.topicErrorCode) === TOPIC_REFUSED) names.add(name);
    for (const child of Object.values(fields)) visit(child, name);
  };
  visit(answer, undefined);
  return [...names].map((name) => ({ operation, resource: 'Topic', name }));
}

/** Groups and transactional IDs are named in the request only. */
function ownRefusals(error: unknown, needs: Needs, { groupId, transactionalId }: Asked): readonly Refusal[] {
  const { type } = error as { readonly type?: unknown };
  if (type === GROUP_REFUSED && needs.group !== undefined && groupId !== undefined)
    return [{ operation: needs.group, resource: 'Group', name: groupId }];
  // FindCoordinator asks for a transactional ID under the name of a group.
  const locked = transactionalId ?? groupId;
  if (type === TRANSACTIONAL_ID_REFUSED && needs.transactionalId !== undefined && locked !== undefined)
    return [{ operation: needs.transactionalId, resource: 'TransactionalId', name: locked }];
  // An idempotent producer that may write no topic at all is refused its producer ID.
  if (type === CLUSTER_REFUSED) return [{ operation: 'IdempotentWrite', resource: 'Cluster', name: 'kafka-cluster' }];
  return [];
}
