/** Every part of Holdfast on a broker that denies what no ACL allows: with its rights, and without each of them. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePorts } from '../../infra/local/free-ports.js';
import { DEAD_LETTERS, LEDGER, TASK_EVENTS, TOPICS } from '../../topology/topics.js';
import { TAIL_WORDS } from '../../services/tail/tail-kinds.js';
import { ALL_RIGHTS, consequenceOf, RIGHTS_OUTCOMES, type RightOf } from '../outcomes/rights-outcomes.js';
import { describeOutcomes } from '../outcomes/describe-outcomes.js';
import { StubAgent } from '../unit/dispatcher/stub-agent.js';
import { commandsWithout, type Worked } from './rights/command-trial.js';
import { dispatcherTrial, misrouted } from './rights/dispatcher-trial.js';
import { consumeAsForeigner, produceAsForeigner, type ForeignOutcome } from './rights/foreign-programs.js';
import { GatewayTrial } from './rights/gateway-trial.js';
import { grantedByCommands } from './rights/granting.js';
import { GuardedKafka, textOf } from './rights/guarded-kafka.js';
import { GuardedMesh } from './rights/guarded-mesh.js';
import { dispatched, ledgerTrial } from './rights/ledger-trial.js';
import { recovered } from './rights/recovery.js';
import { ServiceUnderTrial } from './rights/service-trial.js';
import { verifierTrial } from './rights/verifier-trial.js';

let kafka: GuardedKafka;
let mesh: GuardedMesh;
let w1: StubAgent;
let w3: StubAgent;
let gateway: GatewayTrial;
let operated = 0;
const worked: Worked = new Set();
let aside: Promise<string> | undefined;
/** Those that have begun, by role. The ledger goes on running for the others. */
const trials = new Map<string, Promise<ServiceUnderTrial>>();

beforeAll(async () => {
  kafka = await GuardedKafka.start();
  mesh = await GuardedMesh.open(kafka, 'rights.');
  [w1, w3] = [await StubAgent.start(), await StubAgent.start()];
  const [port = 0] = await freePorts(1);
  gateway = new GatewayTrial(mesh, w1, port);
  for (const role of ['reader', 'operator', 'producer', 'consumer'] as const)
    await kafka.grant(role, mesh.rights(role));
}, 180_000);

afterAll(async () => {
  await mesh.close();
  for (const agent of [w1, w3]) agent.stop();
  await kafka.stop();
}, 60_000);

const underTrial = (role: RightOf['role']): Promise<ServiceUnderTrial> => {
  const found = trials.get(role) ?? begun(role);
  trials.set(role, found);
  return found;
};

const begun = async (role: RightOf['role']): Promise<ServiceUnderTrial> => {
  // Those before: this one joins them meanwhile, and would wait for itself.
  for (const [other, trial] of [...trials]) if (other !== 'ledger') await (await trial).end();
  switch (role) {
    case 'ledger':
      return ServiceUnderTrial.begin(mesh, ledgerTrial(mesh));
    case 'verifier':
      return ServiceUnderTrial.begin(mesh, verifierTrial(mesh, w1));
    case 'dispatcher':
      return ServiceUnderTrial.begin(mesh, dispatcherTrial(mesh, { w1, w3 }));
    case 'gateway':
      return ServiceUnderTrial.begin(mesh, gateway);
    default:
      throw new Error(`the ${role} is no service`);
  }
};

const without = async (of: RightOf): Promise<void> => {
  const { role, right } = of;
  // Whatever the others do, it judges.
  if (role !== 'ledger') await underTrial('ledger');
  switch (consequenceOf(of)) {
    case 'ends':
      return (await underTrial(role)).failsWithout(right);
    case 'does not start':
      return (await underTrial(role)).doesNotStartWithout(right);
    case 'ends later':
      return (await underTrial(role)).endsLaterWithout(right);
    case 'refuses':
      // Its port is the other's.
      await (await underTrial(role)).end();
      return gateway.refusesWithout(right);
    case 'could not':
      return commandsWithout(mesh, role, right, await commandsOf(of), worked);
    case 'told by the broker':
      return foreignerWithout(of);
  }
};

/** Commands that need the right. */
const commandsOf = async ({ role, right: { name, operation } }: RightOf): Promise<readonly (readonly string[])[]> => {
  if (role === 'admin') return [['topics', operation === 'Create' ? 'create' : 'check']];
  const letters = [TASK_EVENTS.name, DEAD_LETTERS.name].includes(name);
  if (role === 'reader') {
    if (name === LEDGER.name) return [['tasks', 'list', '--limit', '1000']];
    return [TAIL, ...(letters ? [['dead-letters', 'show', await setAside()]] : [])];
  }
  const replay = ['dead-letters', 'replay', await setAside(), '--force'];
  if (letters && operation === 'Read') return [replay];
  operated += 1;
  const unit = `operated-${operated}`;
  await dispatched(mesh, unit, 'working');
  await mesh.unit(unit, ({ state }) => state === 'working', 'on record');
  return [['reconcile', 'resolve', unit, '--as', 'failed'], ...(name === LEDGER.name ? [] : [replay])];
};

/** Of all topics but the inputs, which nobody tails. */
const TAIL = ['tail', ...TOPICS.map(({ name }) => name).filter((name) => TAIL_WORDS.includes(name)), '--no-follow'];

/** The place of a record that was set aside and can be judged in another partition. */
const setAside = (): Promise<string> => (aside ??= misrouted(mesh, 'set-aside'));

const foreignerWithout = async (of: RightOf): Promise<void> => {
  const { role, right } = of;
  operated += 1;
  const unit = `foreign-${operated}`;
  const run = (): Promise<ForeignOutcome> =>
    role === 'producer' ? produceAsForeigner(mesh, unit) : consumeAsForeigner(mesh);
  // A violation and verdicts to read.
  if (role === 'consumer') await dispatched(mesh, unit, 'auth-required');
  const lacking = mesh.named(right);
  await kafka.revoke(role, lacking);
  const refused = await run().finally(() => kafka.grant(role, [lacking]));
  const done = await run();

  expect({ refused, done }).toStrictEqual({ refused: refusalOf(of), done: 'done' });
  expect(await mesh.unjudged()).toStrictEqual([]);
};

const refusalOf = ({ role, right: { resource } }: RightOf): string => {
  // It is the only topic that it may write: without it, it is no producer.
  if (role === 'producer') return 'CLUSTER_AUTHORIZATION_FAILED';
  // kafkajs tells no more.
  return resource === 'Group' ? 'Failed to find group coordinator' : 'TOPIC_AUTHORIZATION_FAILED';
};

describe('Holdfast with the rights of its list and no others', () => {
  it('should have a lost task taken over, each part under its own name', async () => {
    const { attempts, loss, serverTasks } = await recovered(mesh);

    expect(loss).toBeUndefined();
    expect(attempts.map(({ agentId, by, status }) => `${agentId} by ${by}: ${status}`)).toStrictEqual([
      'W1 by client: bound',
      'W2 by holdfast: bound',
    ]);
    expect(serverTasks.map(({ agentId, lost }) => [agentId, lost])).toStrictEqual([
      ['W1', true],
      ['W2', false],
    ]);
    expect(await mesh.unjudged()).toStrictEqual([]);
  }, 120_000);

  it('should be granted them by the commands that it prints', async () => {
    expect(await grantedByCommands(mesh, 'verifier')).toStrictEqual(mesh.rights('verifier').map(textOf).toSorted());
  }, 120_000);
});

describeOutcomes(RIGHTS_OUTCOMES, Object.fromEntries(ALL_RIGHTS.map((of) => [of.row, () => without(of)])), 90_000);
