import type { JsonObject } from '../../topology/a2a/json.js';
import type { AskedBy, UnitOfWork } from '../../topology/a2a/word-observations.js';
import type { Coordinates } from '../../topology/kit/coordinates.js';
import type { Reply } from './operation.js';
import type { NamesOf } from './rename.js';

/** A question as it is put to an agent. */
export type Leg = {
  /** Whose words they are; absent: the answer says nothing of a task's life, and is not observed. */
  readonly unit?: UnitOfWork;
  /** The unit is only a guess of ours: a task that names its own is of that one (R50). */
  readonly guessed?: boolean;
  readonly agentId: string;
  readonly asker: AskedBy;
  readonly params: JsonObject;
  readonly headers: Readonly<Record<string, string>>;
  readonly namesOf: NamesOf;
};
export type ObservedLeg = Leg & { readonly unit: UnitOfWork };

/** `lost`: where the agent's TaskNotFound lies on the log. Nothing of it was passed on. */
export type Relayed = { readonly reply: Reply; readonly lost?: Coordinates };
