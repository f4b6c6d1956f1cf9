import { setTimeout as delay } from 'node:timers/promises';
import { AgentUnreachableError, type AgentDirectory } from '../../infra/http/agent-directory.js';
import type { AgentEndpoint } from '../../infra/http/agent-endpoint.js';
import type { Logger } from '../../infra/telemetry/logger.js';
import { recordKey } from '../../topology/kit/record-key.js';
import type { UnitRecord } from '../../topology/task/unit.js';
import { verdictOn, type LogSource } from '../console/verdict-log.js';
import { ArtifactDigests } from '../gateway/artifact-digest.js';
import type { AgentQuestions } from './agent-questions.js';
import type { AgentSlots } from './agent-slots.js';
import { dispatchFailed, unitOf } from './first-word.js';
import { planRedispatch, type RedispatchPlan, type RedispatchTask } from './plan-redispatch.js';
import { redispatchRequest, requestHeaders } from './redispatch-request.js';
import type { ResultLog } from './result-log.js';
import { Sending, type Dispatch, type SendingTimes } from './sending.js';
import type { SettledView } from './settled-view.js';
import type { StreamFollowers } from './stream-followers.js';

export type RedispatcherParts = {
  readonly view: SettledView;
  readonly results: ResultLog;
  readonly questions: AgentQuestions;
  readonly directory: AgentDirectory;
  readonly slots: AgentSlots;
  readonly followers: StreamFollowers;
  readonly source: LogSource;
  /** Waits before the lost task is asked for once more (R36), ms. */
  readonly recheckMs: readonly number[];
  readonly times: SendingTimes;
  readonly logger: Logger;
};

/** Where a command lies, and when it was written, ms. */
export type Issued = { readonly partition: number; readonly time: number };

const VERDICT_WITHIN_MS = 10_000;
const SENT_KEPT = 10_000;

/** Executes redispatches: asks again, looks again, writes ahead, sends, and writes down what comes back (R34, R36, R60). */
export class Redispatcher {
  readonly #parts: RedispatcherParts;
  /** Sent by this instance: the ledger may issue one again before it has read that it went out (R40). */
  readonly #sent = new Set<string>();

  constructor(parts: RedispatcherParts) {
    this.#parts = parts;
  }

  /** Resolves when the outcome is written. Rejects when `stop` aborted before: then nothing is written of it but the intent. */
  async execute(command: RedispatchTask, issued: Issued, stop: AbortSignal): Promise<void> {
    if (this.#sent.has(command.commandId)) {
      this.#left(command, 'it was sent before');
      return;
    }
    const first = await this.#plan(command, issued, stop);
    if (first === undefined) return;
    if (await this.#reappeared(command, first.lostTaskIds, issued, stop)) return;
    const release = await this.#parts.slots.take(command.agentId, stop);
    try {
      const dispatch = await this.#prepared(command, issued, stop);
      if (dispatch !== undefined) await this.#send(dispatch, stop);
    } finally {
      release();
    }
  }

  /** The plan if it is to be sent; everything else is done and over here. */
  async #plan(
    command: RedispatchTask,
    { partition }: Issued,
    stop: AbortSignal,
  ): Promise<(RedispatchPlan & { readonly kind: 'send'; readonly record: UnitRecord }) | undefined> {
    const found = await this.#parts.view.judged(
      recordKey(command.tenant, command.correlationId),
      partition,
      (record, contracts) => {
        const plan = planRedispatch(command, record, contracts);
        return plan.kind === 'behind' ? undefined : plan;
      },
      stop,
    );
    if (found === undefined) this.#left(command, 'the ledger does not show it');
    else if (found.judged.kind === 'leave') this.#left(command, found.judged.reason);
    else if (found.judged.kind === 'fail') await this.#fail(command, found.judged.reason, stop);
    else if (found.record !== undefined) return { ...found.judged, record: found.record };
    return undefined;
  }

  /** Asks the agent that lost the task for it again (R36): a wrong replica is common. Whether the task lives, the ledger says. */
  async #reappeared(
    command: RedispatchTask,
    lostTaskIds: readonly string[],
    issued: Issued,
    stop: AbortSignal,
  ): Promise<boolean> {
    if (lostTaskIds.length === 0) return false;
    for (const wait of this.#parts.recheckMs) {
      await delay(Math.min(wait, Math.max(0, issued.time + wait - Date.now())), undefined, { signal: stop });
      for (const serverTaskId of lostTaskIds) if (await this.#isBack(command, serverTaskId, issued, stop)) return true;
      if ((await this.#plan(command, issued, stop)) === undefined) return true;
    }
    return false;
  }

  async #isBack(
    command: RedispatchTask,
    serverTaskId: string,
    { partition }: Issued,
    stop: AbortSignal,
  ): Promise<boolean> {
    const { questions, results, source, logger } = this.#parts;
    const unit = unitOf(command);
    const question = { method: 'GetTask', agentId: command.lostBy, unit, about: serverTaskId, fresh: true } as const;
    const heard = await questions.ask(question, stop);
    const stated = heard.findIndex(({ type }) => type === 'TaskStateObserved');
    const write = async () => (await results.write(heard, new ArtifactDigests(), stop))[stated];
    if (stated < 0) {
      await write();
      return false;
    }
    const verdict = await verdictOn(source, partition, write, VERDICT_WITHIN_MS, stop);
    stop.throwIfAborted();
    // Without a verdict, or with one that is put off, nobody knows yet: it is issued again after the deadline (R60).
    const isOver = verdict === undefined || verdict.value.verdict === 'deferred' || !verdict.value.indeterminate;
    if (isOver)
      logger.info({ commandId: command.commandId, verdict: verdict?.value.verdict }, 'the lost task has answered');
    return isOver;
  }

  /** Looks once more, right before it is sent (R60), and gathers what is sent. */
  async #prepared(command: RedispatchTask, issued: Issued, stop: AbortSignal): Promise<Dispatch | undefined> {
    const { view, directory } = this.#parts;
    const key = recordKey(command.tenant, command.correlationId);
    const input = await view.input(key, issued.partition, stop);
    const endpoint = await this.#endpoint(command.agentId);
    const plan = await this.#plan(command, issued, stop);
    if (plan === undefined) return undefined;
    if (typeof endpoint === 'string') return this.#fail(command, endpoint, stop);
    if (input === undefined) return this.#fail(command, 'no input is kept that could be sent', stop);
    const envelope = redispatchRequest(command, input, plan.record, endpoint);
    if (envelope === undefined) return this.#fail(command, 'the kept input is no request', stop);
    const headers = requestHeaders(endpoint, directory.identityHeaders(command.agentId));
    return { command, record: plan.record, input, endpoint, envelope, headers };
  }

  async #endpoint(agentId: string): Promise<AgentEndpoint | string> {
    try {
      return await this.#parts.directory.endpoint(agentId);
    } catch (error) {
      if (error instanceof AgentUnreachableError) return error.message;
      throw error;
    }
  }

  async #send(dispatch: Dispatch, stop: AbortSignal): Promise<void> {
    const { results, times, followers, logger } = this.#parts;
    const { command } = dispatch;
    const { agentId, commandId } = command;
    const started = { type: 'DispatchStarted', ...unitOf(command), agentId, commandId } as const;
    await results.write([started], new ArtifactDigests(), stop);
    stop.throwIfAborted();
    logger.info({ commandId, agentId, attempt: command.attempt }, 'redispatching');
    const sending = new Sending(dispatch, results, times, stop);
    followers.follow(agentId, sending);
    await sending.concluded;
    this.#remember(commandId);
  }

  async #fail(command: RedispatchTask, reason: string, stop: AbortSignal): Promise<undefined> {
    const { results, logger } = this.#parts;
    logger.warn({ commandId: command.commandId, agentId: command.agentId, reason }, 'the redispatch failed');
    await results.write([dispatchFailed(command, reason)], new ArtifactDigests(), stop);
    return undefined;
  }

  #left({ commandId }: RedispatchTask, reason: string): void {
    this.#parts.logger.info({ commandId, reason }, 'the redispatch is not sent');
  }

  #remember(commandId: string): void {
    this.#sent.add(commandId);
    const [oldest] = this.#sent;
    if (oldest !== undefined && this.#sent.size > SENT_KEPT) this.#sent.delete(oldest);
  }
}
