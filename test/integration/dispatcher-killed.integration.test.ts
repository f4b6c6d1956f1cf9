import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { agent, policyChanged, policyOf } from '../kit/decider-kit/agents.js';
import { StubAgent, stream, taskStream } from '../unit/dispatcher/stub-agent.js';
import { DispatcherWorld } from './dispatcher-fixture.js';
import { eventually } from './kafka-fixture.js';

const MAIN = fileURLToPath(new URL('../../services/cli/main.js', import.meta.url));

let world: DispatcherWorld;
let w1: StubAgent;
let w2: StubAgent;
const running: ChildProcess[] = [];

beforeAll(async () => {
  w1 = await StubAgent.start();
  w2 = await StubAgent.start();
  world = new DispatcherWorld([
    { id: 'w1', cardUrl: w1.cardUrl },
    { id: 'w2', cardUrl: w2.cardUrl },
  ]);
  await world.start();
  await world.tell(policyChanged(policyOf()), ...agent('w1'), ...agent('w2'));
}, 120_000);

afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await world.stop();
  for (const stub of [w1, w2]) stub.stop();
}, 60_000);

const serve = (): ChildProcess => {
  const file = join(world.stateDir, 'holdfast.yaml');
  // JSON is YAML.
  writeFileSync(file, JSON.stringify({ ...world.config, instanceId: 'killed' }));
  const child = spawn(process.execPath, [MAIN, 'serve', 'dispatcher', '--config', file], { stdio: 'ignore' });
  running.push(child);
  return child;
};

it('should send again under the same message ID, and count as one attempt, when it was killed after it had sent', async () => {
  await world.dispatched('k-1', 'w1', 'working');
  await world.lost('k-1', 'w1');
  // Takes it, and says nothing before the dispatcher is dead.
  w2.answer = () => undefined;
  const first = serve();
  await eventually(() => (w2.calls.length === 1 ? true : undefined), 'the first send', 60_000);
  first.kill('SIGKILL');
  await once(first, 'exit');
  w2.answer = (_, response) => stream(response, taskStream('t2-again', 'COMPLETED'));

  const second = serve();
  const entry = await world.unit('k-1', ({ state }) => state === 'completed', 'completed', 60_000);
  second.kill('SIGTERM');
  const [code] = (await once(second, 'exit')) as [number | null];

  expect(w2.calls.map(({ params }) => (params.message as { readonly messageId: string }).messageId)).toStrictEqual(
    Array(2).fill('holdfast:2:0:k-1'),
  );
  expect(entry.attempts.map(({ agentId, status }) => `${agentId} ${status}`)).toStrictEqual(['w1 bound', 'w2 bound']);
  expect(code).toBe(0);
}, 180_000);
