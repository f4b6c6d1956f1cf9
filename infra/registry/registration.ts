import { COMPATIBILITY, type Subject } from '../../schemas/catalogue.js';
import { HoldfastError } from '../errors.js';
import type { RegistryClient } from './registry-client.js';

/** What registering a schema led to. */
export type Registration = { readonly subject: string } & (
  | { readonly outcome: 'new' | 'new-version' | 'unchanged'; readonly id: number }
  | { readonly outcome: 'refused'; readonly detail: string }
);

/** What is wrong with a subject; `registered`: nothing. */
export type SubjectState = { readonly subject: string; readonly id?: number } & (
  | { readonly state: 'registered' | 'missing' | 'different' }
  | { readonly state: 'wrong-compatibility'; readonly compatibility: string }
);

/** Registers every schema under its subject, one after the other. @throws RegistryUnreachableError */
export const registerAll = async (
  client: RegistryClient,
  wanted: readonly Subject[],
): Promise<readonly Registration[]> => {
  const registrations: Registration[] = [];
  for (const { subject, schema } of wanted) registrations.push(await registerOne(client, subject, schema));
  return registrations;
};

const registerOne = async (client: RegistryClient, subject: string, schema: string): Promise<Registration> => {
  const before = await client.idOf(subject, schema);
  const existed = before !== undefined || (await client.exists(subject));
  try {
    // Also where the schema is there already: its compatibility may not be.
    const id = await client.register(subject, schema);
    return { subject, id, outcome: before !== undefined ? 'unchanged' : existed ? 'new-version' : 'new' };
  } catch (error) {
    if (error instanceof HoldfastError && error.code === 'HOLDFAST_REGISTRY_SCHEMA_REFUSED')
      return { subject, outcome: 'refused', detail: error.message };
    throw error;
  }
};

/** Compares the registry with the catalogue; changes nothing. @throws RegistryUnreachableError */
export const checkAll = (client: RegistryClient, wanted: readonly Subject[]): Promise<readonly SubjectState[]> =>
  Promise.all(wanted.map(({ subject, schema }) => checkOne(client, subject, schema)));

const checkOne = async (client: RegistryClient, subject: string, schema: string): Promise<SubjectState> => {
  const id = await client.idOf(subject, schema);
  if (id === undefined) return { subject, state: (await client.exists(subject)) ? 'different' : 'missing' };
  const compatibility = await client.compatibility(subject);
  if (compatibility === COMPATIBILITY) return { subject, id, state: 'registered' };
  return { subject, id, state: 'wrong-compatibility', compatibility: compatibility ?? 'not set' };
};
