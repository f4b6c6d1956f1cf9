import { recordKey } from '../../topology/kit/record-key.js';
import type { LedgerEntry } from '../../topology/ledger-records.js';
import type { UnitOfWork } from '../../topology/a2a/word-observations.js';
import { boundIndex, contextIndex, publicIndex } from './ledger-index.js';
import type { LedgerProgress } from './ledger-progress.js';
import type { LedgerTable } from './ports.js';
import { RecentUnits, type SentTo } from './recent-units.js';
import { publicNamesOf, type PublicNames } from './unit-target.js';

/** A unit as the gateway knows it: the ledger's entry, or only what was written here a moment ago. */
export type KnownUnit = {
  readonly key: string;
  readonly unit: UnitOfWork;
  readonly entry?: LedgerEntry;
  readonly names: PublicNames;
  /** Whom it belongs to; absent: nobody known. */
  readonly principal?: string;
  /** Messages that were sent for it, and to whom. */
  readonly sent: readonly SentTo[];
};

/** Which unit an ID belongs to: the materialised ledger, and over it what this gateway just wrote (R54). */
export class IdentityMap {
  readonly recent = new RecentUnits();
  readonly #ledger: LedgerTable;

  constructor(ledger: LedgerTable, progress: LedgerProgress) {
    this.#ledger = ledger;
    progress.onAdvance((partition, before) => {
      this.recent.decided(partition, before);
    });
  }

  /** The unit under a record key. */
  async unit({ tenant, correlationId }: UnitOfWork): Promise<KnownUnit | undefined> {
    return this.#known(recordKey(tenant, correlationId));
  }

  /**
   * The unit that a client means by a task ID at an agent: a server task of that agent, or the public ID of a unit that
   * was dispatched there. Agents that number their tasks make both possible at once: then whose it is tells.
   */
  async unitOfTask(
    agentId: string,
    tenant: string | undefined,
    taskId: string,
    principal: string | undefined,
  ): Promise<KnownUnit | undefined> {
    const keys = new Set([
      ...(await this.#ledger.find(boundIndex(agentId, tenant, taskId))),
      ...(await this.#ledger.find(publicIndex(agentId, tenant, taskId))),
      ...[this.recent.byTask(agentId, tenant, taskId)?.key].filter((key) => key !== undefined),
    ]);
    const units = (await Promise.all([...keys].map((key) => this.#known(key)))).filter((unit) => unit !== undefined);
    return units.find((unit) => mayAsk(unit, principal)) ?? units[0];
  }

  /** Record key of another unit that a server task is bound to (R54); `undefined`: none, or this one. */
  async boundTo(
    agentId: string,
    tenant: string | undefined,
    serverTaskId: string,
    ownKey: string,
  ): Promise<string | undefined> {
    const keys = await this.#ledger.find(boundIndex(agentId, tenant, serverTaskId));
    const bound = keys.length > 0 ? keys : [this.recent.byTask(agentId, tenant, serverTaskId)?.key ?? ownKey];
    return bound.includes(ownKey) ? undefined : bound[0];
  }

  /** Whether another unit used a context or was answered in it: a context of the client's own making is none (R34). */
  async isContextUsed(tenant: string | undefined, contextId: string, ownKey: string): Promise<boolean> {
    const keys = await this.#ledger.find(contextIndex(tenant, contextId));
    const recent = this.recent.byContext(tenant, contextId)?.key ?? ownKey;
    return [...keys, recent].some((key) => key !== ownKey);
  }

  async #known(key: string): Promise<KnownUnit | undefined> {
    const entry = await this.#ledger.get(key);
    const recent = this.recent.byKey(key);
    const known = entry ?? recent;
    if (known === undefined) return undefined;
    const names = { ...recent, ...(entry === undefined ? {} : publicNamesOf(entry)) };
    return {
      key,
      unit: {
        correlationId: known.correlationId,
        ...(known.tenant === undefined ? {} : { tenant: known.tenant }),
      },
      names: {
        ...(names.taskId === undefined ? {} : { taskId: names.taskId }),
        ...(names.contextId === undefined ? {} : { contextId: names.contextId }),
      },
      ...(entry === undefined ? {} : { entry }),
      ...(known.principal === undefined ? {} : { principal: known.principal }),
      sent: [
        ...(recent?.sent === undefined ? [] : [recent.sent]),
        ...(entry?.attempts ?? []).flatMap(({ agentId, messageIds }) =>
          messageIds.map((messageId) => ({ agentId, messageId })),
        ),
      ],
    };
  }
}

/** The unit's own principal, or anybody where it has none: nobody else is told what only Holdfast could ask (R25). */
export const mayAsk = (unit: KnownUnit, principal: string | undefined): boolean =>
  unit.principal === undefined || unit.principal === principal;
