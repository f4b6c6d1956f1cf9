import { field, isObject, text } from '../../topology/a2a/json.js';

/** What a card of 0.3, or one of both versions, says of interfaces at its top; and signatures, in every version. */
const LEFT_OUT = new Set([
  'supportedInterfaces',
  'supported_interfaces',
  'url',
  'preferredTransport',
  'preferred_transport',
  'additionalInterfaces',
  'additional_interfaces',
  'protocolVersion',
  'protocol_version',
  'signatures',
]);

/**
 * A card with the gateway as its only interface: a client calls what the card names, and would else go past it. Its
 * signatures do not hold for another body and are left out (SPEC section 8.4); everything else stays as it is.
 */
export const atGateway = (card: unknown, url: string): unknown => {
  if (!isObject(card)) return card;
  const kept = Object.fromEntries(Object.entries(card).filter(([name]) => !LEFT_OUT.has(name)));
  const interfaces = field(card, 'supportedInterfaces');
  const ours: unknown = Array.isArray(interfaces)
    ? interfaces.find((one: unknown) => field(one, 'protocolBinding') === 'JSONRPC')
    : undefined;
  // A tenant that the agent wants named is named in each request, by the client (SPEC section 8.3.2).
  const tenant = text(field(ours, 'tenant'));
  return {
    ...kept,
    supportedInterfaces: [
      { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0', ...(tenant === undefined ? {} : { tenant }) },
    ],
  };
};
