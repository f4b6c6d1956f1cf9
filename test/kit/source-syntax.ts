import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** A source file, by its path from the root of the checkout. */
export type Source = { readonly file: string; readonly text: string };

/** An error code in the code, and the class that carries it. */
export type CodeSite = { readonly code: string; readonly class: string; readonly file: string };

/** A warning or error that is logged; `message` is the part of it that is always the same. */
export type LogSite = { readonly message: string; readonly file: string };

const BASE = 'HoldfastError';
const LOUD: ReadonlySet<string> = new Set(['warn', 'error', 'fatal']);

/** The TypeScript under these folders of the checkout. */
export const sourcesIn = (root: string, folders: readonly string[]): readonly Source[] =>
  folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
      .map((name) => ({ file: `${folder}/${name}`, text: readFileSync(join(root, folder, name), 'utf8') })),
  );

/** Classes that extend `HoldfastError`, themselves or by another. */
export const errorClassesIn = (sources: readonly Source[]): readonly string[] => {
  const parents = new Map<string, string>();
  for (const { nodes } of sources.map(parsed))
    for (const node of nodes) {
      const parent = ts.isClassDeclaration(node)
        ? node.heritageClauses?.[0]?.types[0]?.expression.getText()
        : undefined;
      if (ts.isClassDeclaration(node) && node.name !== undefined && parent !== undefined)
        parents.set(node.name.text, parent);
    }
  const isError = (name: string | undefined): boolean =>
    name !== undefined && (name === BASE || isError(parents.get(name)));
  return [...parents.keys()].filter(isError).sort();
};

/** Every place that gives an error its code; comparisons and types are none. */
export const codeSitesIn = (sources: readonly Source[]): readonly CodeSite[] => {
  const classes = new Set(errorClassesIn(sources));
  return sources.flatMap((source) =>
    parsed(source)
      .nodes.filter(ts.isStringLiteral)
      .filter((node) => /^HOLDFAST_[A-Z_]+$/.test(node.text) && isGiven(node))
      .map((node) => ({ code: node.text, class: carrierOf(node, classes), file: source.file })),
  );
};

/** Every warning and error that is logged through a logger. */
export const logSitesIn = (sources: readonly Source[]): readonly LogSite[] =>
  sources.flatMap((source) =>
    parsed(source)
      .nodes.filter(ts.isCallExpression)
      .filter(
        ({ expression }) =>
          ts.isPropertyAccessExpression(expression) &&
          LOUD.has(expression.name.text) &&
          /logger$/i.test(expression.expression.getText()),
      )
      .map(({ arguments: [, message] }) => ({ message: messageOf(message), file: source.file })),
  );

const parsed = ({ file, text }: Source): { readonly nodes: readonly ts.Node[] } => {
  const nodes: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    nodes.push(node);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return { nodes };
};

const isGiven = ({ parent }: ts.Node): boolean => {
  if (ts.isLiteralTypeNode(parent)) return false;
  return !(ts.isBinaryExpression(parent) && /^[!=]==$/.test(parent.operatorToken.getText()));
};

/** The class around it that is an error, or the one that is made with it. */
const carrierOf = (node: ts.Node, classes: ReadonlySet<string>): string => {
  for (let at = node.parent as ts.Node | undefined; at !== undefined; at = at.parent as ts.Node | undefined) {
    const name = ts.isNewExpression(at) ? at.expression.getText() : ts.isClassDeclaration(at) ? at.name?.text : '';
    if (name !== undefined && classes.has(name)) return name;
  }
  return BASE;
};

const messageOf = (message: ts.Expression | undefined): string => {
  if (message === undefined) return '';
  if (ts.isStringLiteralLike(message)) return message.text;
  return ts.isTemplateExpression(message) ? message.head.text.replace(/[:\s]+$/, '') : '';
};
