/** What we use of `@nxtedition/rocksdb` (installed as `rocksdb`), which ships no types. Checked by the contract suite. */
declare module 'rocksdb' {
  type Encodings = { readonly keyEncoding: 'utf8'; readonly valueEncoding: 'buffer' };

  export class RocksLevel {
    constructor(location: string, options: Encodings);
    open(options: {
      readonly createIfMissing: boolean;
      readonly compaction: 'level';
      /** Bytes of memtables before writes stall. */
      readonly memtableMemoryBudget: number;
      /** Bytes of block cache. */
      readonly cacheSize: number;
      readonly walCompression: boolean;
      readonly parallelism: number;
    }): Promise<void>;
    close(): Promise<void>;
    /**
     * Values in the order of the keys: `undefined` not there, `null` not read. The asynchronous `getMany` reports a
     * damaged block as an uncaught exception and never settles (12.2.12); this one throws.
     */
    _getManySync(
      keys: readonly string[],
      options: { readonly valueEncoding: 'buffer' },
    ): readonly (Buffer | null | undefined)[];
    /** A write in the making; closed, it gives its memory back. */
    batch(): {
      put(key: string, value: Uint8Array): unknown;
      del(key: string): unknown;
      write(options: { readonly sync: boolean }): Promise<void>;
      close(): Promise<void>;
    };
    /** Only for nothing at all: the memory of what is written so is never given back (12.2.12). */
    batch(operations: readonly [], options: { readonly sync: boolean }): Promise<void>;
    iterator(options: { readonly gte: string; readonly lt: string; readonly limit: number }): {
      /** The rest, and closes the iterator. */
      all(): Promise<[key: string, value: Buffer][]>;
    };
  }
}
