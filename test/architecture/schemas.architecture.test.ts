import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { avroType, isUnion, parseSchema, type AvroSchema } from '../../infra/registry/avro-schema.js';
import { subjectOf, subjects } from '../../schemas/catalogue.js';
import { SCHEMAS } from '../../schemas/generated.js';
import { TOPICS } from '../../topology/topics.js';

const root = new URL('../../../', import.meta.url);
const avro = new URL('schemas/avro/', root);
const FILES = readdirSync(avro).map(
  (name) => [name.replace('.avsc', ''), readFileSync(new URL(name, avro), 'utf8')] as const,
);

type Definition = { readonly path: string; readonly schema: Readonly<Record<string, unknown>> };

/** Every record, enum and field in a schema, with where it is. */
const definitions = (schema: unknown, path: string): readonly Definition[] => {
  if (Array.isArray(schema)) return schema.flatMap((inner, index) => definitions(inner, `${path}[${index}]`));
  if (typeof schema !== 'object' || schema === null) return [];
  const own = schema as Readonly<Record<string, unknown>>;
  const here = `${path}/${String(own.name ?? own.type)}`;
  return [
    ...('name' in own ? [{ path: here, schema: own }] : []),
    ...definitions(own.fields, here),
    ...definitions(own.items, here),
    ...(typeof own.type === 'object' ? definitions(own.type, here) : []),
  ];
};

const ALL = FILES.flatMap(([name, text]) => definitions(JSON.parse(text), name));

describe('every schema', () => {
  test.each(FILES)('should be valid Avro by itself: %s', (name, text) => {
    expect(avroType(parseSchema(text)).name).toBe(`holdfast.v1.${name}`);
  });

  test('should say what each of its types and fields is', () => {
    const undocumented = ALL.filter(({ schema }) => typeof schema.doc !== 'string' || schema.doc.length < 8);

    expect(undocumented.map(({ path }) => path)).toStrictEqual([]);
  });

  test('should let fields be added and removed: what may be null is null by default, nothing else has a default', () => {
    const faulty = ALL.filter(({ schema }) => {
      if ('fields' in schema || 'symbols' in schema) return false;
      const type = schema.type as AvroSchema;
      return isUnion(type)
        ? type.length !== 2 || type[0] !== 'null' || schema.default !== null
        : schema.default !== undefined;
    });

    expect(faulty.map(({ path }) => path)).toStrictEqual([]);
  });

  test('should let symbols be added: each enum has a default, and a word for each symbol but UNRECOGNISED', () => {
    const faulty = ALL.filter(({ schema }) => {
      if (!('symbols' in schema)) return false;
      const symbols = schema.symbols as readonly string[];
      const words = schema.words as Readonly<Record<string, string>>;
      const worded = symbols.filter((symbol) => symbol !== 'UNRECOGNISED');
      const hasDefault = symbols.includes(String(schema.default));
      const isGuarded = !symbols.includes('UNRECOGNISED') || schema.default === 'UNRECOGNISED';
      return !hasDefault || !isGuarded || Object.keys(words).join() !== worded.join();
    });

    expect(faulty.map(({ path }) => path)).toStrictEqual([]);
  });

  test('should write symbols as their words in capitals', () => {
    const words = ALL.flatMap(({ schema }) => Object.entries((schema.words ?? {}) as Readonly<Record<string, string>>));

    expect(words.filter(([symbol, word]) => symbol !== word.toUpperCase().replaceAll(/[-+]/g, '_'))).toStrictEqual([]);
  });

  test('should hold the same definition of a type as every other', () => {
    const firsts = new Map<unknown, string>();
    const differing = ALL.filter(({ schema }) => {
      if (!('fields' in schema) && !('symbols' in schema)) return false;
      // Inner types appear in full at their first use only, which need not be the same place in each file.
      const text = JSON.stringify(schema, (key, value: unknown) =>
        key !== '' && typeof value === 'object' && value !== null && 'namespace' in value && 'name' in value
          ? `${String(value.namespace)}.${String(value.name)}`
          : value,
      );
      const first = firsts.get(schema.name) ?? text;
      firsts.set(schema.name, first);
      return first !== text;
    });

    expect(differing.map(({ path }) => path)).toStrictEqual([]);
  });
});

test('should have one schema for each record of the topics, and one subject for each record on a topic', () => {
  const onTopics = TOPICS.flatMap(({ name, records }) => records.map((record) => ({ name, record })));

  expect(subjects().map(({ topic, record }) => ({ name: topic, record }))).toStrictEqual(onTopics);
  expect(subjects().map(({ subject }) => subject)).toStrictEqual(
    onTopics.map(({ name, record }) => `${name}-holdfast.v1.${record}`),
  );
  expect(FILES.map(([name]) => name)).toStrictEqual(onTopics.map(({ record }) => record).sort());
  expect(Object.keys(SCHEMAS)).toStrictEqual(FILES.map(([name]) => name));
});

test('should put the configured prefix before the topic, and so before the subject', () => {
  const [first] = subjects('eu.');

  expect(first?.topic).toBe('eu.a2a.task-events.v1');
  expect(first?.catalogueTopic).toBe('a2a.task-events.v1');
  expect(first?.subject).toBe(subjectOf('eu.a2a.task-events.v1', 'DispatchObserved'));
});

test('should be what the generator makes of the files, byte for byte', () => {
  const generator = fileURLToPath(new URL('infra/registry/generate-schemas.mjs', root));
  const { status, stdout, stderr } = spawnSync(process.execPath, [generator, '--check'], { encoding: 'utf8' });

  expect({ status, stdout, stderr }).toStrictEqual({ status: 0, stdout: '', stderr: '' });
});

test('should hold in the compiled schemas exactly what the files say', () => {
  for (const [name, text] of FILES)
    expect(JSON.parse(SCHEMAS[name as keyof typeof SCHEMAS])).toStrictEqual(JSON.parse(text));
});
