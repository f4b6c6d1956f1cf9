import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ArtifactDigests } from '../../../services/gateway/artifact-digest.js';
import type { WireArtifact } from '../../../topology/a2a/exchange.js';
import { observe } from '../../../topology/a2a/observe.js';

type Part = { readonly text: string } | { readonly raw: string } | { readonly data: unknown };
const UNIT = { correlationId: 'c-1' };

/** What is observed of a stream that sends these chunks. */
const streamed = (chunks: readonly (readonly Part[])[], first: { readonly append: boolean } = { append: false }) => {
  const events = chunks.map((parts, index) => ({
    data: JSON.stringify({
      result: {
        artifactUpdate: {
          taskId: 't',
          contextId: 'c',
          artifact: { artifactId: 'a', parts },
          append: index > 0 || first.append,
        },
      },
    }),
  }));
  return artifactsIn({ status: 200, events, ended: 'clean' }, 'SendStreamingMessage');
};
const polled = (parts: readonly Part[]) => {
  const artifacts = [{ artifactId: 'a', parts }];
  const result = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' }, artifacts };
  return artifactsIn({ status: 200, body: { result } }, 'GetTask');
};
const artifactsIn = (answer: object, method: string) => {
  const request = { binding: 'JSONRPC', body: { method, params: { id: 't' } } } as const;
  const exchange = { kind: 'call', request, answer } as Parameters<typeof observe>[0];
  return observe(exchange, UNIT, 'w1', { by: 'client' }).filter((one) => one.type === 'ArtifactObserved');
};
const taken = (...artifacts: readonly WireArtifact[]) => {
  const digests = new ArtifactDigests();
  return artifacts.map((artifact) => digests.take(artifact)).at(-1);
};
const whole = (artifact: ReturnType<typeof taken>) => artifact?.assembled ?? artifact?.digest;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const part: fc.Arbitrary<Part> = fc.oneof(
  fc.string().map((text) => ({ text })),
  fc.uint8Array().map((bytes) => ({ raw: Buffer.from(bytes).toString('base64') })),
  fc.jsonValue().map((data) => ({ data: { data } })),
);

describe('the digest of an artifact', () => {
  test('should be the same whether it was streamed or polled whole', () => {
    fc.assert(
      fc.property(fc.array(fc.array(part), { minLength: 1 }), (chunks) => {
        expect(whole(taken(...streamed(chunks)))).toBe(whole(taken(...polled(chunks.flat()))));
      }),
    );
  });

  test('should be that of the bytes, also where the agent joined the parts', () => {
    const joined = whole(taken(...polled([{ text: 'one two' }])));
    expect(joined).toBe(sha256('one two'));
    expect(whole(taken(...streamed([[{ text: 'one ' }], [{ raw: Buffer.from('two').toString('base64') }]])))).toBe(
      joined,
    );
  });

  test('should be of the chunk and of the whole for an addition, and of the chunk for a beginning', () => {
    const [begun, added] = streamed([[{ text: 'a' }], [{ text: 'b' }]]);
    const digests = new ArtifactDigests();
    expect(begun && digests.take(begun)).toMatchObject({ digest: sha256('a') });
    expect(added && digests.take(added)).toMatchObject({ digest: sha256('b'), assembled: sha256('ab') });
  });

  test('should go on from a snapshot, and begin anew with a chunk that does not add', () => {
    const [added] = streamed([[{ text: 'b' }]], { append: true });
    const [anew] = streamed([[{ text: 'c' }]]);
    const snapshot = polled([{ text: 'a' }]);
    expect(added && taken(...snapshot, added)?.assembled).toBe(sha256('ab'));
    expect(added && anew && taken(...snapshot, anew, added)?.assembled).toBe(sha256('cb'));
  });

  test('should not pretend to know the whole of what was joined in the middle', () => {
    const added = taken(...streamed([[{ text: 'b' }]], { append: true }));
    expect(added).toMatchObject({ digest: sha256('b') });
    expect(added).not.toHaveProperty('assembled');
  });

  test('should leave no body in the observation', () => {
    expect(taken(...polled([{ text: 'secret' }]))).not.toHaveProperty('content');
  });
});
