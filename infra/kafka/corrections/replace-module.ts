/**
 * Puts `replacement` in the place of a module of kafkajs that exports a single function. Works only for whoever loads
 * the module afterwards.
 */
export function replaceModule(require: NodeJS.Require, path: string, replacement: unknown): void {
  const id = require.resolve(path);
  require(id);
  const entry = require.cache[id];
  if (entry === undefined) throw new Error(`${path} is not in the module cache after it was loaded`);
  entry.exports = replacement;
}
