import { lookup as dnsLookup, type LookupAddress } from 'node:dns';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { HoldfastError } from '../errors.js';
import { classOf, isWithin, readAllowed, type AddressClass, type AllowedHost } from './address-class.js';

/**
 * What the operator configured may be anywhere; where that leads (a redirect, the interface that a card names, a name that
 * resolves to something else than before) may never be less public than it was itself: else whoever writes a card reaches
 * what only this machine can. Link-local and metadata addresses are never led to. `egress.allow` lists exceptions.
 */
export class Egress {
  readonly #allowed: readonly AllowedHost[];
  readonly #network: Network;
  readonly #reaches = new Map<string, Reach>();

  /** `allow`: host names, addresses, networks in CIDR notation. */
  constructor(allow: readonly string[] = [], network: Partial<Network> = {}) {
    this.#allowed = allow.map(readAllowed);
    this.#network = { ...SYSTEM, ...network };
  }

  /** The operator's own word leads anywhere. */
  get anywhere(): Reach {
    return this.#reach('special', false);
  }

  /** Where what was read at `url` may lead; `address`: who answered. */
  from(url: URL, address: string | undefined): Reach {
    const found = address === undefined ? 'public' : this.#network.classOf(address);
    // Whoever stands at a special address was put there by the operator, and leads to no other one.
    return this.#reach(found === 'special' ? 'loopback' : found, url.protocol === 'https:');
  }

  #reach(least: AddressClass, secure: boolean): Reach {
    const key = `${least} ${String(secure)}`;
    const reach = this.#reaches.get(key) ?? new Reach(least, secure, this.#allowed, this.#network);
    this.#reaches.set(key, reach);
    return reach;
  }
}

/** What names mean, and how public an address is. */
export type Network = {
  readonly lookup: (
    name: string,
    options: { readonly all: true; readonly family?: number; readonly hints?: number },
    done: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
  ) => void;
  readonly classOf: (address: string) => AddressClass;
};
const SYSTEM: Network = { lookup: dnsLookup, classOf };

/** A connection that must not be made. Nothing was sent. */
export class EgressRefusedError extends HoldfastError {
  constructor(url: string, why: string) {
    const host = URL.canParse(url) ? new URL(url).hostname : url;
    super(`${url} is not called: ${why}; list ${host} under egress.allow if it is meant`, {
      code: 'HOLDFAST_EGRESS_REFUSED',
      retryable: false,
    });
  }
}

const RANK: Readonly<Record<AddressClass, number>> = { special: -1, loopback: 0, private: 1, public: 2 };

/** Where connections may lead from one place. Connections are kept apart from those of other places. */
export class Reach {
  readonly #least: AddressClass;
  readonly #secure: boolean;
  readonly #allowed: readonly AllowedHost[];
  readonly #network: Network;
  #agents: { readonly http: HttpAgent; readonly https: HttpsAgent } | undefined;

  constructor(least: AddressClass, secure: boolean, allowed: readonly AllowedHost[], network: Network) {
    this.#least = least;
    this.#secure = secure;
    this.#allowed = allowed;
    this.#network = network;
  }

  /** Connections that are kept between calls: one that was opened elsewhere was checked by other measures. */
  agent(protocol: string): HttpAgent {
    this.#agents ??= { http: new HttpAgent(KEPT), https: new HttpsAgent(KEPT) };
    return protocol === 'https:' ? this.#agents.https : this.#agents.http;
  }

  /** What can be told from the URL alone. @throws EgressRefusedError */
  check(url: string): void {
    const { hostname, protocol } = new URL(url);
    if (this.#isListed(hostname)) return;
    if (this.#secure && protocol !== 'https:') throw new EgressRefusedError(url, 'it leads from https to http');
    const literal = hostname.replace(/^\[(.*)\]$/, '$1');
    const fault = isIP(literal) === 0 ? undefined : this.#fault(literal);
    if (fault !== undefined) throw new EgressRefusedError(url, fault);
  }

  /** Also what its name means now; a name without an address is no offence. @throws EgressRefusedError */
  async checkName(url: string): Promise<void> {
    this.check(url);
    const { hostname } = new URL(url);
    if (isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0) return;
    await new Promise<void>((resolve, reject) => {
      this.lookup(hostname, { all: true }, (error) => {
        if (error instanceof EgressRefusedError) reject(error);
        else resolve();
      });
    });
  }

  /**
   * Resolves a name once, for the connection that is made: each of its addresses is checked, and one of these is connected
   * to. For the `lookup` of `net.connect`, which does not ask for an address that is written in the URL (`check`).
   */
  readonly lookup: LookupFunction = (name, options, done) => {
    const { family, hints } = options;
    const asked = {
      all: true as const,
      ...(typeof family === 'number' ? { family } : {}),
      ...(hints === undefined ? {} : { hints }),
    };
    this.#network.lookup(name, asked, (error, found) => {
      if (error !== null) {
        done(error, '', 0);
        return;
      }
      const [first] = found;
      const refusal = this.#refusal(name, found);
      if (first === undefined || refusal !== undefined)
        done(refusal ?? new EgressRefusedError(name, 'its name has no address'), '', 0);
      else if (options.all === true) done(null, found);
      else done(null, first.address, first.family);
    });
  };

  #refusal(name: string, found: readonly LookupAddress[]): Error | undefined {
    if (this.#isListed(name)) return undefined;
    const reasons = found.map(({ address }) => this.#fault(address)).filter((reason) => reason !== undefined);
    return reasons[0] === undefined ? undefined : new EgressRefusedError(name, reasons[0]);
  }

  #isListed(hostname: string): boolean {
    const name = hostname.toLowerCase().replace(/\.$/, '');
    return (
      this.#allowed.some((one) => one.kind === 'name' && one.name === name) ||
      isWithin(name.replace(/^\[(.*)\]$/, '$1'), this.#allowed)
    );
  }

  /** What is wrong with an address; `undefined`: nothing. */
  #fault(address: string): string | undefined {
    if (this.#least === 'special' || isWithin(address, this.#allowed)) return undefined;
    const found = this.#network.classOf(address);
    if (found === 'special') return `${address} is no address for agents`;
    return RANK[found] < RANK[this.#least]
      ? `${address} is ${found}, and what leads there is ${this.#least}`
      : undefined;
  }
}

/** As Node's own, which is shared by all. */
const KEPT = { keepAlive: true, scheduling: 'lifo', timeout: 5_000 } as const;
