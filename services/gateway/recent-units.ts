import type { Coordinates } from '../../topology/kit/coordinates.js';
import { recordKey } from '../../topology/kit/record-key.js';
import type { Observation } from '../../topology/observation.js';
import { boundIndex, contextIndex } from './ledger-index.js';

/** A unit that this gateway has just written about. */
export type RecentUnit = {
  readonly key: string;
  readonly tenant?: string;
  readonly correlationId: string;
  readonly principal?: string;
  /** The first server task ID and context ID that were seen for it here. */
  readonly taskId?: string;
  readonly contextId?: string;
  /** The first message that was sent for it here, and to whom. */
  readonly sent?: SentTo;
};

export type SentTo = { readonly agentId: string; readonly messageId: string };

type Kept = { unit: RecentUnit; readonly names: Set<string>; place: Coordinates };

/** Units at most; beyond, the oldest are given up. Reached only while the ledger stands still. */
const KEPT = 50_000;

/**
 * What this gateway itself wrote and the materialised ledger has not caught up with: a client asks for its task before the
 * ledger has decided anything. What the ledger has decided is forgotten here.
 */
export class RecentUnits {
  readonly #units = new Map<string, Kept>();
  readonly #tasks = new Map<string, string>();
  readonly #contexts = new Map<string, string>();

  byKey(key: string): RecentUnit | undefined {
    return this.#units.get(key)?.unit;
  }

  byTask(agentId: string, tenant: string | undefined, serverTaskId: string): RecentUnit | undefined {
    return this.#found(this.#tasks.get(boundIndex(agentId, tenant, serverTaskId)));
  }

  byContext(tenant: string | undefined, contextId: string): RecentUnit | undefined {
    return this.#found(this.#contexts.get(contextIndex(tenant, contextId)));
  }

  /** Takes note of what was written, and where it lies. */
  wrote(observations: readonly Observation[], places: readonly Coordinates[]): void {
    for (const [index, observation] of observations.entries()) {
      const place = places[index];
      if (place !== undefined) this.#note(observation, place);
    }
    for (const key of this.#units.keys()) {
      if (this.#units.size <= KEPT) break;
      this.#forget(key);
    }
  }

  /** The ledger has decided everything before this offset of the partition. */
  decided(partition: number, before: bigint): void {
    for (const [key, { place }] of this.#units)
      if (place.partition === partition && place.offset < before) this.#forget(key);
  }

  #note(observation: Observation, place: Coordinates): void {
    const { correlationId, tenant } = observation;
    const key = recordKey(tenant, correlationId);
    const kept = this.#units.get(key) ?? {
      unit: { key, correlationId, ...(tenant === undefined ? {} : { tenant }) },
      names: new Set<string>(),
      place,
    };
    this.#units.set(key, kept);
    kept.place = place;
    const { agentId, contextId, principal, serverTaskId } = namesIn(observation);
    const sent = sentIn(observation);
    kept.unit = {
      ...(principal === undefined ? {} : { principal }),
      ...(serverTaskId === undefined ? {} : { taskId: serverTaskId }),
      ...(contextId === undefined ? {} : { contextId }),
      ...(sent === undefined ? {} : { sent }),
      // What was known first stays.
      ...kept.unit,
    };
    if (serverTaskId !== undefined) this.#name(this.#tasks, boundIndex(agentId, tenant, serverTaskId), key, kept);
    if (contextId !== undefined) this.#name(this.#contexts, contextIndex(tenant, contextId), key, kept);
  }

  #name(names: Map<string, string>, name: string, key: string, kept: Kept): void {
    // An ID belongs to the unit that had it first (R54).
    if (names.has(name)) return;
    names.set(name, key);
    kept.names.add(name);
  }

  #found(key: string | undefined): RecentUnit | undefined {
    return key === undefined ? undefined : this.byKey(key);
  }

  #forget(key: string): void {
    for (const name of this.#units.get(key)?.names ?? []) {
      this.#tasks.delete(name);
      this.#contexts.delete(name);
    }
    this.#units.delete(key);
  }
}

type Names = {
  readonly agentId: string;
  readonly principal?: string;
  readonly serverTaskId?: string;
  readonly contextId?: string;
};

const sentIn = (observation: Observation): SentTo | undefined =>
  observation.type === 'DispatchObserved' && observation.messageId !== undefined
    ? { agentId: observation.agentId, messageId: observation.messageId }
    : undefined;

/** The names that an observation binds to its unit. An answer without a task binds none. */
const namesIn = (observation: Observation): Names => {
  switch (observation.type) {
    case 'DispatchObserved':
    case 'TaskStateObserved':
    case 'ArtifactObserved':
    case 'MessageObserved':
      return observation;
    default:
      return { agentId: '' };
  }
};
