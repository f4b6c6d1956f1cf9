import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { VERDICTS } from '../../topology/topics.js';
import { eventually } from '../integration/kafka-fixture.js';
import { ForeignWorld } from './foreign-world.js';
import { LANGUAGES, output, root } from './languages.js';

const world = new ForeignWorld();

beforeAll(async () => {
  await world.start();
  await world.startLedger();
}, 300_000);

afterAll(() => world.stop(), 60_000);

const FILES: Readonly<Record<string, readonly [produce: string, consume: string]>> = {
  python: ['observe.py', 'verdicts.py'],
  java: ['Observe.java', 'Verdicts.java'],
};

describe.each(LANGUAGES)('the examples in $name of the contract', ({ name, command }) => {
  it('should write an observation that is accepted, and print the verdict', async () => {
    const correlationId = `Beispiel-\u00fc-${name}`;
    const [produce = '', consume = ''] = FILES[name] ?? [];
    const { kafka, registry } = world.config;
    const mesh = [kafka.brokers.join(','), registry.url, world.prefix];
    const example = (file: string) => [...command.slice(0, -1), `${root}schemas/examples/${file}`, ...mesh];

    await output([...example(produce), correlationId]);
    await eventually(
      async () => {
        const verdicts = await world.read(VERDICTS);
        return verdicts.some(({ value }) => value.correlationId === correlationId) ? true : undefined;
      },
      'a verdict',
      60_000,
    );
    const printed = await output(example(consume));

    expect(printed.split('\n').filter((line) => line.startsWith(correlationId))).toStrictEqual([
      `${correlationId} ACCEPTED sent to billing-a`,
    ]);
  }, 300_000);
});
