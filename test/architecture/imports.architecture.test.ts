import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ESLint } from 'eslint';

const run = promisify(execFile);
const FOLDERS = ['schemas', 'topology', 'infra', 'services', 'test'];

type Cruise = {
  readonly summary: {
    readonly totalCruised: number;
    readonly violations: readonly {
      readonly from: string;
      readonly to: string;
      readonly rule: { readonly name: string };
    }[];
  };
};

const cruise = async (cwd: string): Promise<Cruise> => {
  const bin = join(process.cwd(), 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruise.mjs');
  const args = [bin, '--config', 'cruise.cjs', '--output-type', 'json', ...FOLDERS];
  const { stdout } = await run(process.execPath, args, { cwd, maxBuffer: 2 ** 28 }).catch((failed: unknown) => {
    // It ends with the number of violations; the report is there all the same.
    if (
      typeof failed === 'object' &&
      failed !== null &&
      'stdout' in failed &&
      typeof failed.stdout === 'string' &&
      failed.stdout !== ''
    )
      return { stdout: failed.stdout };
    throw failed;
  });
  return JSON.parse(stdout) as Cruise;
};

const faults = ({ summary }: Cruise, ...files: readonly string[]): readonly string[] =>
  summary.violations
    .filter(({ from }) => files.length === 0 || files.some((file) => from.endsWith(file)))
    .map(({ rule, from }) => `${rule.name}: ${from}`)
    .sort();

/** A copy of the tree with the packages linked in, cruised by the rules of the house. */
describe('the import rules', () => {
  let copy: string;
  const plant = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(copy, path)), { recursive: true });
    await writeFile(join(copy, path), text);
  };
  let clean: Cruise;
  let planted: Cruise;

  beforeAll(async () => {
    copy = await realpath(await mkdtemp(join(tmpdir(), 'holdfast-imports-')));
    for (const path of [...FOLDERS, 'package.json', 'tsconfig.json'])
      await cp(path, join(copy, path), { recursive: true, dereference: true });
    // What is planted must land in the copy, also where the checkout's folders are links.
    for (const folder of FOLDERS) expect(await realpath(join(copy, folder))).toBe(join(copy, folder));
    await cp('.dependency-cruiser.cjs', join(copy, 'rules.cjs'));
    await symlink(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'));
    // Links are kept as they are, so that a package is found under node_modules as in the checkout.
    await writeFile(
      join(copy, 'cruise.cjs'),
      "const rules = require('./rules.cjs');\nmodule.exports = { ...rules, options: { ...rules.options, preserveSymlinks: true } };\n",
    );
    clean = await cruise(copy);
    await plant(
      'topology/planted/core.ts',
      "import { readFileSync } from 'node:fs';\nexport const x = readFileSync;\n",
    );
    await plant('topology/planted/package.ts', "import avsc from 'avsc';\nexport const x = avsc;\n");
    await plant('topology/planted/type.ts', "import type { Kafka } from 'kafkajs';\nexport type X = Kafka;\n");
    await plant(
      'topology/planted/services.ts',
      "import { x } from '../../services/planted/service.js';\nexport const y = x;\n",
    );
    await plant(
      'topology/planted/infra.ts',
      "import { x } from '../../infra/planted/cycle-a.js';\nexport const y = x;\n",
    );
    await plant('services/planted/service.ts', 'export const x = 1;\n');
    await plant('services/planted/kafka.ts', "import { Kafka } from 'kafkajs';\nexport const x = Kafka;\n");
    await plant('services/planted/rocks.ts', "import { RocksLevel } from 'rocksdb';\nexport const x = RocksLevel;\n");
    await plant(
      'services/planted/test.ts',
      "import { x } from '../../test/planted/fixture.js';\nexport const y = x;\n",
    );
    await plant('test/planted/fixture.ts', 'export const x = 1;\n');
    await plant('infra/planted/cycle-a.ts', "import { y } from './cycle-b.js';\nexport const x = (): number => y();\n");
    await plant('infra/planted/cycle-b.ts', "import { x } from './cycle-a.js';\nexport const y = (): number => x();\n");
    await plant('infra/planted/nowhere.ts', "import { x } from './not-there.js';\nexport const y = x;\n");
    await plant(
      'infra/planted/upwards.ts',
      "import { x } from '../../services/planted/service.js';\nexport const y = x;\n",
    );
    await plant('infra/streams/planted.ts', "import { x } from '../kafka/planted.js';\nexport const y = x;\n");
    await plant('infra/kafka/planted.ts', "import { Kafka } from 'kafkajs';\nexport const x = Kafka;\n");
    planted = await cruise(copy);
  }, 120_000);

  afterAll(async () => {
    await rm(copy, { recursive: true, force: true });
  });

  test('should see the modules that there are', () => {
    expect(clean.summary.totalCruised).toBeGreaterThan(100);
    expect(planted.summary.totalCruised).toBeGreaterThan(clean.summary.totalCruised);
  });

  test('should be kept by topology and schemas', () => {
    expect(clean.summary.violations.filter(({ from }) => /^(topology|schemas)\//.test(from))).toStrictEqual([]);
  });

  test.each([
    ['a module of Node in topology', 'topology/planted/core.ts', ['topology-and-schemas-are-pure']],
    ['a package in topology', 'topology/planted/package.ts', ['avsc-has-one-home', 'topology-and-schemas-are-pure']],
    [
      'a type of a package in topology',
      'topology/planted/type.ts',
      ['kafkajs-has-one-home', 'topology-and-schemas-are-pure'],
    ],
    ['a service in topology', 'topology/planted/services.ts', ['topology-imports']],
    ['infrastructure in topology', 'topology/planted/infra.ts', ['topology-imports']],
    ['kafkajs outside its home', 'services/planted/kafka.ts', ['kafkajs-has-one-home']],
    ['a test in a service', 'services/planted/test.ts', ['services-imports']],
    ['a service in infrastructure', 'infra/planted/upwards.ts', ['infra-imports']],
    ['a file that is not there', 'infra/planted/nowhere.ts', ['no-unresolvable']],
    ['a cycle', 'infra/planted/cycle-a.ts', ['no-cycles']],
    ['a client in the stream runtime', 'infra/streams/planted.ts', ['stream-runtime-knows-no-client']],
    ['kafkajs at home', 'infra/kafka/planted.ts', []],
  ])('should refuse %s', (_, file, rules) => {
    expect([...new Set(faults(planted, file))]).toStrictEqual(rules.map((rule) => `${rule}: ${file}`));
  });

  test('should refuse rocksdb outside its home', () => {
    expect(faults(planted, 'services/planted/rocks.ts').length).toBeGreaterThan(0);
  });
});

/** The rules see text under the path of a file that is in the project. */
describe('the lint rules', () => {
  const eslint = new ESLint({ overrideConfigFile: '.eslint.config.mjs' });
  const messages = async (path: string, text: string): Promise<readonly string[]> => {
    const results = await eslint.lintText(text, { filePath: path });
    return results.flatMap((result) => result.messages.map(({ ruleId }) => ruleId ?? 'unparsed'));
  };

  test.each([
    ['the clock', 'export const now = (): number => Date.now();\n', 'no-restricted-globals'],
    ['a new date', 'export const now = (): number => new Date().getTime();\n', 'no-restricted-globals'],
    ['chance', 'export const chance = (): number => Math.random();\n', 'no-restricted-properties'],
    ['the process', 'export const env = (): unknown => process.env;\n', 'no-restricted-globals'],
    ['the console', 'export const say = (): void => { console.log(1); };\n', 'no-restricted-globals'],
    ['crypto', 'export const id = (): string => crypto.randomUUID();\n', 'no-restricted-globals'],
    ['a timer', 'export const later = (): unknown => setTimeout(() => 1, 1);\n', 'no-restricted-globals'],
    ['a request', "export const get = (): unknown => fetch('x');\n", 'no-restricted-globals'],
    ['async', 'export const later = async (): Promise<number> => Promise.resolve(1);\n', 'no-restricted-syntax'],
    ['await', 'export const later = async (p: Promise<number>): Promise<number> => await p;\n', 'no-restricted-syntax'],
    [
      'an async method',
      'export const o = { async m(): Promise<number> { return Promise.resolve(1); } };\n',
      'no-restricted-syntax',
    ],
    ['throw', "export const fail = (): never => { throw new Error('x'); };\n", 'no-restricted-syntax'],
    ['any', 'export const loose = (x: any): any => x;\n', '@typescript-eslint/no-explicit-any'],
    [
      'a non-null assertion',
      'export const sure = (x?: number): number => x!;\n',
      '@typescript-eslint/no-non-null-assertion',
    ],
  ])(
    'should refuse %s inside topology',
    async (_, text, rule) => {
      expect(await messages('topology/policy.ts', text)).toContain(rule);
    },
    60_000,
  );

  test('should refuse nothing of that kind elsewhere, and nothing in what is pure', async () => {
    const text = 'export const now = (): number => Date.now();\n';

    expect(await messages('test/kit/decider-kit/seed.ts', text)).toStrictEqual([]);
    expect(await messages('topology/policy.ts', 'export const double = (x: number): number => 2 * x;\n')).toStrictEqual(
      [],
    );
  }, 60_000);
});
