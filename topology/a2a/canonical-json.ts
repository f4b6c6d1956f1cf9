import { isObject } from './json.js';

type Todo = { readonly text: string } | { readonly value: unknown };

const scalar = (value: unknown): string => {
  if (typeof value === 'string' || typeof value === 'boolean') return JSON.stringify(value);
  // What is no number of JSON (NaN, infinity) is written as null.
  return typeof value === 'number' ? JSON.stringify(value) : 'null';
};

/** What is still to be written of a container, last thing first: it is laid on a stack. */
const open = (value: readonly unknown[] | Readonly<Record<string, unknown>>): readonly Todo[] => {
  const [first, last, members] = isObject(value)
    ? [
        '{',
        '}',
        Object.keys(value)
          .sort()
          .map((key): readonly Todo[] => [{ text: `${JSON.stringify(key)}:` }, { value: value[key] }]),
      ]
    : ['[', ']', value.map((item): readonly Todo[] => [{ value: item }])];
  const inside = members.flatMap((member, i) => (i === 0 ? member : [{ text: ',' }, ...member]));
  return [{ text: first }, ...inside, { text: last }].reverse();
};

/**
 * The RFC 8785 text of parsed JSON: one text for one value, whatever order and spacing the agent chose, so that equal
 * data has an equal digest (R24). A lone surrogate, which the RFC forbids, is written as its escape. Walks with a stack
 * of its own: `JSON.stringify` gives up on a depth that `JSON.parse` took.
 */
export const canonicalJson = (value: unknown): string => {
  const written: string[] = [];
  const stack: Todo[] = [{ value }];
  for (let todo = stack.pop(); todo !== undefined; todo = stack.pop()) {
    if ('text' in todo) written.push(todo.text);
    else if (isObject(todo.value) || Array.isArray(todo.value)) for (const next of open(todo.value)) stack.push(next);
    else written.push(scalar(todo.value));
  }
  return written.join('');
};
