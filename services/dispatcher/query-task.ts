import type { WireObservation } from '../../topology/a2a/exchange.js';
import { recordKey } from '../../topology/kit/record-key.js';
import type { CommandRecord, LedgerEntry } from '../../topology/ledger-records.js';
import { attemptNumbered } from '../../topology/task/unit.js';
import { ArtifactDigests } from '../gateway/artifact-digest.js';
import { taskIndex } from '../mesh/mesh.js';
import type { TopicTable } from '../mesh/topic-table.js';
import type { AgentQuestions } from './agent-questions.js';
import { unitOf } from './first-word.js';
import type { ResultLog } from './result-log.js';

type Parts = {
  readonly questions: AgentQuestions;
  readonly results: ResultLog;
  readonly ledger: Pick<TopicTable<LedgerEntry>, 'get' | 'find'>;
};
type QueryTask = CommandRecord & { readonly type: 'QueryTask' };
type CancelSuperseded = CommandRecord & { readonly type: 'CancelSuperseded' };

/** Asks for a task, or searches for one by the context of its send (R32, R46, R52), and writes down the answer. */
export const executeQuery = async (parts: Parts, command: QueryTask, stop: AbortSignal): Promise<void> => {
  const { agentId, serverTaskId, contextId } = command;
  const unit = unitOf(command);
  const { questions, results } = parts;
  if (serverTaskId !== undefined) {
    const heard = await questions.ask({ method: 'GetTask', agentId, unit, about: serverTaskId }, stop);
    await results.write(heard, new ArtifactDigests(), stop);
  } else if (contextId !== undefined) {
    const heard = await questions.ask({ method: 'ListTasks', agentId, unit, about: contextId }, stop);
    await results.write(await withoutForeign(parts, command, heard), new ArtifactDigests(), stop);
  }
};

/**
 * A context is a conversation, not a unit of work: what it holds of other units is not ours to report, and is not found.
 * Another unit's is what says so itself, or is bound to another unit in the ledger.
 */
const withoutForeign = async (
  { ledger }: Parts,
  { tenant, correlationId, agentId }: QueryTask,
  heard: readonly WireObservation[],
): Promise<readonly WireObservation[]> => {
  const foreign = new Set<string>();
  for (const seen of heard) {
    if (!('via' in seen)) continue;
    const { serverTaskId, metadataCorrelationId } = seen;
    const owners = await ledger.find(taskIndex(agentId, tenant, serverTaskId));
    const isOthers = owners.length > 0 && !owners.includes(recordKey(tenant, correlationId));
    if (isOthers || (metadataCorrelationId ?? correlationId) !== correlationId) foreign.add(serverTaskId);
  }
  return heard
    .filter((seen) => !('via' in seen) || !foreign.has(seen.serverTaskId))
    .map((seen) =>
      seen.type === 'ExchangeObserved' && seen.found !== undefined
        ? { ...seen, found: Math.max(0, seen.found - foreign.size) }
        : seen,
    );
};

/** Tells an attempt that no longer counts to stop (R38), unless it has; its answer is an observation like any other. */
export const executeCancel = async (
  { questions, results, ledger }: Parts,
  command: CancelSuperseded,
  stop: AbortSignal,
): Promise<void> => {
  const { tenant, correlationId, agentId, serverTaskId } = command;
  const record = await ledger.get(recordKey(tenant, correlationId));
  const attempt = record && attemptNumbered(record, command.attempt);
  if (attempt !== undefined && attempt.ended !== null) return;
  const question = { method: 'CancelTask', agentId, unit: unitOf(command), about: serverTaskId } as const;
  await results.write(await questions.ask(question, stop), new ArtifactDigests(), stop);
};
