/** A fenced block of a document. */
export type Fence = { readonly language: string; readonly text: string; readonly line: number };

/** A line that a reader may type, or a command that a sentence names. */
export type Sample = { readonly text: string; readonly line: number; readonly inline: boolean };

export const fencesIn = (markdown: string): readonly Fence[] => {
  const fences: Fence[] = [];
  let open: { language: string; lines: string[]; line: number } | undefined;
  for (const [index, line] of markdown.split('\n').entries()) {
    const [, language] = /^\s*```(\S*)/.exec(line) ?? [];
    if (language === undefined) open?.lines.push(line);
    else if (open === undefined) open = { language, lines: [], line: index + 2 };
    else {
      fences.push({ language: open.language, text: open.lines.join('\n'), line: open.line });
      open = undefined;
    }
  }
  return fences;
};

/** Everything outside the fences, with the lines where they were. */
const proseOf = (markdown: string): string => {
  let fenced = false;
  return markdown
    .split('\n')
    .map((line) => {
      const isFence = line.trimStart().startsWith('```');
      if (isFence) fenced = !fenced;
      return isFence || fenced ? '' : line;
    })
    .join('\n');
};

/** Targets of links that are files of this repository, as they are written. */
export const linksIn = (markdown: string): readonly string[] =>
  [...proseOf(markdown).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target));

/** Code in sentences. */
export const inlineCodeIn = (markdown: string): readonly Sample[] => {
  const prose = proseOf(markdown);
  return [...prose.matchAll(/`([^`]+)`/g)].map(({ 1: code = '', index }) => ({
    text: code.replaceAll(/\s+/g, ' '),
    line: prose.slice(0, index).split('\n').length,
    inline: true,
  }));
};

/** Lines of fenced shell; a fence that names no language may be shell. Comments are cut off. */
export const shellLinesIn = (markdown: string): readonly Sample[] =>
  fencesIn(markdown)
    .filter(({ language }) => ['', 'sh', 'bash', 'shell'].includes(language))
    .flatMap(({ text, line }) =>
      text.split('\n').map((command, index) => ({
        text: command.replace(/(^|\s+)#.*$/, '').trim(),
        line: line + index,
        inline: false,
      })),
    );
