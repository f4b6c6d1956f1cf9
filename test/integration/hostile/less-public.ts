import { expect } from '@jest/globals';
import { classOf } from '../../../infra/http/address-class.js';
import { callAgent } from '../../../infra/http/agent-client.js';
import { readEndpoint } from '../../../infra/http/agent-endpoint.js';
import { fetchCard } from '../../../infra/http/card-fetch.js';
import { Egress, type Network } from '../../../infra/http/egress.js';
import { shows } from './card-world.js';
import { HostileAgent } from './hostile-agent.js';

/** Here 127.0.0.1 is the Internet: what is public can be told apart from what is not on one machine. */
const names = new Map<string, readonly string[]>();
const network: Network = {
  classOf: (address) => (address === '127.0.0.1' ? 'public' : classOf(address)),
  lookup: (name, _, done) => {
    const found = names.get(name) ?? [];
    done(
      null,
      found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  },
};

/** A public card leads to nothing that is less public, however it names it. */
export const lessPublic = async (): Promise<void> => {
  const agent = await HostileAgent.start('public', () => undefined);
  const { port } = new URL(agent.url);
  const at = (host: string) => `http://${host}:${port}/rpc`;
  const cardTo = (url: string) => ({
    name: 'W',
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  });
  names.set('agent.example', ['127.0.0.1']);
  names.set('inside.example', ['10.0.0.7']);
  names.set('both.example', ['127.0.0.1', '::ffff:10.0.0.7']);
  const fetched = (url: string, egress = new Egress([], network)) => {
    agent.become(shows(cardTo(url)));
    return fetchCard({ url: at('agent.example'), egress, defaultTtlMs: 1 });
  };
  try {
    for (const [host, address, found] of [
      ['10.0.0.7', '10.0.0.7', 'private'],
      ['100.64.0.1', '100.64.0.1', 'private'],
      ['[fd12::1]', 'fd12::1', 'private'],
      ['127.0.0.2', '127.0.0.2', 'loopback'],
      ['[::1]', '::1', 'loopback'],
      ['inside.example', '10.0.0.7', 'private'],
      ['both.example', '::ffff:10.0.0.7', 'private'],
    ] as const) {
      const { body } = await fetched(at(host));
      const where = host.endsWith('.example') ? host : at(host);
      expect(body).toStrictEqual({
        kind: 'invalid',
        reason:
          `its interface ${where} is not called: ${address} is ${found}, and what leads there is public; ` +
          `list ${host} under egress.allow if it is meant`,
      });
    }
    for (const listed of ['inside.example', '10.0.0.0/8'])
      expect((await fetched(at('inside.example'), new Egress([listed], network))).body?.kind).toBe('json');

    const { body, reach } = await fetched(at('agent.example'));
    const endpoint = readEndpoint(body?.kind === 'json' ? body.value : undefined, reach);
    const from = endpoint?.reach;
    if (from === undefined) throw new Error('the card was not read');
    let calls = 0;
    agent.become((_, response) => {
      calls += 1;
      response.setHeader('content-type', 'application/json').end('{"jsonrpc":"2.0","id":1,"result":{}}');
    });
    const call = async () => {
      const question = { url: at('agent.example'), reach: from, body: { id: 1 }, timeoutMs: 5_000 };
      return (await callAgent({ ...question, fresh: true })).answer;
    };
    const answered = {
      status: 200,
      contentType: 'application/json',
      body: { jsonrpc: '2.0', id: 1, result: {} },
    };
    expect(await call()).toStrictEqual(answered);
    names.set('agent.example', ['127.0.0.2']);
    expect(await call()).toStrictEqual({ status: 0, error: 'egress-refused' });
    expect(await fetchCard({ url: at('agent.example'), reach: from, defaultTtlMs: 1 })).toMatchObject({
      httpStatus: 0,
      failure:
        'agent.example is not called: 127.0.0.2 is loopback, and what leads there is public; ' +
        'list agent.example under egress.allow if it is meant',
    });
    expect(calls).toBe(1);
    names.set('agent.example', ['127.0.0.1']);
    expect(await call()).toStrictEqual(answered);
  } finally {
    agent.stop();
  }
};
