import { avroJson, jsonText } from './avro-json.js';
import { EXAMPLES } from './examples.js';
import { topicOf } from '../unit/schemas/arbitraries.js';
import { frameOf, PUBLIC } from './golden.js';
import { SCHEMAS } from '../../schemas/generated.js';
import { partitionOf } from '../../topology/kit/partition.js';
import { recordKey, utf8 } from '../../topology/kit/record-key.js';

/**
 * Parts of `schemas/README.md` that stand elsewhere: files of `schemas/examples/`, one example of every record,
 * and record keys.
 */

const MARK = /<!-- (file|examples|keys): (\S+) -->\n[\s\S]*?<!-- end -->/g;
const LANGUAGES: Readonly<Record<string, string>> = { py: 'python', java: 'java' };

/** The text with every part between its marks brought up to date. `read`: a file of `schemas/`. @throws Error no such part */
export const withParts = (text: string, read: (path: string) => string | undefined): string =>
  text.replaceAll(MARK, (_, kind: string, name: string) => {
    const part = kind === 'file' ? file(name, read(name)) : kind === 'keys' ? keys(Number(name)) : examples(name);
    return `<!-- ${kind}: ${name} -->\n\n${part}\n\n<!-- end -->`;
  });

const file = (path: string, text: string | undefined): string => {
  const language = LANGUAGES[path.slice(path.lastIndexOf('.') + 1)];
  if (text === undefined || language === undefined)
    throw new Error(`schemas/README.md names ${path}, which is no part`);
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
};

const UNITS: readonly (readonly [tenant: string | undefined, correlationId: string])[] = [
  [undefined, 'c-1'],
  ['acme', 'c-1'],
  ['b\u00fcro', 'Anfrage-\u00fc-1'],
  ['1:a', 'b'],
  [undefined, '\u{1f600}'],
];

/** Record keys, and where they belong among so many partitions. */
const keys = (partitions: number): string =>
  [
    `| tenant | correlation ID | record key | as bytes | of ${partitions} partitions |`,
    '| --- | --- | --- | --- | --- |',
    ...UNITS.map(([tenant, correlationId]) => {
      const key = recordKey(tenant, correlationId);
      const hex = Buffer.from(utf8(key)).toString('hex');
      const cells = [tenant ?? '', correlationId, key, hex].map((text) => (text === '' ? 'none' : `\`${text}\``));
      return `| ${cells.join(' | ')} | ${partitionOf(utf8(key), partitions)} |`;
    }),
  ].join('\n');

/** One example of every record of a topic, as JSON and as a frame. */
const examples = (topic: string): string => {
  const records = PUBLIC.filter((subject) => subject.topic === topic);
  if (records.length === 0) throw new Error(`schemas/README.md names ${topic}, which is no topic`);
  return records
    .map(({ record }) => {
      const json = jsonText(avroJson(SCHEMAS[record], EXAMPLES[record]));
      const frame = frameOf(topicOf(record), record, EXAMPLES[record]);
      return `\`${record}\`\n\n\`\`\`json\n${json}\n\`\`\`\n\n\`\`\`text\n${frame}\n\`\`\``;
    })
    .join('\n\n');
};
