import { isInternalKey } from '../../topology/kit/record-key.js';
import type { LedgerEntry } from '../../topology/ledger-records.js';

/** The names under which the gateway finds units in the materialised ledger. JSON lists, so that no two run together. */

/** A server task of an agent and tenant belongs to one unit (R54). */
export const boundIndex = (agentId: string, tenant: string | undefined, serverTaskId: string): string =>
  JSON.stringify(['bound', agentId, tenant ?? '', serverTaskId]);

/** The unit's public task ID, at each agent where the client dispatched the unit itself. */
export const publicIndex = (agentId: string, tenant: string | undefined, taskId: string): string =>
  JSON.stringify(['public', agentId, tenant ?? '', taskId]);

/** A conversation that the unit used or was answered in (R34). */
export const contextIndex = (tenant: string | undefined, contextId: string): string =>
  JSON.stringify(['context', tenant ?? '', contextId]);

/** All names of an entry. */
export const indexesOfEntry = (key: string, entry: LedgerEntry): readonly string[] => {
  if (isInternalKey(key)) return [];
  const { attempts, serverTasks, tenant } = entry;
  const [first] = serverTasks;
  const askedAt = first === undefined ? [] : attempts.filter(({ by }) => by !== 'holdfast');
  return [
    ...new Set([
      ...serverTasks.map(({ agentId, id }) => boundIndex(agentId, tenant, id)),
      ...askedAt.map(({ agentId }) => publicIndex(agentId, tenant, first?.id ?? '')),
      ...[...attempts, ...serverTasks].flatMap(({ contextId }) =>
        contextId === undefined ? [] : [contextIndex(tenant, contextId)],
      ),
    ]),
  ];
};
