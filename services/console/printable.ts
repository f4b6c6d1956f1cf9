/** The colours that `paint` writes, and their ends: the only control sequences that may reach a terminal. */
const COLOUR = new RegExp(`(${String.fromCharCode(27)}\\[(?:[12]|22|3[1-6]|39)m)`);
const CONTROL = /[\p{Cc}\u2028\u2029]/gu;

/**
 * Text that stays on its line and cannot command a terminal: IDs and reasons come from agents, and may hold anything.
 * Control characters are shown as JSON spells them.
 */
export const printable = (text: string): string =>
  text
    .split(COLOUR)
    .map((piece, index) => (index % 2 === 1 ? piece : piece.replace(CONTROL, escaped)))
    .join('');

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
