import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { ERROR_CATALOGUE } from '../../infra/error-catalogue.js';
import { CONTRACT_ERRORS, MARKS, QUARANTINE_REASONS, VIOLATION_CODES } from '../../topology/vocabulary.js';
import { readRunbook } from '../kit/runbook.js';
import { logSitesIn, sourcesIn } from '../kit/source-syntax.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const ENTRIES = readRunbook(readFileSync(new URL('infra/RUNBOOK.md', `file://${root}`), 'utf8'));
/** A logger that passes on what another one is given says nothing of its own. */
const LOGS = logSitesIn(
  sourcesIn(root, ['infra', 'services']).filter(({ file }) => file !== 'infra/telemetry/logger.ts'),
);

const titlesIn = (chapter: string): readonly string[] =>
  ENTRIES.filter((entry) => entry.chapter === chapter).map(({ title }) => title);

const sorted = (texts: Iterable<string>): readonly string[] => [...new Set(texts)].sort();

function codesByChapter(): Readonly<Record<string, readonly string[]>> {
  const chapters: Record<string, string[]> = {};
  for (const [code, { area }] of Object.entries(ERROR_CATALOGUE)) (chapters[`Errors: ${area}`] ??= []).push(code);
  return chapters;
}

/** What has to have an entry, by chapter. */
const WANTED: Readonly<Record<string, Iterable<string>>> = {
  Marks: MARKS,
  'Contract errors': CONTRACT_ERRORS,
  Violations: VIOLATION_CODES,
  'Quarantine reasons': QUARANTINE_REASONS,
  'Log messages': LOGS.map(({ message }) => message),
  ...codesByChapter(),
};

describe('the runbook', () => {
  test.each(Object.keys(WANTED))(
    'should have an entry for each of its chapter, and for nothing else: %s',
    (chapter) => {
      expect(sorted(titlesIn(chapter))).toStrictEqual(sorted(WANTED[chapter] ?? []));
    },
  );

  test('should have no entry twice, and none in another chapter', () => {
    const places = ENTRIES.map(({ chapter, title }) => `${chapter}: ${title}`);

    expect(places.filter((place, index) => places.indexOf(place) !== index)).toStrictEqual([]);
    expect(sorted(ENTRIES.map(({ chapter }) => chapter))).toStrictEqual(sorted(Object.keys(WANTED)));
  });

  test('should say of everything what it means, what was lost, what to do, and how one sees that it is over', () => {
    const incomplete = ENTRIES.filter(
      ({ says }) =>
        says.map(([label]) => label).join() !== 'Means,Lost,Do,Over' || says.some(([, text]) => !/[.?]$/.test(text)),
    );

    expect(incomplete).toStrictEqual([]);
  });

  test('should know every warning by words that are always the same', () => {
    expect(LOGS.filter(({ message }) => message === '')).toStrictEqual([]);
  });
});

test('should find what is logged, and by whom', () => {
  const text = `
    logger.warn({ a }, 'one');
    this.#parts.logger.error({}, \`two: \${reason}\`);
    logger.info({}, 'not three');
    console.error({}, 'not four');
    logger.warn({}, words);`;

  expect(logSitesIn([{ file: 'a.ts', text }])).toStrictEqual([
    { message: 'one', file: 'a.ts' },
    { message: 'two', file: 'a.ts' },
    { message: '', file: 'a.ts' },
  ]);
});
