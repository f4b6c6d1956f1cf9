import { describe, expect, test } from '@jest/globals';
import { principalOf } from '../../../services/gateway/principal.js';
import { tokenOf } from './gateway-twin.js';

const of = (credentials: Parameters<typeof principalOf>[0]) => principalOf(credentials, 'salt');
const jwt = (claims: object, signature = 's') =>
  `Bearer e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}`;

describe('the principal', () => {
  test('should be the same for every token of a subject, and another for another', () => {
    const first = of({ authorization: jwt({ iss: 'i', sub: 'alice', exp: 1 }, 'x') });
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(of({ authorization: jwt({ iss: 'i', sub: 'alice', exp: 2 }, 'y') })).toBe(first);
    expect(of({ authorization: jwt({ iss: 'i', sub: 'bob' }) })).not.toBe(first);
    expect(of({ authorization: jwt({ iss: 'j', sub: 'alice' }) })).not.toBe(first);
    expect(principalOf({ authorization: jwt({ iss: 'i', sub: 'alice' }) }, 'other salt')).not.toBe(first);
  });

  test('should keep issuer and subject apart', () => {
    expect(of({ authorization: jwt({ iss: 'a', sub: 'bc' }) })).not.toBe(
      of({ authorization: jwt({ iss: 'ab', sub: 'c' }) }),
    );
  });

  test('should be the token’s before the certificate’s before the key’s', () => {
    const token = of({ authorization: tokenOf('alice') });
    const certificate = of({ certificateSubject: 'CN=alice' });
    const key = of({ apiKeyId: 'alice' });
    expect(new Set([token, certificate, key]).size).toBe(3);
    expect(of({ authorization: tokenOf('alice'), certificateSubject: 'CN=alice', apiKeyId: 'alice' })).toBe(token);
    expect(of({ certificateSubject: 'CN=alice', apiKeyId: 'alice' })).toBe(certificate);
  });

  test.each([
    ['nothing', {}],
    ['an opaque token, which is a credential', { authorization: 'Bearer 0123456789' }],
    ['a token without a subject', { authorization: jwt({ iss: 'i' }) }],
    ['a token that is no JSON', { authorization: 'Bearer a.b.c' }],
    ['a token with two parts', { authorization: 'Bearer e30.e30' }],
    ['another scheme', { authorization: 'Basic YTpi' }],
  ])('should be absent for %s', (_, credentials) => {
    expect(of(credentials)).toBeUndefined();
  });
});
