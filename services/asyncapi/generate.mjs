/**
 * `node services/asyncapi/generate.mjs [--check]`: writes `schemas/asyncapi.json` from the topics, their settings and their
 * records. `--check` writes nothing and exits with 1 where it would change. Needs a build.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { print } from '../../schemas/generate.mjs';

const file = new URL('../../schemas/asyncapi.json', import.meta.url);
const { asyncApiDocument } = await import(new URL('../../dist/services/asyncapi/document.js', import.meta.url).href);
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

const wanted = `${print(JSON.parse(JSON.stringify(asyncApiDocument(version))))}\n`;
const check = process.argv.includes('--check');
if (current() !== wanted) {
  console.log(`${check ? 'out of date' : 'written'}: schemas/asyncapi.json`);
  if (check) process.exitCode = 1;
  else writeFileSync(file, wanted);
}

function current() {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
