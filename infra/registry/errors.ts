import { HoldfastError } from '../errors.js';

/** The registry cannot be asked, or refuses to answer: nothing is known about the schema in question. */
export class RegistryUnreachableError extends HoldfastError {
  readonly url: string;

  constructor(url: string, detail: string, cause?: unknown) {
    super(`the schema registry ${url} gives no answer: ${detail}`, {
      code: 'HOLDFAST_REGISTRY_UNREACHABLE',
      retryable: true,
      cause,
    });
    this.url = url;
  }
}

/** The registry does not let this client in, or not do this. It may do so later: secrets are read anew each time. */
export class RegistryRefusedError extends HoldfastError {
  readonly url: string;

  constructor(url: string, status: number) {
    super(
      status === 401
        ? `the schema registry ${url} does not know who asks (401): is registry.auth right?`
        : `the schema registry ${url} does not allow this (${status}): has the user of registry.auth the right to it?`,
      { code: 'HOLDFAST_REGISTRY_REFUSED', retryable: true },
    );
    this.url = url;
  }
}

/** The registry does not hold a schema that this version writes. A service never registers one itself. */
export class SchemasNotRegisteredError extends HoldfastError {
  readonly subjects: readonly string[];

  constructor(url: string, subjects: readonly string[]) {
    const others = subjects.length > 1 ? ` and ${subjects.length - 1} others` : '';
    super(
      `the schema registry ${url} lacks ${subjects[0] ?? 'schemas'}${others}: is the topic prefix right? Else run "holdfast schemas register"`,
      {
        code: 'HOLDFAST_REGISTRY_NOT_REGISTERED',
        retryable: false,
      },
    );
    this.subjects = subjects;
  }
}

/** The registry says that a schema has an ID under which it gives another one: what is written under it nobody can read. */
export class RegistryContradictsItselfError extends HoldfastError {
  readonly subject: string;

  constructor(url: string, subject: string, id: number, detail: string) {
    super(
      `the schema registry ${url} says that the schema of ${subject} has the ID ${id}, but under that ID ${detail}: ` +
        'is a proxy between, or are its IDs of two kinds (Apicurio: global and content IDs)? Nothing is written',
      { code: 'HOLDFAST_REGISTRY_CONTRADICTS_ITSELF', retryable: false },
    );
    this.subject = subject;
  }
}

/** The registry refused a schema: it is not compatible with the versions before it. */
export class SchemaRefusedError extends HoldfastError {
  readonly subject: string;

  constructor(subject: string, detail: string, cause?: unknown) {
    super(`the schema registry refuses the schema of ${subject}: ${detail}`, {
      code: 'HOLDFAST_REGISTRY_SCHEMA_REFUSED',
      retryable: false,
      cause,
    });
    this.subject = subject;
  }
}

/** A value does not fit the schema of its record: a fault of the program that made it. */
export class UnencodableError extends HoldfastError {
  readonly record: string;

  constructor(record: string, topic: string, detail: string, cause?: unknown) {
    super(`no ${record} for ${topic} can be made of this value: ${detail}`, {
      code: 'HOLDFAST_REGISTRY_UNENCODABLE',
      retryable: false,
      cause,
    });
    this.record = record;
  }
}
