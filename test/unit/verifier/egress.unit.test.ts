import { describe, expect, test } from '@jest/globals';
import { classOf } from '../../../infra/http/address-class.js';
import { Egress } from '../../../infra/http/egress.js';

describe('an address', () => {
  test.each([
    ['public', ['8.8.8.8', '172.32.0.1', '2606:4700::1111', '::ffff:8.8.8.8', '64:ff9b::8.8.8.8']],
    ['private', ['10.0.0.1', '172.16.0.1', '192.168.1.1', '100.64.0.1', 'fd12::1', 'fec0::1', '::ffff:10.0.0.1']],
    ['loopback', ['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1', '64:ff9b::127.0.0.1']],
    [
      'special',
      [
        ...['169.254.169.254', 'fe80::1', 'fe80::1%eth0', '::ffff:169.254.169.254', '64:ff9b::a9fe:a9fe'],
        ...['0.0.0.0', '::', '255.255.255.255', '224.0.0.1', 'ff02::1', '192.0.2.1', '198.18.0.1', '240.0.0.1'],
        ...['2002:7f00:1::', '2001::1', '::7f00:1', '64:ff9b:1::1', '2001:db8::1'],
        ...['100.100.100.200', '168.63.129.16', 'fd00:ec2::254', 'fd20:ce::254', '', 'agent.example'],
      ],
    ],
  ])('should be %s', (expected, addresses) => {
    expect(addresses.map((address) => [address, classOf(address)])).toStrictEqual(
      addresses.map((address) => [address, expected]),
    );
  });
});

describe('what a card leads to', () => {
  const refused = (cardUrl: string, from: string, to: string, allow: readonly string[] = []): string | undefined => {
    try {
      new Egress(allow).from(new URL(cardUrl), from).check(to);
      return undefined;
    } catch (error) {
      return (error as Error).message.replace(/^.* is not called: /, '').replace(/; list .*$/, '');
    }
  };

  test('should be no less public than the card', () => {
    const addresses = ['8.8.8.8', '10.0.0.1', '127.0.0.1', '169.254.1.1'];
    expect(
      addresses.map((from) => addresses.map((to) => refused('http://card/', from, `http://${to}/`) === undefined)),
    ).toStrictEqual([
      [true, false, false, false],
      [true, true, false, false],
      [true, true, true, false],
      // The operator put it there; it leads to no other such place.
      [true, true, true, false],
    ]);
  });

  test('should be as safe from listeners as the card', () => {
    expect(refused('https://card/', '8.8.8.8', 'http://8.8.4.4/')).toBe('it leads from https to http');
    expect(refused('https://card/', '8.8.8.8', 'https://8.8.4.4/')).toBeUndefined();
    expect(refused('http://card/', '8.8.8.8', 'http://8.8.4.4/')).toBeUndefined();
  });

  test('should be anything that is listed', () => {
    for (const allow of ['10.1.2.3', '10.1.0.0/16', '[fd12::1]', 'fd12::/16', 'Inside.example.'])
      expect([
        refused('https://card/', '8.8.8.8', 'http://10.1.2.3/', [allow]),
        refused('https://card/', '8.8.8.8', 'http://[fd12::1]/', [allow]),
        refused('https://card/', '8.8.8.8', 'http://inside.example/', [allow]),
      ]).toContain(undefined);
    expect(refused('http://card/', '8.8.8.8', 'http://169.254.169.254/', ['169.254.169.254'])).toBeUndefined();
    expect(refused('http://card/', '8.8.8.8', 'http://10.1.2.3/', ['10.2.0.0/16'])).toBe(
      '10.1.2.3 is private, and what leads there is public',
    );
  });

  test.each(['10.0.0.0/99', 'http://host', 'a b', '10.0.0.300', ''])('should not be listed as %j', (entry) => {
    expect(() => new Egress([entry])).toThrow(
      `egress.allow: ${JSON.stringify(entry)} is no host name, address or network (10.1.0.0/16, fd12::/32)`,
    );
  });
});
