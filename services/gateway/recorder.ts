import type { WireObservation } from '../../topology/a2a/exchange.js';
import type { UnitOfWork } from '../../topology/a2a/word-observations.js';
import { isTaskNotFound } from '../../topology/a2a/not-found.js';
import type { Coordinates } from '../../topology/kit/coordinates.js';
import { recordKey } from '../../topology/kit/record-key.js';
import type { Observation } from '../../topology/observation.js';
import type { ArtifactDigests } from './artifact-digest.js';
import type { IdentityMap } from './identity-map.js';
import type { FactLog } from './ports.js';
import { WriteAheadError } from './refusal.js';

/** An observation as it was written, and where it lies. */
export type Recorded = { readonly observation: Observation; readonly place: Coordinates };

/** Writes what was observed, completed by what only the gateway knows, before anything is passed on. */
export class Recorder {
  readonly #log: FactLog;
  readonly #identity: IdentityMap;

  constructor(log: FactLog, identity: IdentityMap) {
    this.#log = log;
    this.#identity = identity;
  }

  /**
   * Writes what an agent's answer said: artifacts with their digests instead of their bodies (R23), words with the other
   * unit that their task is bound to (R54). @throws WriteAheadError
   */
  async heard(said: readonly WireObservation[], digests: ArtifactDigests): Promise<readonly Recorded[]> {
    const observations: Observation[] = [];
    for (const one of said) observations.push(await this.#completed(one, digests));
    return this.write(observations);
  }

  /** @throws WriteAheadError */
  async write(observations: readonly Observation[]): Promise<readonly Recorded[]> {
    if (observations.length === 0) return [];
    try {
      const places = await this.#log.observe(observations);
      this.#identity.recent.wrote(observations, places);
      return observations.flatMap((observation, index) => {
        const place = places[index];
        return place === undefined ? [] : [{ observation, place }];
      });
    } catch (error) {
      throw new WriteAheadError(error);
    }
  }

  async #completed(said: WireObservation, digests: ArtifactDigests): Promise<Observation> {
    const observation = 'content' in said ? digests.take(said) : said;
    if (observation.type !== 'TaskStateObserved' && observation.type !== 'ArtifactObserved') return observation;
    const { agentId, correlationId, serverTaskId, tenant } = observation;
    const boundTo = await this.#identity.boundTo(agentId, tenant, serverTaskId, recordKey(tenant, correlationId));
    return boundTo === undefined ? observation : { ...observation, boundTo };
  }
}

/** Where the agent's TaskNotFound was written, if there is one (R25). */
export const lossIn = (recorded: readonly Recorded[]): Coordinates | undefined =>
  recorded.find(({ observation }) => observation.type === 'ExchangeObserved' && isTaskNotFound(observation))?.place;

/** What was said, about the unit that it belongs to: where that was guessed, a task that names its own unit tells (R50). */
export const ofUnit = (
  said: readonly WireObservation[],
  { guessed, unit }: { readonly guessed?: boolean; readonly unit: UnitOfWork },
): readonly WireObservation[] => {
  const named = guessed === true ? unitNamedIn(said, unit) : unit;
  return named === unit ? said : said.map((one) => ({ ...one, ...named }));
};

/** The unit that a task names in its lifecycle metadata; without a word of it the one that was taken for it. */
export const unitNamedIn = (said: readonly WireObservation[], unit: UnitOfWork): UnitOfWork => {
  for (const one of said)
    if (
      (one.type === 'TaskStateObserved' || one.type === 'ArtifactObserved') &&
      one.metadataCorrelationId !== undefined
    )
      return { ...unit, correlationId: one.metadataCorrelationId };
  return unit;
};
