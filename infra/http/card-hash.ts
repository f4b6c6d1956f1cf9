import { createHash } from 'node:crypto';
import { canonicalJson } from '../../topology/a2a/canonical-json.js';

/** SHA-256, in hex, of a card body's RFC 8785 form: what tells one card version from another (R6). */
export const cardHash = (body: unknown): string => createHash('sha256').update(canonicalJson(body)).digest('hex');
