import { describe, expect, it } from '@jest/globals';
import { AgentSlots } from '../../../services/dispatcher/agent-slots.js';

const NEVER = new AbortController().signal;
const isSettled = async (promise: Promise<unknown>): Promise<boolean> =>
  Promise.race([
    promise.then(
      () => true,
      () => true,
    ),
    new Promise<boolean>((resolve) => setImmediate(resolve, false)),
  ]);

describe('the slots of an agent', () => {
  it('should hold up those who wait for the same agent, and nobody else', async () => {
    const slots = new AgentSlots(1);
    const release = await slots.take('hangs', NEVER);

    const second = slots.take('hangs', NEVER);

    expect(await isSettled(second)).toBe(false);
    expect(await isSettled(slots.take('other', NEVER))).toBe(true);
    release();
    expect(await isSettled(second)).toBe(true);
  });

  it('should pass from hand to hand in the order of asking, once each', async () => {
    const slots = new AgentSlots(1);
    const first = await slots.take('w1', NEVER);
    const order: number[] = [];
    const waiting = [1, 2].map((number) => slots.take('w1', NEVER).then((release) => (order.push(number), release)));

    first();
    first();
    (await waiting[0])?.();
    (await waiting[1])?.();

    expect(order).toStrictEqual([1, 2]);
    expect(slots.tryTake('w1')).toBeDefined();
    expect(slots.tryTake('w1')).toBeUndefined();
  });

  it('should forget who gave up waiting', async () => {
    const slots = new AgentSlots(1);
    const release = await slots.take('w1', NEVER);
    const stop = new AbortController();
    const givenUp = slots.take('w1', stop.signal);

    stop.abort();
    await expect(givenUp).rejects.toThrow();
    release();

    expect(await isSettled(slots.take('w1', NEVER))).toBe(true);
  });
});
