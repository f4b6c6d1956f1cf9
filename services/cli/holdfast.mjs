#!/usr/bin/env node
/**
 * The `holdfast` command. In a checkout it first installs and compiles what is missing or out of date; an image or a
 * package, which has no `tsconfig.json`, or says `dist/.published`, runs as it is.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../../', import.meta.url);
const has = (path) => existsSync(new URL(path, root));

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`holdfast: Node ${process.versions.node} is too old, it needs 20.19 or newer\n`);
  process.exit(2);
}

if (has('tsconfig.json') && !has('dist/.published')) {
  const { setUp } = await import(new URL('infra/local/set-up.mjs', root).href);
  try {
    await setUp({
      root: fileURLToPath(root),
      say: (text) => process.stderr.write(`holdfast: ${text}\n`),
    });
  } catch (error) {
    process.stderr.write(`holdfast: ${error.message}\n`);
    process.exit(2);
  }
}

await import(new URL('dist/services/cli/main.js', root).href);
