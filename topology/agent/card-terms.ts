import { field, isObject, isOverlong, MAX_ID_LENGTH, own, text, texts } from '../a2a/json.js';
import { LIFECYCLE_EXTENSION } from '../a2a/lifecycle.js';
import { readTaskState, type TaskState } from '../task/task-state.js';
import type { CardTerms, Skill } from './agent-records.js';

export type ReadCard =
  | { readonly kind: 'card'; readonly terms: CardTerms; readonly version?: string }
  | { readonly kind: 'invalid'; readonly reason: string };

const invalid = (reason: string): ReadCard => ({ kind: 'invalid', reason });

/**
 * Reads what an Agent Card (A2A 1.0 or 0.3) promises. Lists may be absent (ProtoJSON drops empty ones), but what is there
 * must be of its type: half a card is no card (R7). States come from the lifecycle extension alone (R4).
 */
export const readCard = (body: unknown): ReadCard => {
  if (!isObject(body)) return invalid('the body is no JSON object');
  if (Object.keys(body).length === 0) return invalid('the body is empty');
  if (text(own(body, 'name')) === undefined) return invalid('the card has no name');
  const modes = field(body, 'defaultOutputModes');
  if (!isTexts(modes)) return invalid('defaultOutputModes is no list of texts');
  const skills = readSkills(own(body, 'skills'));
  if (skills === undefined) return invalid('skills is no list of skills');
  if (texts(modes).some(isOverlong) || skills.some(({ id, outputModes = [] }) => [id, ...outputModes].some(isOverlong)))
    return invalid(`a skill or an output mode has a name of more than ${MAX_ID_LENGTH} characters`);
  const states = readStates(own(own(body, 'capabilities'), 'extensions'));
  if (states === 'invalid') return invalid('the lifecycle extension lists something that is no task state');
  const provider = text(own(own(body, 'provider'), 'organization'));
  const version = text(own(body, 'version'));
  if (isOverlong(provider ?? '') || isOverlong(version ?? ''))
    return invalid(`provider or version is longer than ${MAX_ID_LENGTH} characters`);
  return {
    kind: 'card',
    terms: {
      ...(states === undefined ? {} : { states }),
      defaultOutputModes: texts(modes),
      skills,
      ...(provider === undefined ? {} : { provider }),
    },
    ...(version === undefined ? {} : { version }),
  };
};

const isTexts = (value: unknown): boolean =>
  value === undefined || (Array.isArray(value) && value.every((item) => typeof item === 'string'));

const readSkills = (value: unknown): readonly Skill[] | undefined => {
  if (value === undefined) return [];
  if (!Array.isArray(value)) return undefined;
  const skills: Skill[] = [];
  for (const item of value) {
    const id = text(own(item, 'id'));
    const modes = field(item, 'outputModes');
    if (id === undefined || !isTexts(modes)) return undefined;
    skills.push(modes === undefined ? { id } : { id, outputModes: texts(modes) });
  }
  return skills;
};

/** `undefined`: the card lists none. Both spellings of a state are taken (R1). */
const readStates = (extensions: unknown): readonly TaskState[] | undefined | 'invalid' => {
  if (!Array.isArray(extensions)) return undefined;
  const ours: unknown = extensions.find((extension) => own(extension, 'uri') === LIFECYCLE_EXTENSION);
  const listed = own(own(ours, 'params'), 'states');
  if (listed === undefined) return undefined;
  if (!Array.isArray(listed)) return 'invalid';
  const states = new Set<TaskState>();
  for (const word of listed) {
    const read = readTaskState(typeof word === 'string' ? word : undefined);
    if (read.kind !== 'state') return 'invalid';
    states.add(read.state);
  }
  return [...states];
};
