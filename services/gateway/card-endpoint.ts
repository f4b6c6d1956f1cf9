import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AgentCards } from './agent-cards.js';

/**
 * The agent's card as the gateway shows it. Freshness is what is left of the agent's own, the entity tag is that of the
 * body that is sent. @throws AgentUnreachableError
 */
export const serveCard = async (
  agents: AgentCards,
  agentId: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const { body, freshUntil } = await agents.card(agentId);
  const text = JSON.stringify(agents.atGateway(agentId, body));
  const etag = `"${createHash('sha256').update(text).digest('base64url')}"`;
  const headers = {
    etag,
    'cache-control': `max-age=${Math.max(0, Math.floor((freshUntil - Date.now()) / 1000))}`,
    vary: 'A2A-Version',
  };
  if (isMatch(request.headers['if-none-match'], etag)) {
    response.writeHead(304, headers).end();
    return;
  }
  response.writeHead(200, {
    ...headers,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  response.end(request.method === 'HEAD' ? undefined : text);
};

/** Weak comparison, as If-None-Match asks for (RFC 9110 section 13.1.2). */
const isMatch = (wanted: string | undefined, etag: string): boolean =>
  wanted !== undefined &&
  (wanted.trim() === '*' || wanted.split(',').some((one) => one.trim().replace(/^W\//, '') === etag));
