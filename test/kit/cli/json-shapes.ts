import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { checkoutRoot } from '../../../infra/local/checkout.js';

type Shape = Readonly<Record<string, unknown>>;

const SECTION = /^## (?<title>.+?)\n(?<body>(?:(?!^## ).*\n?)*)/gm;
const BLOCK = /```json.*\n(?<schema>[^`]+)```/;

/** The JSON Schemas of `services/cli/JSON.md`, by section: `Errors`, or a command. */
export const jsonShapes = (): ReadonlyMap<string, Shape> => {
  const text = readFileSync(join(checkoutRoot(), 'services/cli/JSON.md'), 'utf8');
  const shapes = new Map<string, Shape>();
  for (const { groups } of text.matchAll(SECTION)) {
    const schema = BLOCK.exec(groups?.body ?? '')?.groups?.schema;
    if (schema === undefined) throw new Error(`JSON.md has no schema for ${groups?.title ?? '?'}`);
    shapes.set(groups?.title ?? '', JSON.parse(schema) as Shape);
  }
  return shapes;
};

/** What is not as JSON.md says it is of a document of this section; empty: nothing. */
export const shapeFaults = (section: string, document: unknown): readonly string[] => {
  const shapes = jsonShapes();
  const named = shapes.get(section);
  const shape = typeof named?.$ref === 'string' ? shapes.get(named.$ref) : named;
  if (shape === undefined) throw new Error(`JSON.md has no section ${section}`);
  const ajv = new Ajv2020({ allErrors: true, strict: true, strictRequired: false, strictTypes: false });
  ajv.addFormat('date-time', /^(?:\d{4}|[+-]\d{6})-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const validate = ajv.compile(shape);
  return validate(document)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
};
