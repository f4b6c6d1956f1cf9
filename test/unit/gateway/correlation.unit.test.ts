import { describe, expect, test } from '@jest/globals';
import { correlationOf, seenCorrelation, withCorrelation } from '../../../services/gateway/correlation.js';
import { LIFECYCLE_EXTENSION } from '../../../topology/a2a/lifecycle.js';

const SENDING = { agentId: 'w1', principal: 'p', messageId: 'm' };
const MESSAGE = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hello' }] };
const derived = (message: object = MESSAGE, sending: Parameters<typeof correlationOf>[1] = SENDING) =>
  correlationOf({ message }, sending);
const withMetadata = (lifecycle: object) => ({ ...MESSAGE, metadata: { [LIFECYCLE_EXTENSION]: lifecycle } });

describe('the correlation ID', () => {
  test.each(['c', ' C ', '', 'é\u0000', '0:c'].filter((id) => id !== ''))(
    'should be the client’s own as it stands: %j',
    (id) => {
      expect(derived(withMetadata({ correlationId: id }))).toBe(id);
    },
  );

  test('should be derived the same for a retry, whatever the order of fields', () => {
    expect(derived({ parts: MESSAGE.parts, role: MESSAGE.role, messageId: 'm' })).toBe(derived());
  });

  test.each<[string, string]>([
    ['agent', derived(MESSAGE, { ...SENDING, agentId: 'w2' })],
    ['caller', derived(MESSAGE, { ...SENDING, principal: 'q' })],
    ['tenant', derived(MESSAGE, { ...SENDING, tenant: 't' })],
    ['message ID', derived(MESSAGE, { ...SENDING, messageId: 'n' })],
    ['message', derived({ ...MESSAGE, parts: [{ text: 'other' }] })],
    ['empty text, which is no key', derived(withMetadata({ correlationId: '' }))],
  ])('should be another for another %s', (_, other) => {
    expect(other).not.toBe(derived());
  });

  test('should be written beside what the metadata holds', () => {
    const params = {
      message: { ...MESSAGE, metadata: { own: 1, [LIFECYCLE_EXTENSION]: { skillId: 's' } } },
      tenant: 't',
    };
    expect(withCorrelation(params, 'c')).toStrictEqual({
      ...params,
      message: { ...MESSAGE, metadata: { own: 1, [LIFECYCLE_EXTENSION]: { skillId: 's', correlationId: 'c' } } },
    });
  });

  test('should leave a request alone that has it', () => {
    const params = { message: withMetadata({ correlationId: 'c' }) };
    expect(withCorrelation(params, 'c')).toBe(params);
  });

  test('should be one for each task that was never dispatched', () => {
    const ids = [
      seenCorrelation('w1', undefined, 't'),
      seenCorrelation('w1', 't', ''),
      seenCorrelation('w1', 'x', 't'),
    ];
    expect(new Set(ids).size).toBe(3);
  });
});
