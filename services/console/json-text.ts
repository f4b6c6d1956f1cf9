/** JSON of records as they are: offsets as decimal text, bytes as base64, maps as objects. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value, (_, item: unknown) => {
    if (typeof item === 'bigint') return item.toString();
    if (item instanceof Uint8Array) return Buffer.from(item).toString('base64');
    if (item instanceof Map) return Object.fromEntries(item as ReadonlyMap<string, unknown>);
    return item;
  });
