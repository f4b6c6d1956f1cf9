import { createHash } from 'node:crypto';
import { canonicalJson } from '../../topology/a2a/canonical-json.js';
import { field, isObject, own, type JsonObject } from '../../topology/a2a/json.js';
import { LIFECYCLE_EXTENSION, readLifecycle } from '../../topology/a2a/lifecycle.js';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Who sends which message to whom. */
export type Sending = {
  readonly agentId: string;
  readonly principal?: string;
  readonly tenant?: string;
  readonly messageId?: string;
};

/**
 * The correlation ID of a dispatch: the client's own, opaque, where the message names one; else derived from caller, agent,
 * message ID and message digest, so that a retry of the client's is the same unit (RULES.md section 2).
 */
export const correlationOf = (params: JsonObject, { agentId, principal, tenant, messageId }: Sending): string => {
  const message = field(params, 'message');
  const given = readLifecycle(field(message, 'metadata')).correlationId;
  if (given !== undefined) return given;
  const caller = [principal ?? '', tenant ?? ''];
  return `holdfast:${sha256(canonicalJson([...caller, agentId, messageId ?? '', sha256(canonicalJson(message))]))}`;
};

/** The request with the correlation ID in its message's metadata; the same one where it is there already. */
export const withCorrelation = (params: JsonObject, correlationId: string): JsonObject => {
  const message = field(params, 'message');
  if (!isObject(message) || readLifecycle(field(message, 'metadata')).correlationId === correlationId) return params;
  const metadata = field(message, 'metadata');
  const ours = own(metadata, LIFECYCLE_EXTENSION);
  return {
    ...params,
    message: {
      ...message,
      metadata: {
        ...(isObject(metadata) ? metadata : {}),
        [LIFECYCLE_EXTENSION]: { ...(isObject(ours) ? ours : {}), correlationId },
      },
    },
  };
};

/** The correlation ID of a task that was never dispatched through us and names none itself (R50). */
export const seenCorrelation = (agentId: string, tenant: string | undefined, serverTaskId: string): string =>
  `holdfast:seen:${sha256(canonicalJson([agentId, tenant ?? '', serverTaskId]))}`;
