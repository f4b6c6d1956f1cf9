import { styleText } from 'node:util';

type Stream = { readonly isTTY?: boolean; readonly columns?: number };
type Style = 'red' | 'green' | 'yellow' | 'cyan' | 'dim' | 'bold';
export type Paint = (style: Style, text: string) => string;

/**
 * Whether a stream shows colours: `--no-color` (which sets NO_COLOR), then NO_COLOR, then FORCE_COLOR, then whether it is
 * a terminal. Decided here and not by `styleText`, whose own ways differ between versions of Node.
 */
export const showsColours = (stream: Stream, env: NodeJS.ProcessEnv = process.env): boolean => {
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  return stream.isTTY === true && env.TERM !== 'dumb';
};

export const painter = (stream: Stream, env?: NodeJS.ProcessEnv): Paint =>
  showsColours(stream, env) ? (style, text) => styleText(style, text, { validateStream: false }) : (_, text) => text;

/** Columns that a line may take; `undefined` where it is no terminal: what is piped is never cut. */
export const widthOf = ({ isTTY, columns }: Stream): number | undefined =>
  isTTY === true && columns !== undefined && columns > 0 ? columns : undefined;
