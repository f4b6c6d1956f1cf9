import { foldContracts, NO_CONTRACTS, contractOf, type Contracts } from '../../topology/agent/contracts.js';
import type { AgentRecord } from '../../topology/agent/agent-records.js';
import { judgeCard, type CardFetched } from '../../topology/agent/card.decider.js';
import { foldEvidence } from '../../topology/agent/evidence.decider.js';
import { formatCoordinates, type Coordinates } from '../../topology/kit/coordinates.js';
import { partitionOf } from '../../topology/kit/partition.js';
import { recordKey, utf8 } from '../../topology/kit/record-key.js';
import type { CommandRecord, LedgerEntry, Verdict, Violation } from '../../topology/ledger-records.js';
import type { Observation } from '../../topology/observation.js';
import { COMMANDS, EVIDENCE, VERDICTS, VIOLATIONS } from '../../topology/topics.js';
import type { Pipeline, PublishedRecord } from './pipeline.js';
import type { Story, StoryEvent } from './story.js';
import {
  configRecord,
  dispatchRecord,
  fetchedCard,
  givenCard,
  observationOf,
  policyRecord,
  verifiedRecord,
} from './story-records.js';

/** What a record of the ledger was written for: the event whose effect it is. */
export type Attributed<Value> = {
  readonly value: Value;
  readonly partition: number;
  /** The event of the story after which it was written. */
  readonly after: number;
  /** It was due before that event and not because of it: the event before may claim it as well. */
  readonly early: boolean;
};

export type UnitNamed = { readonly tenant?: string; readonly correlationId: string };

/** Everything that a story led to, in order. */
export type Outcome = {
  /** By event number: the word for it. */
  readonly verdicts: ReadonlyMap<number, { readonly verdict: string; readonly code?: string }>;
  readonly decided: readonly Attributed<Verdict>[];
  readonly violations: readonly Attributed<Violation>[];
  readonly commands: readonly Attributed<CommandRecord>[];
  /** Event number of each observation, by coordinates; re-published copies included. */
  readonly seqOf: ReadonlyMap<string, number>;
  /** Units that the story names, whether or not a record of them is left. */
  readonly units: readonly UnitNamed[];
  readonly ledger: ReadonlyMap<string, LedgerEntry>;
};

/**
 * Runs one story through a pipeline. The simulator plays everybody but the ledger: observers, gateway (which knows to
 * which unit a server task ID belongs), verifier (cards, evidence) and dispatcher (misrouted records), one event at a time.
 */
export class Simulator {
  readonly #pipeline: Pipeline;
  readonly #story: Story;
  #contracts: Contracts = NO_CONTRACTS;
  readonly #bodies = new Map<string, CardFetched['body']>();
  /** Where a named record lies; `undefined`: on the agents topic, or nowhere. */
  readonly #places = new Map<string, Coordinates | undefined>();
  readonly #seqOf = new Map<string, number>();
  readonly #copies = new Set<string>();
  readonly #words = new Map<number, { verdict: string; code?: string }>();
  readonly #decided: Attributed<Verdict>[] = [];
  readonly #violations: Attributed<Violation>[] = [];
  readonly #commands: Attributed<CommandRecord>[] = [];
  readonly #boundTo = new Map<string, string>();

  constructor(story: Story, pipeline: Pipeline) {
    this.#story = story;
    this.#pipeline = pipeline;
  }

  async run(): Promise<Outcome> {
    await this.#setUp();
    const dispatches = [...(this.#story.given.dispatches ?? [])].sort((a, b) => a.at - b.at);
    for (const event of this.#story.when) {
      for (let next = dispatches[0]; next !== undefined && next.at <= event.at; next = dispatches[0]) {
        dispatches.shift();
        await this.#dispatch(next);
      }
      await this.#pipeline.advance(event.at);
      await this.#collect(event.seq, event.type !== 'clock');
      const word = await this.#happen(event);
      await this.#collect(event.seq, false);
      if (word !== undefined) this.#words.set(event.seq, word);
    }
    for (const sent of dispatches) await this.#dispatch(sent);
    await this.#collect(this.#story.when.length, false);
    return {
      verdicts: this.#words,
      decided: this.#decided,
      violations: this.#violations,
      commands: this.#commands,
      seqOf: this.#seqOf,
      units: unitsIn(this.#story),
      ledger: await this.#pipeline.ledger(),
    };
  }

  #dispatch({ at, ...sent }: NonNullable<Story['given']['dispatches']>[number]): Promise<undefined> {
    return this.#publish(dispatchRecord(sent), at, {});
  }

  async #setUp(): Promise<void> {
    const { given } = this.#story;
    await this.#publishAgent(policyRecord(given), 0);
    for (const agent of given.agents) {
      await this.#publishAgent(configRecord(agent), 0);
      await this.#judgeCard(givenCard(agent, given.policy), 0);
      if (agent.verified !== undefined) await this.#verify(agent.id, agent.verified, 0);
    }
  }

  async #verify(
    agentId: string,
    verified: Parameters<typeof verifiedRecord>[1],
    at: number,
  ): Promise<{ verdict: string }> {
    const card = contractOf(this.#contracts, agentId).card?.hash;
    await this.#publishAgent(verifiedRecord(agentId, verified, at, this.#story.given.policy, card), at);
    return { verdict: 'accepted' };
  }

  async #judgeCard(fetched: CardFetched, at: number): Promise<{ verdict: string }> {
    const { verdict, record } = judgeCard(contractOf(this.#contracts, fetched.agentId), fetched);
    if (verdict === 'accepted') this.#bodies.set(fetched.agentId, fetched.body);
    if (record !== undefined) await this.#publishAgent(record, at);
    return { verdict };
  }

  async #publishAgent(record: AgentRecord, at: number): Promise<void> {
    const { offset } = await this.#pipeline.publishAgent(record, at);
    this.#contracts = foldContracts(this.#contracts, record, offset, at);
  }

  /** What happens in one event; the word for it where no verdict is written for it. */
  async #happen(event: StoryEvent): Promise<{ verdict: string; code?: string } | undefined> {
    const { at } = event;
    const source = event.source && sourceName(event.source);
    if (source !== undefined && this.#places.has(source)) {
      const place = this.#places.get(source);
      if (place !== undefined) await this.#pipeline.redeliver(place);
      return { verdict: 'idempotent' };
    }
    if (source !== undefined) this.#places.set(source, undefined);
    switch (event.type) {
      case 'clock':
        return { verdict: 'ignored' };
      case 'capability':
        return this.#verify(event.agentId, event, at);
      case 'card':
        return this.#judgeCard(fetchedCard(event, this.#story.given.policy, this.#bodies.get(event.agentId)), at);
      case 'agent-removed':
        await this.#publishAgent({ type: 'AgentRemoved', agentId: event.agentId }, at);
        return { verdict: 'accepted' };
      case 'gap': {
        const { agentIds, from, to } = event;
        await this.#publishAgent({ type: 'GapObserved', agentIds, from, to }, at);
        return { verdict: 'accepted' };
      }
      case 'raw':
        return this.#happenRaw(event);
      default:
        return this.#observe(event);
    }
  }

  async #happenRaw(event: StoryEvent & { readonly type: 'raw' }): Promise<{ verdict: string } | undefined> {
    switch (event.kind) {
      case 'consumer-restart':
        await this.#pipeline.restart();
        return { verdict: 'ignored' };
      case 'orchestrator-restart':
        return { verdict: 'ignored' };
      case 'tombstone':
        return this.#put(event, { key: recordKey(event.tenant, event.key), value: null, time: event.at });
      case 'bytes':
        return this.#put(event, { key: null, value: Buffer.from(event.base64, 'base64'), time: event.at });
      default:
        return this.#observe(event);
    }
  }

  async #observe(event: StoryEvent): Promise<undefined> {
    const observation = observationOf(event, this.#otherUnitOf(event));
    if (observation !== undefined) await this.#publish(observation, event.at, event, event.seq);
    return undefined;
  }

  /** The other unit that a server task ID of an agent and tenant belongs to, as the gateway's index knows it (R54). */
  #otherUnitOf(event: StoryEvent): string | undefined {
    if (!('correlationId' in event && 'agentId' in event && 'serverTaskId' in event)) return undefined;
    const unit = this.#boundTo.get(JSON.stringify([event.agentId, event.tenant ?? '', event.serverTaskId]));
    return unit === recordKey(event.tenant, event.correlationId) ? undefined : unit;
  }

  async #publish(observation: Observation, time: number, event: Partial<StoryEvent>, seq?: number): Promise<undefined> {
    const key = recordKey(observation.tenant, observation.correlationId);
    await this.#put({ ...event, ...(seq === undefined ? {} : { seq }) }, { key, value: observation, time });
    return undefined;
  }

  async #put(event: Partial<StoryEvent>, record: PublishedRecord): Promise<undefined> {
    const { partitions } = this.#pipeline;
    const identity = event.eventId === undefined ? {} : { event: { source: event.producer ?? '', id: event.eventId } };
    const home = record.key === null ? 0 : partitionOf(utf8(record.key), partitions);
    const astray = event.misrouted === true ? { partition: (home + 1) % partitions } : {};
    const coordinates = await this.#pipeline.publish({ ...record, ...identity, ...astray });
    if (event.source !== undefined) this.#places.set(sourceName(event.source), coordinates);
    if (event.seq !== undefined) this.#seqOf.set(formatCoordinates(coordinates), event.seq);
    if (event.misrouted === true) {
      // As the dispatcher does: once, with the same event ID, into the right partition (R58).
      const copy = await this.#pipeline.publish({ ...record, ...identity });
      this.#copies.add(formatCoordinates(copy));
      if (event.seq !== undefined) this.#seqOf.set(formatCoordinates(copy), event.seq);
    }
    return undefined;
  }

  /** Takes in what the ledger wrote, and folds evidence until nothing new follows. */
  async #collect(after: number, early: boolean): Promise<void> {
    for (;;) {
      for (const { value, coordinates } of await this.#pipeline.committed(VERDICTS)) {
        this.#decided.push({ value, partition: coordinates.partition, after, early });
        this.#giveWord(value);
      }
      for (const { value, coordinates } of await this.#pipeline.committed(VIOLATIONS))
        this.#violations.push({ value, partition: coordinates.partition, after, early });
      for (const { value, coordinates } of await this.#pipeline.committed(COMMANDS))
        this.#commands.push({ value, partition: coordinates.partition, after, early });
      const evidence = await this.#pipeline.committed(EVIDENCE);
      for (const { value } of evidence) {
        const folded = foldEvidence(contractOf(this.#contracts, value.agentId), value);
        if (folded !== undefined) await this.#publishAgent(folded, value.observedAt);
      }
      if (evidence.length === 0) break;
    }
    await this.#index();
  }

  /** The first verdict for an observation is its word; a deferred one keeps `deferred`, a misrouted one `quarantined`. */
  #giveWord({ cause, verdict, code }: Verdict): void {
    const place = cause && formatCoordinates(cause);
    const seq = place === undefined || this.#copies.has(place) ? undefined : this.#seqOf.get(place);
    if (seq === undefined || this.#words.has(seq)) return;
    this.#words.set(seq, { verdict, ...(code === undefined ? {} : { code }) });
  }

  async #index(): Promise<void> {
    this.#boundTo.clear();
    for (const [key, { tenant, serverTasks }] of await this.#pipeline.ledger())
      for (const { agentId, id } of serverTasks) {
        const task = JSON.stringify([agentId, tenant ?? '', id]);
        if (!this.#boundTo.has(task)) this.#boundTo.set(task, key);
      }
  }
}

const sourceName = ({ topic, partition, offset }: NonNullable<StoryEvent['source']>): string =>
  `${topic}/${partition}/${offset}`;

const unitsIn = ({ given, when }: Story): readonly UnitNamed[] => [
  ...(given.dispatches ?? []),
  ...when.flatMap((event) => ('correlationId' in event ? [event] : [])),
];
