/**
 * Writes the golden frames (`schemas/golden/`) and the parts of `schemas/README.md` that are files of their own, between
 * their marks. `--check` only compares, and exits with 1 where something differs. Needs a build.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';

const schemas = new URL('../../schemas/', import.meta.url);
const check = process.argv.includes('--check');
const { goldenFiles } = await import(new URL('../../dist/test/foreign/golden.js', import.meta.url).href);
const { withParts } = await import(new URL('../../dist/test/foreign/contract-parts.js', import.meta.url).href);

const read = (path) => {
  try {
    return readFileSync(new URL(path, schemas), 'utf8');
  } catch {
    return undefined;
  }
};
const pretty = async (path, text, parser) => format(text, { ...(await resolveConfig(new URL(path, schemas))), parser });

mkdirSync(new URL('golden/', schemas), { recursive: true });
const wanted = new Map();
for (const [name, text] of goldenFiles()) wanted.set(`golden/${name}`, await pretty(`golden/${name}`, text, 'json'));
for (const name of readdirSync(new URL('golden/', schemas))) {
  if (!wanted.has(`golden/${name}`)) wanted.set(`golden/${name}`, undefined);
}
const readme = withParts(read('README.md'), read);
wanted.set('README.md', await pretty('README.md', readme, 'markdown'));

const changed = [...wanted].filter(([path, text]) => read(path) !== text);
for (const [path, text] of changed) {
  process.stderr.write(`${check ? 'out of date' : text === undefined ? 'removed' : 'written'}: schemas/${path}\n`);
  if (check) continue;
  if (text === undefined) rmSync(new URL(path, schemas));
  else writeFileSync(new URL(path, schemas), text);
}
if (check && changed.length > 0) {
  process.stderr.write('run "npm run contract"\n');
  process.exitCode = 1;
}
