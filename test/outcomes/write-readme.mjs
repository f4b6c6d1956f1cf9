/**
 * Writes the tables of outcomes into the README, between their marks. `--check` only compares, and exits with 1 where
 * they differ. Needs a build.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';

const readme = new URL('../../README.md', import.meta.url);
const { outcomesText } = await import(new URL('../../dist/test/outcomes/tables.js', import.meta.url).href);

const [BEGIN, END] = ['<!-- outcomes: begin (generated) -->', '<!-- outcomes: end -->'];
const held = readFileSync(readme, 'utf8');
const [before, rest] = held.split(BEGIN);
const after = rest?.split(END)[1];
if (after === undefined) throw new Error(`README.md lacks "${BEGIN}" and "${END}"`);

const options = { ...(await resolveConfig(readme)), parser: 'markdown' };
const wanted = await format(`${before}${BEGIN}\n\n${outcomesText()}\n${END}${after}`, options);
if (wanted !== held) {
  if (process.argv.includes('--check')) {
    process.stderr.write('README.md: the tables of outcomes are not as the tests have them; run "npm run outcomes"\n');
    process.exitCode = 1;
  } else writeFileSync(readme, wanted);
}
