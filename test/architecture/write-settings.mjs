/** Writes what is generated from the schema of the configuration: `npm run settings`. */
import { writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { schemaText, settingsText } from '../../dist/infra/config/settings-reference.js';

for (const [name, text] of [
  ['holdfast.schema.json', schemaText()],
  ['SETTINGS.md', settingsText()],
]) {
  const url = new URL(`../../infra/config/${name}`, import.meta.url);
  const options = await resolveConfig(url);
  writeFileSync(url, await format(text, { ...options, filepath: url.pathname }));
}
