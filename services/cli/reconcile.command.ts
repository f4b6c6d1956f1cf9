import { userInfo } from 'node:os';
import { Command } from 'commander';
import { HoldfastError } from '../../infra/errors.js';
import { formatCoordinates } from '../../topology/kit/coordinates.js';
import type { OperatorDecided } from '../../topology/observation.js';
import { isTerminal, TASK_STATES, type TaskState } from '../../topology/task/task-state.js';
import { isIndeterminate } from '../../topology/task/unit.js';
import { columns } from '../console/columns.js';
import { findUnit, nameOf, scanUnits } from '../console/find-units.js';
import { timeText } from '../console/unit-view.js';
import { verdictOn } from '../console/verdict-log.js';
import { choiceOption } from './choices.js';
import { withConfig, type ConfigOptions } from './config-options.js';
import { withExamples } from './examples.js';
import { EXIT } from './exit-codes.js';
import { withSource, type OpenSource } from './open-source.js';
import { print, withJson, type JsonOption } from './output.js';
import { widthOf } from './terminal.js';

type Options = ConfigOptions & JsonOption;
type WordOptions = Options & { readonly actor: string; readonly reason?: string };
type Decision = Pick<OperatorDecided, 'action' | 'agentId' | 'state'>;

const VERDICT_WITHIN_MS = 30_000;
const TERMINAL_STATES = TASK_STATES.filter(isTerminal);

/** `holdfast reconcile`: what was lost and waits, and an operator's word about it (R61). */
export const reconcileCommand = (): Command => {
  const reconcile = withExamples(
    new Command('reconcile'),
    'holdfast reconcile list',
    'holdfast reconcile approve offer-17',
  ).description('lost units: what they wait for, and an operator’s word');
  withExamples(withJson(withConfig(reconcile.command('list'))), 'holdfast reconcile list')
    .description('units that are indeterminate or marked for the operator')
    .action(list);
  word(reconcile, 'approve', 'release a redispatch that waits for approval', ' --reason "seen it"').action(
    (id: string, options: WordOptions) => decide(id, { action: 'approve' }, options),
  );
  word(reconcile, 'void', 'take back the open redispatch; nothing is issued by itself any more', '').action(
    (id: string, options: WordOptions) => decide(id, { action: 'void' }, options),
  );
  word(reconcile, 'redispatch', 'send it to an agent of your choice, whatever that agent lacks', ' --to billing-b')
    .requiredOption('--to <agent>', 'agent ID')
    .action((id: string, { to, ...options }: WordOptions & { readonly to: string }) =>
      decide(id, { action: 'redispatch', agentId: to }, options),
    );
  word(reconcile, 'resolve', 'give the unit a terminal state', ' --as completed')
    .addOption(choiceOption('--as <state>', 'the state', TERMINAL_STATES).makeOptionMandatory())
    .action((id: string, { as, ...options }: WordOptions & { readonly as: TaskState }) =>
      decide(id, { action: 'resolve', state: as }, options),
    );
  return reconcile;
};

const word = (parent: Command, name: string, description: string, example: string): Command =>
  withExamples(withJson(withConfig(parent.command(name))), `holdfast reconcile ${name} offer-17${example}`)
    .description(`${description} (exit code 1 where the ledger ignores it)`)
    .argument('<id>', 'correlation ID, TENANT/ID, or a server task ID')
    .option('--actor <name>', 'who decides', userInfo().username)
    .option('--reason <text>', 'why');

const list = async (options: Options): Promise<void> => {
  await withSource(options, async ({ source, partitions }) => {
    const units = await scanUnits(source, partitions, (_, entry) => isIndeterminate(entry) || entry.marks.length > 0);
    const rows = units
      .toSorted((a, b) => (a.entry.loss?.at ?? a.entry.newsAt) - (b.entry.loss?.at ?? b.entry.newsAt))
      .map(({ entry }) => ({
        id: nameOf(entry),
        lostBy: entry.loss?.agentId ?? null,
        since: timeText(entry.loss?.at ?? entry.newsAt),
        requiredState: entry.loss?.requiredState ?? null,
        waitsFor: waitsFor(entry),
        redispatch: entry.loss?.redispatch ?? null,
        contractErrors: entry.loss?.contractErrors ?? [],
        marks: entry.marks,
      }));
    const lines = columns(
      ['ID', 'LOST BY', 'SINCE', 'NEEDS', 'WAITS FOR', 'MARKS'],
      rows.map((row) => [
        row.id,
        row.lostBy ?? '-',
        row.since,
        row.requiredState ?? '-',
        row.waitsFor,
        row.marks.join(','),
      ]),
      widthOf(process.stdout),
    );
    print(options, rows, rows.length === 0 ? ['nothing is lost'] : lines);
  });
};

const waitsFor = ({ loss, marks }: Parameters<Parameters<typeof scanUnits>[2]>[1]): string => {
  if (loss === undefined) return marks.includes('stalled') ? 'its agent, silent for long' : 'the operator';
  const { redispatch, held, contractErrors } = loss;
  if (redispatch?.awaitsApproval === true) return `approval of a redispatch to ${redispatch.agentId}`;
  if (redispatch !== undefined) return `an answer of ${redispatch.agentId}`;
  if (held || contractErrors.includes('input-not-retained') || contractErrors.includes('attempts-exhausted'))
    return 'the operator';
  return contractErrors.includes('no-capable-worker')
    ? 'an agent that can take it over'
    : 'nothing is issued by itself';
};

/** Writes the operator's word and prints what the ledger concludes. @throws HoldfastError without a verdict in time */
const decide = async (id: string, decision: Decision, options: WordOptions): Promise<void> => {
  const work = async ({ mesh, source, partitions }: OpenSource): Promise<void> => {
    const { entry, partition } = await findUnit(source, partitions, id);
    const { tenant, correlationId } = entry;
    const log = mesh.openLog();
    const observation: OperatorDecided = {
      type: 'OperatorDecided',
      ...(tenant === undefined ? {} : { tenant }),
      correlationId,
      ...decision,
      actor: options.actor,
      ...(options.reason === undefined ? {} : { reason: options.reason }),
    };
    const verdict = await verdictOn(
      source,
      partition,
      async () => (await log.observe([observation]))[0],
      VERDICT_WITHIN_MS,
    );
    if (verdict === undefined)
      throw new HoldfastError(
        `the word is written, but the ledger has not answered within ${VERDICT_WITHIN_MS / 1_000} s; is it running?`,
        { code: 'HOLDFAST_VERDICT_MISSING', retryable: true },
      );
    const { value, at } = verdict;
    if (value.verdict === 'ignored') process.exitCode = EXIT.findings;
    print(options, { ...value, at: formatCoordinates(at) }, [
      `${value.verdict}: ${value.reason} (${value.rule})  [${formatCoordinates(at)}]`,
      ...value.commandIds.map((commandId) => `  issued ${commandId}`),
    ]);
  };
  await withSource(options, work, 'operator');
};
