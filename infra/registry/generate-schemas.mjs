/**
 * `node infra/registry/generate-schemas.mjs [--check]`: brings the copies in `schemas/avro` and `schemas/generated.ts` up
 * to date with the types' homes (`schemas/generate.mjs`). `--check` writes nothing and exits 1 where something would change.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { generate } from '../../schemas/generate.mjs';

const schemas = new URL('../../schemas/', import.meta.url);
const check = process.argv.includes('--check');

const filesIn = (folder) =>
  Object.fromEntries(
    readdirSync(new URL(folder, schemas))
      .filter((name) => name.endsWith('.avsc'))
      .map((name) => [name.slice(0, -'.avsc'.length), readFileSync(new URL(`${folder}${name}`, schemas), 'utf8')]),
  );

const current = (path) => {
  try {
    return readFileSync(new URL(path, schemas), 'utf8');
  } catch {
    return undefined;
  }
};

const { avro, parts, generated } = generate({ avro: filesIn('avro/'), parts: filesIn('parts/') });
const wanted = [
  ...Object.entries(avro).map(([name, text]) => [`avro/${name}.avsc`, text]),
  ...Object.entries(parts).map(([name, text]) => [`parts/${name}.avsc`, text]),
  ['generated.ts', generated],
];
const changed = wanted.filter(([path, text]) => current(path) !== text);
for (const [path, text] of changed) {
  console.log(`${check ? 'out of date' : 'written'}: schemas/${path}`);
  if (!check) writeFileSync(new URL(path, schemas), text);
}
if (check && changed.length > 0) process.exitCode = 1;
