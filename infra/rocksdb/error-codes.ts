/** The codes of an error and of its causes, outermost first. By shape: errors of native code may be of another realm. */
export const codesOf = (error: unknown): readonly unknown[] => {
  const codes: unknown[] = [];
  for (let at = error; typeof at === 'object' && at !== null; at = 'cause' in at ? at.cause : undefined)
    codes.push('code' in at ? at.code : undefined);
  return codes;
};

/** What an error and its causes say, outermost first. */
export const messagesOf = (error: unknown): string => {
  const messages: string[] = [];
  for (let at = error; typeof at === 'object' && at !== null; at = 'cause' in at ? at.cause : undefined)
    if ('message' in at) messages.push(String(at.message));
  return messages.length === 0 ? String(error) : messages.join(': ');
};
