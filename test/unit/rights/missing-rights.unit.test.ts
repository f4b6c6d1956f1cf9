import { describe, expect, it } from '@jest/globals';
import { HoldfastError } from '../../../infra/errors.js';
import { NotAuthorizedError, translate } from '../../../infra/kafka/kafka-errors.js';
import { BrokerError, MembershipLostError } from '../../../infra/streams/errors.js';
import { asRole, explained } from '../../../services/rights/missing-rights.js';

const NAMING = { topicPrefix: 'p.' };

type Refusals = ConstructorParameters<typeof NotAuthorizedError>[1];

const refused = (...refusals: Refusals): NotAuthorizedError => new NotAuthorizedError('refused', refusals);

const told = (error: unknown): string => {
  const found = explained(error, 'ledger', NAMING);
  if (!(found instanceof NotAuthorizedError)) throw new Error(`not explained: ${String(found)}`);
  return found.message;
};

describe('a missing right', () => {
  it('should be the one of the list that the refused operation follows from', () => {
    const error = refused({ operation: 'Describe', resource: 'Topic', name: 'p.a2a.verdicts.v1' });

    expect(told(error)).toBe(
      'the ledger may not Describe Topic p.a2a.verdicts.v1: grant its principal Write on Topic p.a2a.verdicts.v1; ' +
        '"holdfast rights list --role ledger" has all that it needs',
    );
  });

  it('should be all that are missing where a thing may not even be known of', () => {
    const error = refused(
      { operation: 'Describe', resource: 'Topic', name: 'p.a2a.ledger.v1' },
      { operation: 'Describe', resource: 'Topic', name: 'p.a2a.agents.v1' },
      { operation: 'Read', resource: 'Group', name: 'p.holdfast-ledger' },
    );

    expect(told(error)).toBe(
      'the ledger may not Describe Topic p.a2a.agents.v1, p.a2a.ledger.v1, Read Group p.holdfast-ledger: grant its ' +
        'principal Read on Topic p.a2a.agents.v1, p.a2a.ledger.v1, Write on Topic p.a2a.ledger.v1, ' +
        'Read on Group p.holdfast-ledger; "holdfast rights list --role ledger" has all that it needs',
    );
  });

  it('should be a prefix where many names begin with it', () => {
    const error = refused({ operation: 'Write', resource: 'TransactionalId', name: 'p.holdfast-ledger.g11' });

    expect(told(error)).toContain('grant its principal Write on TransactionalId p.holdfast-ledger.g;');
  });

  it('should be any topic to write where not even a producer ID is given out', () => {
    const error = refused({ operation: 'IdempotentWrite', resource: 'Cluster', name: 'kafka-cluster' });
    const found = explained(error, 'gateway', NAMING);

    expect(found instanceof Error && found.message).toBe(
      'the gateway may not IdempotentWrite Cluster kafka-cluster: grant its principal ' +
        'Write on Topic p.a2a.inputs.v1, p.a2a.task-events.v1; "holdfast rights list --role gateway" has all that it needs',
    );
  });

  it('should be what was refused where the list knows nothing of it', () => {
    const error = refused({ operation: 'Alter', resource: 'Topic', name: 'somebody-elses' });

    expect(told(error)).toContain(
      'may not Alter Topic somebody-elses: grant its principal Alter on Topic somebody-elses;',
    );
  });

  it('should be found behind other errors, and found once', () => {
    const error = refused({ operation: 'Read', resource: 'Topic', name: 'p.a2a.task-events.v1' });
    const behind = new MembershipLostError('p.holdfast-ledger', error);

    expect(told(behind)).toBe(told(error));
    expect(told(explained(behind, 'ledger', NAMING))).toBe(told(error));
    expect(explained(behind, 'ledger', NAMING)).toMatchObject({
      code: 'HOLDFAST_KAFKA_NOT_AUTHORIZED',
      retryable: false,
      cause: behind,
    });
  });

  it('should leave every other error as it is', async () => {
    const error = new BrokerError('gone');

    await expect(asRole('ledger', NAMING, () => Promise.reject(error))).rejects.toBe(error);
    await expect(asRole('ledger', NAMING, () => Promise.resolve(1))).resolves.toBe(1);
  });
});

describe('a refusal by the broker', () => {
  it('should be told with the names that kafkajs’s error carries, under whatever wrappers', () => {
    const inner = Object.assign(new Error('Not authorized'), {
      type: 'TOPIC_AUTHORIZATION_FAILED',
      refusals: [{ operation: 'Write', resource: 'Topic', name: 'a2a.inputs.v1' }],
    });
    const found: HoldfastError = translate('producing', new Error('gave up', { cause: inner }));

    expect({ name: found.name, code: found.code, message: found.message }).toStrictEqual({
      name: 'NotAuthorizedError',
      code: 'HOLDFAST_KAFKA_NOT_AUTHORIZED',
      message: 'producing: the brokers do not let this principal Write Topic a2a.inputs.v1',
    });
  });
});
