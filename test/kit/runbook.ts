/** One entry of the runbook: what it is about, and its paragraphs by label, in order. */
export type RunbookEntry = {
  readonly chapter: string;
  readonly title: string;
  readonly says: readonly (readonly [label: string, text: string])[];
};

/** Reads chapters (`##`), entries (`###`) and their labelled items (`- **Label:** text`). */
export const readRunbook = (markdown: string): readonly RunbookEntry[] => {
  const entries: { chapter: string; title: string; says: [string, string][] }[] = [];
  let chapter = '';
  for (const line of markdown.split('\n')) {
    const [, level, heading = ''] = /^(##|###) (.+)$/.exec(line) ?? [];
    const [, label, text = ''] = /^- \*\*([A-Z][a-z]+):\*\* (.*)$/.exec(line) ?? [];
    const entry = entries.at(-1);
    if (level === '##') chapter = heading;
    else if (level === '###') entries.push({ chapter, title: heading.replaceAll(/[`\\]/g, ''), says: [] });
    else if (label !== undefined) entry?.says.push([label, text]);
    else if (line.startsWith('  ') && entry !== undefined) {
      const last = entry.says.at(-1);
      if (last !== undefined) last[1] += ` ${line.trim()}`;
    }
  }
  return entries;
};
