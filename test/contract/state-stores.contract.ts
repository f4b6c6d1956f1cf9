import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { StoreFailedError, StoreLockedError } from '../../infra/streams/errors.js';
import type { StateStore, StateStores } from '../../infra/streams/ports.js';

const bytes = (text: string): Uint8Array => Buffer.from(text);
const shown = (value: Uint8Array | undefined): string | undefined =>
  value === undefined ? undefined : Buffer.from(value).toString();
const everything = async (store: StateStore): Promise<readonly (readonly [string, string | undefined])[]> =>
  (await store.range({ from: '', to: '\u{10ffff}', limit: 1_000 })).map(([key, value]) => [key, shown(value)]);

/** What the stream runtime leans on in its stores. `restart` gives the stores of the next process on the same disk. */
export const stateStoresContract = (
  name: string,
  implementation: () => Promise<{
    readonly stores: StateStores;
    readonly restart: () => StateStores;
    readonly cleanUp: () => Promise<void>;
  }>,
): void => {
  describe(`the state stores ${name}`, () => {
    let stores: StateStores;
    let restart: () => StateStores;
    let cleanUp: () => Promise<void>;
    let opened: StateStore[] = [];
    const open = async (from = stores, store = 'a.b.0'): Promise<StateStore> => {
      const { store: one } = await from.open(store);
      opened.push(one);
      return one;
    };

    beforeEach(async () => {
      ({ stores, restart, cleanUp } = await implementation());
    });

    afterEach(async () => {
      await Promise.allSettled(opened.map((store) => store.close()));
      opened = [];
      await cleanUp();
    });

    test('should create a store that is empty and trusted', async () => {
      const { store, trusted } = await stores.open('a.b.0');
      opened.push(store);

      expect(trusted).toBe(true);
      expect(await everything(store)).toStrictEqual([]);
    });

    test('should give values in the order of the keys, and undefined for what is not there', async () => {
      const store = await open();
      await store.write([
        ['a', bytes('1')],
        ['empty', bytes('')],
      ]);

      const values = await store.getMany(['none', 'a', 'empty', 'a', 'A']);

      expect(values.map(shown)).toStrictEqual([undefined, '1', '', '1', undefined]);
      expect(await store.getMany([])).toStrictEqual([]);
    });

    test('should put, replace and delete in one write, the last entry of a key winning', async () => {
      const store = await open();
      await store.write([
        ['a', bytes('1')],
        ['b', bytes('1')],
      ]);
      await store.write([
        ['a', undefined],
        ['b', bytes('2')],
        ['c', bytes('1')],
        ['c', undefined],
        ['d', undefined],
        ['d', bytes('1')],
      ]);

      expect(await everything(store)).toStrictEqual([
        ['b', '2'],
        ['d', '1'],
      ]);
    });

    test('should order keys by their UTF-8 bytes', async () => {
      const store = await open();
      // UTF-16 units sort the emoji before U+FFEE; UTF-8 bytes sort it after.
      const ascending = ['', '!cl', '!position', '0:a', '0:a\u0000b', '0:b', '0:é', '0:\uFFEE', '0:\u{1F600}'].slice(1);
      await store.write([...ascending].reverse().map((key) => [key, bytes('1')] as const));

      expect((await everything(store)).map(([key]) => key)).toStrictEqual(ascending);
    });

    test('should give a range from the first key to before the last, at most as many as asked for', async () => {
      const store = await open();
      await store.write(['a', 'b', 'b\u0000', 'c', 'd'].map((key) => [key, bytes(key)] as const));
      const keys = async (from: string, to: string, limit: number): Promise<readonly string[]> =>
        (await store.range({ from, to, limit })).map(([key]) => key);

      expect(await keys('b', 'd', 10)).toStrictEqual(['b', 'b\u0000', 'c']);
      expect(await keys('b', 'd', 2)).toStrictEqual(['b', 'b\u0000']);
      expect(await keys('b\u0000', 'z', 10)).toStrictEqual(['b\u0000', 'c', 'd']);
      expect(await keys('e', 'z', 10)).toStrictEqual([]);
    });

    test('should not share memory with what was written', async () => {
      const store = await open();
      const value = bytes('before');
      await store.write([['a', value]]);
      value.set(bytes('AFTER!'));

      expect((await store.getMany(['a'])).map(shown)).toStrictEqual(['before']);
    });

    test('should keep everything over a close, and be trusted', async () => {
      const store = await open();
      await store.write([['a', bytes('1')]]);
      await store.close();

      const { store: again, trusted } = await restart().open('a.b.0');
      opened.push(again);

      expect(trusted).toBe(true);
      expect(await everything(again)).toStrictEqual([['a', '1']]);
    });

    test('should keep stores of different names apart', async () => {
      const [one, other] = [await open(stores, 'a.b.0'), await open(stores, 'a.b.1')];
      await one.write([['a', bytes('1')]]);

      expect(await everything(other)).toStrictEqual([]);
    });

    test('should refuse to open a store twice', async () => {
      await open();

      await expect(stores.open('a.b.0')).rejects.toThrow(StoreLockedError);
      await expect(restart().open('a.b.0')).rejects.toThrow(StoreLockedError);
    });

    test('should refuse work after the close, and close twice', async () => {
      const store = await open();
      await store.close();
      await store.close();

      await expect(store.getMany(['a'])).rejects.toThrow(StoreFailedError);
      await expect(store.range({ from: 'a', to: 'b', limit: 1 })).rejects.toThrow(StoreFailedError);
      await expect(store.write([['a', bytes('1')]])).rejects.toThrow(StoreFailedError);
    });

    test('should wipe a closed store, and one that never was', async () => {
      const store = await open();
      await store.write([['a', bytes('1')]]);
      await store.close();
      await stores.wipe('a.b.0');
      await stores.wipe('never');

      expect(await everything(await open())).toStrictEqual([]);
    });
  });
};
