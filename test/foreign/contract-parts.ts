import { avroJson, jsonText } from './avro-json.js';
import { EXAMPLES } from './examples.js';
import { PUBLIC } from './golden.js';
import { SCHEMAS } from '../../schemas/generated.js';

/** Parts of `schemas/README.md` that stand elsewhere: files of `schemas/examples/`, and one example of every record. */

const MARK = /<!-- (file|examples): (\S+) -->\n[\s\S]*?<!-- end -->/g;
const LANGUAGES: Readonly<Record<string, string>> = { py: 'python', java: 'java' };

/** The text with every part between its marks brought up to date. `read`: a file of `schemas/`. @throws Error no such part */
export const withParts = (text: string, read: (path: string) => string | undefined): string =>
  text.replaceAll(MARK, (_, kind: string, name: string) => {
    const part = kind === 'file' ? file(name, read(name)) : examples(name);
    return `<!-- ${kind}: ${name} -->\n\n${part}\n\n<!-- end -->`;
  });

const file = (path: string, text: string | undefined): string => {
  const language = LANGUAGES[path.slice(path.lastIndexOf('.') + 1)];
  if (text === undefined || language === undefined)
    throw new Error(`schemas/README.md names ${path}, which is no part`);
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
};

/** Every record of a topic, as JSON in one line. */
const examples = (topic: string): string => {
  const records = PUBLIC.filter((subject) => subject.topic === topic);
  if (records.length === 0) throw new Error(`schemas/README.md names ${topic}, which is no topic`);
  return records
    .map(
      ({ record }) =>
        `- \`${record}\`\n\n  \`\`\`json\n  ${jsonText(avroJson(SCHEMAS[record], EXAMPLES[record]))}\n  \`\`\``,
    )
    .join('\n');
};
