import type { AgentConfigured, AgentVerified, PolicyChanged } from '../../topology/agent/agent-records.js';
import { readCard } from '../../topology/agent/card-terms.js';
import type { CardFetched } from '../../topology/agent/card.decider.js';
import { LIFECYCLE_EXTENSION } from '../../topology/a2a/lifecycle.js';
import { DEFAULT_CARD_TTL_MS, DEFAULT_POLICY, DEFAULT_VERIFICATION_TTL_MS } from '../../topology/policy.js';
import type { DispatchObserved, Observation } from '../../topology/observation.js';
import { readTaskState, type TaskState } from '../../topology/task/task-state.js';
import { cardHash } from '../../infra/http/card-hash.js';
import type { DispatchFields, Given, StoryAgent, StoryCard, StoryEvent, StoryPolicy } from './story.js';

/** Translates what a story says into the records that observers, verifier and operator would write. */

/** Copies the named fields that are there. */
const pick = <T extends object, K extends keyof T>(from: T, ...names: readonly K[]): Pick<T, K> =>
  Object.fromEntries(names.filter((name) => from[name] !== undefined).map((name) => [name, from[name]])) as Pick<T, K>;

/** In whichever official spelling a story has them (R1). */
const statesIn = (words: readonly string[]): readonly TaskState[] =>
  words.flatMap((word) => {
    const read = readTaskState(word);
    return read.kind === 'state' ? [read.state] : [];
  });

export const policyRecord = ({ policy = {}, agents }: Given): PolicyChanged => {
  const { reexamine, assume, cardTtlMs: _c, verificationTtlMs: _v, ...rest } = policy;
  const known = pick(
    { ...DEFAULT_POLICY, ...rest, ...(assume === undefined ? {} : { assume: statesIn(assume) }) },
    ...(Object.keys(DEFAULT_POLICY) as (keyof typeof DEFAULT_POLICY)[]),
  );
  return {
    type: 'PolicyChanged',
    version: 'story',
    policy: {
      ...known,
      recovery: policy.recovery ?? 'always',
      ...(reexamine === undefined ? {} : { reexaminePerSecond: reexamine }),
      // Without groups all agents are one.
      substitutionGroups: policy.substitutionGroups ?? [agents.map(({ id }) => id)],
    },
  };
};

export const configRecord = (agent: StoryAgent): AgentConfigured => ({
  type: 'AgentConfigured',
  agentId: agent.id,
  ...pick(agent, 'provider', 'tenants', 'defaultSkill'),
  ...(agent.configuredStates === undefined ? {} : { configuredStates: statesIn(agent.configuredStates) }),
  durable: agent.persistence === 'durable',
  serviceIdentity: agent.serviceIdentity === true,
});

/** An Agent Card with just what the story says of it. */
const cardBody = (agentId: string, card: StoryCard): Readonly<Record<string, unknown>> => ({
  name: agentId,
  ...pick(card, 'version', 'defaultOutputModes', 'skills'),
  ...(card.states === undefined
    ? {}
    : { capabilities: { extensions: [{ uri: LIFECYCLE_EXTENSION, params: { states: card.states } }] } }),
});

const bodyOf = (body: unknown): CardFetched['body'] => {
  const read = readCard(body);
  return read.kind === 'invalid' ? read : { ...read, hash: cardHash(body) };
};

const cardTtl = (policy: StoryPolicy | undefined): number => policy?.cardTtlMs ?? DEFAULT_CARD_TTL_MS;

export const givenCard = ({ id, card, ttlMs }: StoryAgent, policy: StoryPolicy | undefined): CardFetched => {
  const body = bodyOf(cardBody(id, card));
  return {
    agentId: id,
    httpStatus: 200,
    ...pick(card, 'etag'),
    expiresAt: ttlMs ?? cardTtl(policy),
    ...(body === undefined ? {} : { body }),
  };
};

/** A fetch that says nothing of the content shows `current`, the body in force. */
export const fetchedCard = (
  event: StoryEvent & { readonly type: 'card' },
  policy: StoryPolicy | undefined,
  current: CardFetched['body'],
): CardFetched => {
  const silent = event.body === undefined && !event.states && !event.defaultOutputModes && !event.skills;
  const good = event.httpStatus >= 200 && event.httpStatus < 300;
  const shown = silent ? current : bodyOf(event.body ?? cardBody(event.agentId, event));
  return {
    agentId: event.agentId,
    httpStatus: event.httpStatus,
    ...pick(event, 'etag', 'signatureValid'),
    expiresAt: event.at + (event.maxAgeMs ?? cardTtl(policy)),
    ...(good && shown !== undefined ? { body: shown } : {}),
  };
};

export const verifiedRecord = (
  agentId: string,
  { states, modes, durable }: NonNullable<StoryAgent['verified']>,
  at: number,
  policy: StoryPolicy | undefined,
  cardInForce: string | undefined,
): AgentVerified => ({
  type: 'AgentVerified',
  agentId,
  states: statesIn(states).map((state) => ({ state, basis: 'probed' })),
  refuted: [],
  modes,
  reobservable: true,
  ...(durable === undefined ? {} : { durable }),
  ...(cardInForce === undefined ? {} : { cardHash: cardInForce }),
  expiresAt: at + (policy?.verificationTtlMs ?? DEFAULT_VERIFICATION_TTL_MS),
});

export const dispatchRecord = (
  sent: DispatchFields & { readonly by?: 'client' | 'holdfast'; readonly serverTaskId?: string },
): DispatchObserved => ({
  type: 'DispatchObserved',
  ...pick(sent, 'correlationId', 'agentId', 'tenant', 'skillId', 'messageId', 'contextId', 'principal', 'serverTaskId'),
  ...pick(sent, 'acceptedOutputModes'),
  by: sent.by ?? 'client',
  inputKept: sent.inputKept ?? true,
  continues: sent.continues ?? false,
});

/** The observation that an event is; `undefined`: it is none. `boundTo`: the unit that its server task ID belongs to. */
export const observationOf = (event: StoryEvent, boundTo: string | undefined): Observation | undefined => {
  const bound = boundTo === undefined ? {} : { boundTo };
  switch (event.type) {
    case 'task-state':
      return {
        type: 'TaskStateObserved',
        ...pick(
          event,
          'tenant',
          'correlationId',
          'agentId',
          'serverTaskId',
          'contextId',
          'metadataCorrelationId',
          'via',
        ),
        ...pick(event, 'state', 'statusTimestamp', 'messageId', 'lifecycleReason'),
        ...bound,
      };
    case 'artifact':
      return {
        type: 'ArtifactObserved',
        ...pick(event, 'tenant', 'correlationId', 'agentId', 'serverTaskId', 'contextId', 'metadataCorrelationId'),
        ...pick(event, 'artifactId', 'append', 'lastChunk', 'parts', 'digest', 'assembled'),
        via: event.via ?? 'status-update',
        chunks: 1,
        ...bound,
      };
    case 'message':
      return {
        type: 'MessageObserved',
        ...pick(event, 'tenant', 'correlationId', 'agentId', 'messageId', 'contextId'),
      };
    case 'task-not-found':
      return {
        type: 'TaskNotFoundObserved',
        ...pick(event, 'tenant', 'correlationId', 'agentId', 'serverTaskId', 'principal'),
        method: 'GetTask',
        by: event.by ?? 'client',
      };
    case 'dispatch':
      return dispatchRecord(event);
    case 'dispatch-failed':
      return { type: 'DispatchFailed', ...pick(event, 'tenant', 'correlationId', 'agentId', 'reason') };
    case 'client-cancel':
      return { type: 'CancelRequested', ...pick(event, 'tenant', 'correlationId', 'principal') };
    case 'operator':
      return {
        type: 'OperatorDecided',
        ...pick(event, 'tenant', 'correlationId', 'action', 'actor', 'reason', 'agentId', 'state'),
      };
    case 'raw':
      return rawObservation(event);
    default:
      return undefined;
  }
};

const rawObservation = (event: StoryEvent & { readonly type: 'raw' }): Observation | undefined => {
  if (event.kind === 'http-exchange')
    return {
      type: 'ExchangeObserved',
      ...pick(event, 'tenant', 'correlationId', 'agentId', 'serverTaskId', 'binding', 'httpStatus', 'contentType'),
      ...pick(event, 'rpcErrorCode', 'reason', 'error', 'found', 'principal'),
      method: event.method ?? 'GetTask',
      by: event.by ?? 'client',
    };
  if (event.kind === 'stream-closed')
    return {
      type: 'StreamClosed',
      ...pick(event, 'tenant', 'correlationId', 'agentId', 'serverTaskId'),
      clean: event.clean ?? true,
    };
  return undefined;
};
