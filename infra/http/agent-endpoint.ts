import { field, isObject, own, text } from '../../topology/a2a/json.js';
import type { Reach } from './egress.js';

/** Where and how an agent is spoken to, as its card says. */
export type AgentEndpoint = {
  /** URL of its JSON-RPC interface of protocol 1.0. */
  readonly url: string;
  /** Has to be named in every request to this interface (SPEC section 8.3.2). */
  readonly tenant?: string;
  readonly streaming: boolean;
  /** URIs of the extensions that it declares. */
  readonly extensions: readonly string[];
  /** Where the card may lead; absent: it is not known where it came from. */
  readonly reach?: Reach;
};

/** The first JSON-RPC interface of protocol 1.0, in the agent's own order of preference; `undefined`: it has none. */
export const readEndpoint = (card: unknown, reach?: Reach): AgentEndpoint | undefined => {
  const interfaces = field(card, 'supportedInterfaces');
  const usable: unknown = Array.isArray(interfaces) ? interfaces.find(isSpoken) : undefined;
  const url = text(own(usable, 'url'));
  if (url === undefined) return undefined;
  const tenant = text(own(usable, 'tenant'));
  const capabilities = own(card, 'capabilities');
  const extensions = own(capabilities, 'extensions');
  return {
    url,
    ...(tenant === undefined ? {} : { tenant }),
    streaming: own(capabilities, 'streaming') === true,
    extensions: Array.isArray(extensions) ? extensions.flatMap((one) => text(own(one, 'uri')) ?? []) : [],
    ...(reach === undefined ? {} : { reach }),
  };
};

const isSpoken = (candidate: unknown): boolean => {
  const url = text(own(candidate, 'url'));
  return (
    isObject(candidate) &&
    field(candidate, 'protocolBinding') === 'JSONRPC' &&
    /^1(\.|$)/.test(text(field(candidate, 'protocolVersion')) ?? '') &&
    url !== undefined &&
    /^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : '')
  );
};
