import { AGENT_OUTCOMES } from './agent-outcomes.js';
import { CONNECTION_OUTCOMES } from './connection-outcomes.js';
import type { OutcomeTable } from './outcome.js';
import { REGISTRY_OUTCOMES } from './registry-outcomes.js';
import { RIGHTS_OUTCOMES } from './rights-outcomes.js';
import { TOPIC_OUTCOMES } from './topic-outcomes.js';

const TABLES: readonly OutcomeTable[] = [
  TOPIC_OUTCOMES,
  AGENT_OUTCOMES,
  REGISTRY_OUTCOMES,
  CONNECTION_OUTCOMES,
  RIGHTS_OUTCOMES,
];

const cell = (text: string): string => text.replaceAll('|', '\\|');

/** The tables of outcomes as the README shows them. */
export const outcomesText = (): string =>
  TABLES.flatMap(({ title, rows }) => [
    `<details><summary><b>${title}</b>: ${Object.keys(rows).length} rows</summary>`,
    '',
    '| met | outcome |',
    '| --- | --- |',
    ...Object.values(rows).map(({ given, outcome }) => `| ${cell(given)} | ${cell(outcome)} |`),
    '',
    '</details>',
    '',
  ]).join('\n');
