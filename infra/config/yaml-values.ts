import { isAlias, LineCounter, parseDocument, visit, type Document, type ErrorCode } from 'yaml';

/** Something that is wrong with a YAML text. It never quotes the text, which may hold a secret. */
export type YamlFault = { readonly offset?: number; readonly text: string };

export type YamlValues = {
  readonly document: Document;
  readonly lines: LineCounter;
  readonly values: unknown;
  readonly faults: readonly YamlFault[];
};

/** What a YAML text says; with faults, `values` is empty. */
export const yamlValues = (source: string): YamlValues => {
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false });
  const faults = [
    ...document.errors.map(({ code, pos: [offset] }) => ({ offset, text: KINDS[code] })),
    ...unknownAliases(document),
  ];
  if (faults.length > 0) return { document, lines, values: undefined, faults };
  try {
    return { document, lines, values: document.toJS() as unknown, faults };
  } catch {
    // Its message may name an anchor.
    return { document, lines, values: undefined, faults: [{ text: 'has aliases (*) that lead too far' }] };
  }
};

const unknownAliases = (document: Document): readonly YamlFault[] => {
  const faults: YamlFault[] = [];
  visit(document, {
    Alias: (_, alias) => {
      if (isAlias(alias) && alias.resolve(document) === undefined)
        faults.push({
          ...(Array.isArray(alias.range) ? { offset: alias.range[0] } : {}),
          text: 'is an alias (*) of nothing; quote a text that begins with *',
        });
    },
  });
  return faults;
};

/** The messages of the parser itself quote what stands there. */
const KINDS: Readonly<Record<ErrorCode, string>> = {
  ALIAS_PROPS: 'is an alias (*) with an anchor or tag',
  BAD_ALIAS: 'is no alias; quote a text that begins with *',
  BAD_COLLECTION_TYPE: 'has a tag (!) that does not fit what stands there',
  BAD_DIRECTIVE: 'has a directive (%) that is not known',
  BAD_DQ_ESCAPE: 'has an unknown escape (\\) between double quotes; use single ones',
  BAD_INDENT: 'is not indented as what stands around it',
  BAD_PROP_ORDER: 'has an anchor or tag in a wrong place',
  BAD_SCALAR_START: 'begins with a character that has to be quoted',
  BLOCK_AS_IMPLICIT_KEY: 'has more than one "key: value" in a line, or a text with ": " that has to be quoted',
  BLOCK_IN_FLOW: 'has a block within brackets',
  DUPLICATE_KEY: 'is a key that stands there twice',
  IMPOSSIBLE: 'is not YAML',
  KEY_OVER_1024_CHARS: 'has a key of more than 1024 characters',
  MISSING_CHAR: 'lacks a character: a quote, bracket, comma, colon or space',
  MULTILINE_IMPLICIT_KEY: 'has a key of several lines, or lacks a colon',
  MULTIPLE_ANCHORS: 'has more than one anchor (&)',
  MULTIPLE_DOCS: 'begins a second document; one is read',
  MULTIPLE_TAGS: 'has more than one tag (!)',
  NON_STRING_KEY: 'has a key that is no text',
  RESOURCE_EXHAUSTION: 'is nested too deeply',
  TAB_AS_INDENT: 'is indented with a tab; use spaces',
  TAG_RESOLVE_FAILED: 'has a tag (!) that is not known; quote a text that begins with !',
  UNEXPECTED_TOKEN: 'has something that does not belong there; quote a text with special characters',
};
