import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv, type ErrorObject } from 'ajv';
import { HoldfastError } from '../../infra/errors.js';
import type { Story } from './story.js';
import { STORY_SCHEMA } from './story-schema.js';

/** A file that cannot be run: unreadable, no JSON, or not in the story format. Names the file and the JSON pointer. */
export class StoryError extends HoldfastError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'HOLDFAST_STORY_INVALID', retryable: false, cause });
  }
}

const validate = new Ajv({ allErrors: false, strict: false }).compile<Story>(STORY_SCHEMA);

/** Reads one story. @throws StoryError */
export const readStory = async (file: string): Promise<Story> => {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new StoryError(`${file}: cannot be read`, cause);
  });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new StoryError(`${file}: is not JSON (${cause instanceof Error ? cause.message : String(cause)})`, cause);
  }
  return parseStory(json, file);
};

/** Validates a parsed story. `name` is what errors call it. @throws StoryError */
export const parseStory = (json: unknown, name: string): Story => {
  if (!validate(json)) {
    const error = validate.errors?.find(({ keyword }) => keyword !== 'if') ?? validate.errors?.[0];
    throw new StoryError(`${name}: ${error === undefined ? 'is not a story' : describe(error)}`);
  }
  const fault = orderFault(json);
  if (fault !== undefined) throw new StoryError(`${name}: ${fault}`);
  return json;
};

const describe = ({ instancePath, keyword, message, params }: ErrorObject): string => {
  const place = instancePath === '' ? '/' : instancePath;
  const named = params as Readonly<Record<string, unknown>>;
  if (keyword === 'additionalProperties')
    return `${instancePath}/${escapePointer(String(named.additionalProperty))}: unknown field`;
  if (keyword === 'enum' && Array.isArray(named.allowedValues))
    return `${place}: must be one of ${named.allowedValues.join(', ')}`;
  return `${place}: ${message ?? 'is not valid'}`;
};

const escapePointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** Events are numbered from 1 and their time never goes back. */
const orderFault = ({ when }: Story): string | undefined => {
  for (const [index, event] of when.entries()) {
    if (event.seq !== index + 1) return `/when/${index}/seq: must be ${index + 1}`;
    const before = when[index - 1];
    if (before !== undefined && event.at < before.at) return `/when/${index}/at: goes back in time`;
  }
  return undefined;
};

/** The story files under the given paths: files as named, folders with all their `.json`, sorted. @throws StoryError */
export const storyFiles = async (paths: readonly string[]): Promise<readonly string[]> => {
  const files: string[] = [];
  for (const path of paths) {
    const found = await stat(path).catch((cause: unknown) => {
      throw new StoryError(`${path}: no such file or folder`, cause);
    });
    if (!found.isDirectory()) {
      files.push(path);
      continue;
    }
    const names = (await readdir(path)).filter((name) => name.endsWith('.json')).sort();
    if (names.length === 0) throw new StoryError(`${path}: holds no .json file`);
    files.push(...names.map((name) => join(path, name)));
  }
  return files;
};
