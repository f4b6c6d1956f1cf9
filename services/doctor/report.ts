import type { Paint } from '../cli/terminal.js';
import type { CheckResult } from './check.js';

const MARKS = {
  ok: { word: 'ok', style: 'green' },
  warning: { word: 'warning', style: 'yellow' },
  failure: { word: 'failure', style: 'red' },
  'not-checked': { word: '-', style: 'dim' },
} as const;

/** A line a check; under one that found a fault, the details and the ways out. */
export const reportLines = (results: readonly CheckResult[], paint: Paint): readonly string[] => {
  const width = Math.max(...results.map(({ check }) => check.length));
  const indent = ' '.repeat('failure  '.length + width + 2);
  return [
    ...results.flatMap(({ check, status, said, details, ways }) => {
      const { word, style } = MARKS[status];
      return [
        `${paint(style, word.padEnd(7))}  ${check.padEnd(width)}  ${said}`,
        ...details.map((detail) => `${indent}${detail}`),
        ...ways.map((way) => `${indent}→ ${way}`),
      ];
    }),
    '',
    summaryOf(results),
  ];
};

export type Summary = Readonly<Record<'ok' | 'warnings' | 'failures' | 'notChecked', number>>;

export const countsOf = (results: readonly CheckResult[]): Summary => {
  const count = (wanted: CheckResult['status']): number => results.filter(({ status }) => status === wanted).length;
  return {
    ok: count('ok'),
    warnings: count('warning'),
    failures: count('failure'),
    notChecked: count('not-checked'),
  };
};

const summaryOf = (results: readonly CheckResult[]): string => {
  const { ok, warnings, failures, notChecked } = countsOf(results);
  return `ok: ${ok}, warnings: ${warnings}, failures: ${failures}, not checked: ${notChecked}`;
};
