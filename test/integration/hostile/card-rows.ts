import type { RequestListener } from 'node:http';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { expect } from '@jest/globals';
import { nextStep } from '../../../services/verifier/probe-plan.js';
import { contractOf, NO_CONTRACTS } from '../../../topology/agent/contracts.js';
import type { AGENT_OUTCOMES } from '../../outcomes/agent-outcomes.js';
import { type CardWorld, NEXT, shows } from './card-world.js';
import { drip, flood, growthDuring, MEBIBYTE } from './hostile-agent.js';
import { lessPublic } from './less-public.js';

type Row = Extract<keyof (typeof AGENT_OUTCOMES)['rows'], `card${string}`>;

const TOO_LARGE = 'the body is larger than 524288 bytes';
/** What the process may grow by while a gigabyte is thrown at it, MiB: noise of the runtime and no gigabyte. */
const BOUND = 256;
const sends =
  (status: number, headers: Readonly<Record<string, string>> = {}, body: string | Buffer = ''): RequestListener =>
  (_, response) =>
    response.writeHead(status, headers).end(body);
const leadsTo = (url: string) => ({
  ...NEXT,
  supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
});

/** How long a card is left alone that was another at so many looks in a row, ms. */
const pauseAfter = (changes: number): number | undefined => {
  const card = { held: true, dueAt: 0, checkedAt: 0, failures: 0, changes, asked: false };
  const probe = { failures: 0, begun: [], budget: 1 };
  const step = nextStep({ now: 1, agent: contractOf(NO_CONTRACTS, 'w1'), card, canaries: [], probe });
  return step.kind === 'wait' ? step.until : undefined;
};

/** A test for each row about cards. */
export const cardRows = (world: () => CardWorld): Record<Row, () => Promise<void>> => {
  const refused = (row: Row, bad: RequestListener, reason: string) => world().refuses(row, bad, reason);
  return {
    cardEndless: async () => {
      const growth = await growthDuring(() =>
        refused('cardEndless', (_, response) => flood(response.writeHead(200)), TOO_LARGE),
      );
      expect(growth).toBeLessThan(BOUND);
    },
    cardBomb: async () => {
      const zeros = Buffer.alloc(256 * MEBIBYTE);
      const bombs = [
        ['gzip', gzipSync(zeros)],
        ['deflate', deflateSync(zeros)],
        ['br', brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
      ] as const;
      for (const [encoding, bomb] of bombs) {
        const growth = await growthDuring(() =>
          refused('cardBomb', sends(200, { 'content-encoding': encoding }, bomb), TOO_LARGE),
        );
        expect(growth).toBeLessThan(BOUND);
      }
    },
    cardEncoded: () =>
      refused(
        'cardEncoded',
        sends(200, { 'content-encoding': 'zstd' }, 'x'),
        'the body is in an encoding that was not asked for',
      ),
    cardDripping: async () => {
      const reason = 'no answer: no whole answer within 5000 ms';
      await refused('cardDripping', (_, response) => drip(response, 'HTTP/1.1 200 OK\r\nx: ', 'y'), reason);
      await refused('cardDripping', (_, response) => drip(response, 'HTTP/1.1 200 OK\r\n\r\n', ' '), reason);
    },
    cardElsewhere: async () => {
      for (const origin of ['http://169.254.169.254', 'http://127.0.0.1:9', 'https://127.0.0.1', 'http://[::1]'])
        await refused(
          'cardElsewhere',
          sends(302, { location: `${origin}/card` }),
          `a redirect to another host, ${origin}, is not followed`,
        );
    },
    cardRedirectLoop: () => refused('cardRedirectLoop', sends(307, { location: '/card' }), 'more than 3 redirects'),
    cardToMetadata: async () => {
      const places = [
        ['http://169.254.169.254/latest', '169.254.169.254'],
        ['http://2852039166/', '169.254.169.254'],
        ['http://0xa9.0xfe.169.254/', '169.254.169.254'],
        ['http://[::ffff:169.254.169.254]/', '::ffff:a9fe:a9fe'],
        ['http://[64:ff9b::169.254.169.254]/', '64:ff9b::a9fe:a9fe'],
        ['http://[fe80::1]/', 'fe80::1'],
        ['http://[fd00:ec2::254]/', 'fd00:ec2::254'],
        ['http://100.100.100.200/', '100.100.100.200'],
        ['http://0.0.0.0/', '0.0.0.0'],
      ] as const;
      for (const [url, address] of places)
        await refused(
          'cardToMetadata',
          shows(leadsTo(url)),
          `its interface ${url} is not called: ${address} is no address for agents; ` +
            `list ${new URL(url).hostname} under egress.allow if it is meant`,
        );
    },
    cardLessPublic: lessPublic,
    cardPage: () =>
      refused('cardPage', sends(200, { 'content-type': 'text/html' }, '<html>log in'), 'the body is no JSON'),
    cardMislabelled: () =>
      world().accepts('cardMislabelled', NEXT, shows(NEXT, { 'content-type': 'application/octet-stream' })),
    cardOtherShape: async () => {
      for (const [card, reason] of [
        [[], 'the body is no JSON object'],
        [{}, 'the body is empty'],
        [{ skills: [] }, 'the card has no name'],
        [{ name: 'W', skills: { length: 1 } }, 'skills is no list of skills'],
      ] as const)
        await refused('cardOtherShape', shows(card), reason);
    },
    cardTooComplex: () =>
      refused(
        'cardTooComplex',
        sends(200, {}, `{"name":"W","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
        'the body is no JSON',
      ),
    cardTwiceNamed: async () => {
      const text = `{"name":"no","__proto__":{"name":"no"},"constructor":1,"skills":[],"defaultOutputModes":["a/b"],"name":"W"}`;
      await world().accepts('cardTwiceNamed', JSON.parse(text), sends(200, {}, text));
      expect(world().terms('cardTwiceNamed')).toStrictEqual({ defaultOutputModes: ['a/b'], skills: [] });
      await world().accepts('cardTwiceNamed', NEXT);
    },
    cardOverlong: async () => {
      await refused(
        'cardOverlong',
        shows({ ...NEXT, skills: [{ id: `\0${'x'.repeat(400_000)}` }] }),
        'a skill or an output mode has a name of more than 16384 characters',
      );
    },
    cardManySkills: async () => {
      const skills = Array.from({ length: 10_000 }, (_, i) => ({ id: `skill-${i}`, outputModes: ['text/plain'] }));
      await world().accepts('cardManySkills', { ...NEXT, skills });
      expect(world().terms('cardManySkills')).toMatchObject({ skills });
      await world().accepts('cardManySkills', NEXT);
    },
    cardEmpty: () => refused('cardEmpty', sends(204), 'the body is empty'),
    cardNotModified: () => refused('cardNotModified', sends(304), '304 to a question without a condition'),
    cardFailing: () => refused('cardFailing', sends(500), 'HTTP 500'),
    cardRestless: async () => {
      let looks = 0;
      const restless: RequestListener = (request, response) => {
        looks += 1;
        shows({ ...NEXT, version: `look ${looks}` }, { 'cache-control': 'no-store' })(request, response);
      };
      world().agent('cardRestless').become(restless);
      for (let i = 0; i < 4; i += 1)
        expect(await world().asked('cardRestless')).toMatchObject({ type: 'CardAccepted' });
      await world().accepts('cardRestless', NEXT);
      expect([1, 4, 8, 20].map(pauseAfter)).toStrictEqual([5_000, 8_000, 128_000, 3_600_000]);
    },
  };
};
