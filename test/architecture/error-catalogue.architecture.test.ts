import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { ERROR_CATALOGUE, type ErrorCode } from '../../infra/error-catalogue.js';
import { HoldfastError } from '../../infra/errors.js';
import { codeSitesIn, errorClassesIn, sourcesIn } from '../kit/source-syntax.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const SOURCES = sourcesIn(root, ['infra', 'services']);
const CODES = Object.keys(ERROR_CATALOGUE) as readonly ErrorCode[];
/** Variables of the environment begin like codes; the compiler knows every code. */
const SITES = codeSitesIn(SOURCES).filter(({ code }) => code in ERROR_CATALOGUE);

describe('the catalogue of errors', () => {
  test('should hold no code that nothing carries', () => {
    const carried = new Set(SITES.map(({ code }) => code));

    expect(CODES.filter((code) => !carried.has(code))).toStrictEqual([]);
  });

  test('should name the class that carries each code', () => {
    const wrong = SITES.filter(({ code, class: by }) => ERROR_CATALOGUE[code as ErrorCode].class !== by);

    expect(wrong).toStrictEqual([]);
  });

  test('should have a code for each class of error', () => {
    const named = CODES.map((code): string => ERROR_CATALOGUE[code].class);

    expect(errorClassesIn(SOURCES).filter((name) => !named.includes(name))).toStrictEqual([]);
  });

  test('should say in one sentence what each code means', () => {
    const faulty = CODES.filter(
      (code) => !/^[A-Z][^.]+\.$/.test(ERROR_CATALOGUE[code].meaning.replaceAll('.json', '')),
    );

    expect(faulty).toStrictEqual([]);
  });

  test('should let nothing else compile', () => {
    const errors = [
      // @ts-expect-error: the code is not listed
      new HoldfastError('', { code: 'HOLDFAST_NEVER_LISTED', retryable: false }),
      // @ts-expect-error: the catalogue says that it is not retryable
      new HoldfastError('', { code: 'HOLDFAST_CONFIG_INVALID', retryable: true }),
    ];

    expect(errors.map(({ name, retryable }) => ({ name, retryable }))).toStrictEqual([
      { name: 'HoldfastError', retryable: false },
      { name: 'HoldfastError', retryable: true },
    ]);
  });
});

describe('the reading of the sources', () => {
  const planted = [
    {
      file: 'a.ts',
      text: `
        class AError extends HoldfastError { constructor() { super('a', { code: 'HOLDFAST_A', retryable: true }); } }
        class BError extends AError { constructor(code: 'HOLDFAST_B') { super('b', { code, retryable: true }); } }
        class Other extends Error {}`,
    },
    {
      file: 'b.ts',
      text: `
        throw new BError('HOLDFAST_B');
        class Thing { fail() { throw new HoldfastError('c', { code: 'HOLDFAST_C', retryable: true }); } }
        if (error.code === 'HOLDFAST_D') return;
        process.env['NOTHING'];`,
    },
  ];

  test('should tell who carries a code from who asks for it', () => {
    expect(codeSitesIn(planted)).toStrictEqual([
      { code: 'HOLDFAST_A', class: 'AError', file: 'a.ts' },
      { code: 'HOLDFAST_B', class: 'BError', file: 'b.ts' },
      { code: 'HOLDFAST_C', class: 'HoldfastError', file: 'b.ts' },
    ]);
  });

  test('should know the classes of errors', () => {
    expect(errorClassesIn(planted)).toStrictEqual(['AError', 'BError']);
  });
});
