import ipaddr from 'ipaddr.js';
import { ConfigError } from '../config/read-config.js';

/**
 * How public an address is, from the most to the least: routed on the Internet; of a private network (RFC 1918, shared
 * RFC 6598, unique local); this machine's own. `special`: what no agent has any business at (link-local, metadata services
 * of clouds, multicast, unspecified, reserved, tunnels).
 */
export type AddressClass = 'public' | 'private' | 'loopback' | 'special';

const PRIVATE: readonly string[] = ['private', 'carrierGradeNat', 'uniqueLocal', 'deprecatedSiteLocal'];

/** Metadata and host services of clouds that are not link-local: Alibaba, AWS, Azure, Google. */
const METADATA: readonly string[] = ['100.100.100.200', 'fd00:ec2::254', '168.63.129.16', 'fd20:ce::254'].map((one) =>
  ipaddr.parse(one).toString(),
);

const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
const GLOBAL = ipaddr.IPv6.parseCIDR('2000::/3');

type Address = ReturnType<typeof ipaddr.process>;

/** An IPv4 address inside an IPv6 one (mapped, NAT64) is what is reached in the end. */
const reached = (text: string): Address => {
  const address = ipaddr.process(text);
  return address instanceof ipaddr.IPv6 && address.match(NAT64)
    ? new ipaddr.IPv4(address.toByteArray().slice(-4))
    : address;
};

/** The class of an address in any notation of `inet_aton` or RFC 4291; what is none is `special`. */
export const classOf = (text: string): AddressClass => {
  const bare = text.replace(/%.*$/, '');
  if (!ipaddr.isValid(bare)) return 'special';
  const address = reached(bare);
  const range = address.range();
  if (METADATA.includes(address.toString())) return 'special';
  if (range === 'loopback') return 'loopback';
  if (PRIVATE.includes(range)) return 'private';
  if (range !== 'unicast') return 'special';
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL) ? 'public' : 'special';
};

const NAME = /^(?=.*[a-z])[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?$/i;

/** An entry of an allow list: a host name, an address, or a network in CIDR notation. */
export type AllowedHost =
  { readonly kind: 'name'; readonly name: string } | { readonly kind: 'network'; readonly network: [Address, number] };

/** @throws ConfigError it is none of these */
export const readAllowed = (entry: string): AllowedHost => {
  const bare = entry.replace(/^\[(.*)\]$/, '$1');
  if (ipaddr.isValidCIDR(bare)) return { kind: 'network', network: ipaddr.parseCIDR(bare) };
  if (!ipaddr.isValid(bare)) {
    if (NAME.test(bare)) return { kind: 'name', name: bare.toLowerCase().replace(/\.$/, '') };
    throw new ConfigError(
      `egress.allow: ${JSON.stringify(entry)} is no host name, address or network (10.1.0.0/16, fd12::/32)`,
    );
  }
  const address = ipaddr.process(bare);
  return { kind: 'network', network: [address, address instanceof ipaddr.IPv4 ? 32 : 128] };
};

/** Whether one of the networks holds the address. */
export const isWithin = (text: string, allowed: readonly AllowedHost[]): boolean => {
  const bare = text.replace(/%.*$/, '');
  if (!ipaddr.isValid(bare)) return false;
  const address = reached(bare);
  return allowed.some(
    (one) => one.kind === 'network' && one.network[0].kind() === address.kind() && address.match(one.network),
  );
};
