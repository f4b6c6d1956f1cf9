import { isTooComplex, own, readBody, spelling } from '../../topology/a2a/json.js';

/**
 * What keeps a text from being the answer to the JSON-RPC request of this ID, in the word under which it is observed;
 * `undefined`: nothing. A batch answers nobody here, and under another ID somebody else. An ID that is missing or null, as
 * where the request could not be read, or that was made a text of, is put up with.
 */
export const answerFault = (id: unknown, text: string): 'too-complex' | 'batch' | 'other-id' | undefined => {
  if (isTooComplex(text)) return 'too-complex';
  const body = readBody(text);
  if (Array.isArray(body)) return 'batch';
  const answered = own(body, 'jsonrpc') === undefined ? undefined : own(body, 'id');
  return answered === undefined || spelling(answered) === spelling(id) ? undefined : 'other-id';
};
