import { createHash, type Hash } from 'node:crypto';
import type { WireArtifact } from '../../topology/a2a/exchange.js';
import type { PartContent } from '../../topology/a2a/part.js';
import type { ArtifactObserved } from '../../topology/observation.js';

const addPart = (hash: Hash, { encoding, body }: PartContent): void => {
  hash.update(encoding === 'base64' ? Buffer.from(body, 'base64') : Buffer.from(body));
};

/**
 * SHA-256 of artifacts (R21, R23): `digest` over the part bytes of this content, `assembled` over those of the artifact as
 * it stands with it. Part bytes simply follow one another, without a frame, so a streamed artifact and the same one polled
 * whole have one digest, also where the agent's store joined the parts of several chunks. One instance for each answer:
 * two streams of one task show the same chunks, and must not count them twice.
 */
export class ArtifactDigests {
  readonly #running = new Map<string, Hash>();

  /** The observation without its bodies, which are not kept (R23). */
  take({ content, ...artifact }: WireArtifact): ArtifactObserved {
    const own = createHash('sha256');
    for (const part of content) addPart(own, part);
    const place = JSON.stringify([artifact.agentId, artifact.serverTaskId, artifact.artifactId]);
    const digest = own.copy().digest('hex');
    if (!isAddition(artifact)) {
      this.#running.set(place, own);
      return { ...artifact, digest };
    }
    const running = this.#running.get(place);
    // Joined in the middle: what was before is not known, so neither is the whole.
    if (running === undefined) return { ...artifact, digest };
    for (const part of content) addPart(running, part);
    return { ...artifact, digest, assembled: running.copy().digest('hex') };
  }
}

/** Only an update adds; every other road shows the artifact whole, whatever it says of itself. */
const isAddition = ({ append, via }: ArtifactObserved): boolean =>
  append && (via === 'status-update' || via === 'push');
