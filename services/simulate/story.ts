import type { Policy, Recovery } from '../../topology/policy.js';
import type { Asker, Binding, PartObserved, Via } from '../../topology/observation.js';

/**
 * The story format: an incident written down, and optionally what must be concluded from it. Times and durations in ms;
 * `at` is the pipeline's own clock. Validated against `STORY_SCHEMA` before anything runs.
 */
export type Story = {
  readonly id: string;
  readonly title: string;
  readonly given: Given;
  readonly when: readonly StoryEvent[];
  readonly then?: Conclusion;
};

export type StoryCard = {
  readonly states?: readonly string[];
  readonly defaultOutputModes?: readonly string[];
  readonly skills?: readonly { readonly id: string; readonly outputModes?: readonly string[] }[];
  readonly version?: string;
  readonly etag?: string;
};

export type StoryAgent = {
  readonly id: string;
  readonly card: StoryCard;
  readonly verified?: {
    readonly states: readonly string[];
    readonly modes: readonly string[];
    readonly durable?: boolean;
  };
  readonly ttlMs?: number;
  readonly provider?: string;
  readonly persistence?: string;
  readonly configuredStates?: readonly string[];
  readonly defaultSkill?: string;
  readonly tenants?: readonly string[];
  readonly serviceIdentity?: boolean;
};

/** The names of the configuration, durations with `Ms` behind. Those that no decision depends on are accepted and unused. */
export type StoryPolicy = Partial<Omit<Policy, 'reexaminePerSecond' | 'recovery' | 'assume'>> & {
  readonly assume?: readonly string[];
  readonly recovery?: Recovery;
  readonly reexamine?: number;
  readonly cardTtlMs?: number;
  readonly verificationTtlMs?: number;
};

export type DispatchFields = {
  readonly correlationId: string;
  readonly agentId: string;
  readonly skillId?: string;
  readonly messageId?: string;
  readonly contextId?: string;
  readonly tenant?: string;
  readonly principal?: string;
  readonly acceptedOutputModes?: readonly string[];
  readonly inputKept?: boolean;
  readonly continues?: boolean;
};

export type Given = {
  readonly agents: readonly StoryAgent[];
  readonly policy?: StoryPolicy;
  readonly dispatches?: readonly (DispatchFields & { readonly at: number })[];
  readonly recordLimitBytes?: number;
};

export type Source = { readonly topic: string; readonly partition: number; readonly offset: number };

type Common = {
  readonly seq: number;
  readonly at: number;
  readonly source?: Source;
  readonly eventId?: string;
  readonly producer?: string;
  readonly tenant?: string;
  readonly misrouted?: boolean;
};
type OfUnit = { readonly correlationId: string };
type Spoken = OfUnit & {
  readonly agentId: string;
  readonly serverTaskId: string;
  readonly contextId?: string;
  readonly metadataCorrelationId?: string;
};

export type StoryEvent = Common &
  (
    | (Spoken & {
        readonly type: 'task-state';
        readonly state?: string;
        readonly via: Via;
        readonly statusTimestamp?: number;
        readonly messageId?: string;
        readonly lifecycleReason?: string;
      })
    | (Spoken & {
        readonly type: 'artifact';
        readonly artifactId: string;
        readonly append: boolean;
        readonly lastChunk: boolean;
        readonly parts: readonly PartObserved[];
        readonly digest?: string;
        readonly assembled?: string;
        readonly via?: Via;
      })
    | (OfUnit & {
        readonly type: 'message';
        readonly agentId: string;
        readonly messageId?: string;
        readonly contextId?: string;
      })
    | (OfUnit & {
        readonly type: 'task-not-found';
        readonly agentId: string;
        readonly serverTaskId: string;
        readonly principal?: string;
        readonly by?: Asker;
        readonly replica?: string;
      })
    | (DispatchFields & { readonly type: 'dispatch'; readonly by?: Asker; readonly serverTaskId?: string })
    | (OfUnit & { readonly type: 'dispatch-failed'; readonly agentId: string; readonly reason?: string })
    | (OfUnit & { readonly type: 'client-cancel'; readonly principal?: string })
    | (OfUnit & {
        readonly type: 'operator';
        readonly action: 'approve' | 'void' | 'redispatch' | 'resolve';
        readonly actor?: string;
        readonly reason?: string;
        readonly agentId?: string;
        readonly state?: string;
      })
    | {
        readonly type: 'capability';
        readonly agentId: string;
        readonly states: readonly string[];
        readonly modes: readonly string[];
        readonly durable?: boolean;
      }
    | (StoryCard & {
        readonly type: 'card';
        readonly agentId: string;
        readonly httpStatus: number;
        readonly maxAgeMs?: number;
        readonly body?: unknown;
        readonly signatureValid?: boolean;
      })
    | { readonly type: 'agent-removed'; readonly agentId: string }
    | { readonly type: 'gap'; readonly agentIds: readonly string[]; readonly from: number; readonly to: number }
    | { readonly type: 'clock' }
    | ({ readonly type: 'raw' } & RawEvent)
  );

type RawEvent =
  | (OfUnit & {
      readonly kind: 'http-exchange';
      readonly agentId: string;
      readonly serverTaskId?: string;
      readonly binding: Binding;
      readonly method?: string;
      readonly httpStatus: number;
      readonly contentType?: string;
      readonly rpcErrorCode?: number;
      readonly reason?: string;
      readonly error?: string;
      readonly found?: number;
      readonly principal?: string;
      readonly by?: Asker;
    })
  | (OfUnit & {
      readonly kind: 'stream-closed';
      readonly agentId: string;
      readonly serverTaskId?: string;
      readonly clean?: boolean;
    })
  | { readonly kind: 'orchestrator-restart' | 'consumer-restart' }
  | { readonly kind: 'tombstone'; readonly key: string }
  | { readonly kind: 'bytes'; readonly base64: string };

/** What was or must be concluded. As an expectation only what it names is compared. */
export type Conclusion = {
  readonly verdicts?: readonly { readonly seq: number; readonly verdict: string; readonly code?: string }[];
  readonly violations?: readonly { readonly seq: number; readonly correlationId: string; readonly code: string }[];
  readonly contractErrors?: readonly {
    readonly seq: number;
    readonly correlationId: string;
    readonly code: string;
    readonly requiredState?: string;
  }[];
  readonly quarantined?: number;
  readonly commands?: readonly StoryCommand[];
  readonly ledger?: Readonly<Record<string, StoryUnit | null>>;
};

export type StoryCommand = {
  readonly after: number;
  readonly type: string;
  readonly correlationId?: string;
  readonly agentId?: string;
  readonly serverTaskId?: string;
  readonly path?: string;
  readonly requiredState?: string;
  readonly toAnyOf?: readonly string[];
  readonly to?: string;
  readonly never?: readonly string[];
  readonly awaits?: string;
  readonly again?: boolean;
};

export type StoryUnit = {
  readonly state?: string | null;
  readonly lastValidState?: string | null;
  readonly serverTaskIds?: readonly string[];
  readonly artifacts?: Readonly<
    Record<string, { readonly chunks?: number; readonly attempt?: number; readonly late?: boolean }>
  >;
  readonly violations?: number;
  readonly redispatches?: number;
  readonly stalled?: boolean;
  readonly closed?: string | null;
};
