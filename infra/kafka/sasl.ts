import type { AuthenticationProviderArgs, Authenticator, Mechanism } from 'kafkajs';
import { HoldfastError } from '../errors.js';
import { corrected } from './corrected-kafkajs.js';
import { BrokerRefusedError } from './kafka-errors.js';
import type { PasswordAuthenticators } from './kafkajs-internals.js';

/** Who one is to the brokers. Secrets are asked for at each authentication, so that renewed ones need no restart. */
export type KafkaSasl =
  | {
      readonly mechanism: keyof PasswordAuthenticators;
      readonly credentials: () => { readonly username: string; readonly password: string };
    }
  | { readonly mechanism: 'oauthbearer'; readonly token: () => Promise<string> };

/** As kafkajs takes it. */
export const saslOptions = (sasl: KafkaSasl): Mechanism => ({
  mechanism: sasl.mechanism,
  authenticationProvider: (exchange: AuthenticationProviderArgs): Authenticator => ({
    authenticate: async () => {
      const { watched, lost } = watching(exchange);
      try {
        await (sasl.mechanism === 'oauthbearer' ? sendToken(watched, await sasl.token()) : sendPassword(sasl, watched));
      } catch (error) {
        throw lost() ?? refusalOf(error, sasl.mechanism, exchange);
      }
    },
  }),
});

/** kafkajs takes a connection that is lost meanwhile for a refusal; it is to be tried again. */
const watching = (exchange: AuthenticationProviderArgs) => {
  let lost: unknown;
  const watched: AuthenticationProviderArgs = {
    ...exchange,
    saslAuthenticate: async (message) => {
      try {
        return await exchange.saslAuthenticate(message);
      } catch (error) {
        if ((error as { readonly retriable?: unknown }).retriable === true) lost = error;
        throw error;
      }
    },
  };
  return { watched, lost: () => lost };
};

const sendPassword = async (
  { mechanism, credentials }: Extract<KafkaSasl, { credentials: unknown }>,
  exchange: AuthenticationProviderArgs,
): Promise<void> => {
  const authenticator = corrected().internals.passwordAuthenticators[mechanism];
  await authenticator(credentials())(exchange).authenticate();
};

const LENGTH_BYTES = 4;
const asItIs = (bytes: Buffer): Promise<Buffer> => Promise.resolve(bytes);
const RAW = { decode: asItIs, parse: asItIs };

/** RFC 7628. kafkajs takes the broker's "no", which is an answer like a good one, only not empty, for a "yes". */
const sendToken = async (exchange: AuthenticationProviderArgs, token: string): Promise<void> => {
  const message = Buffer.from(`n,,\u0001auth=Bearer ${token}\u0001\u0001`);
  const framed = Buffer.concat([Buffer.alloc(LENGTH_BYTES), message]);
  framed.writeInt32BE(message.length);
  const request = { encode: () => Promise.resolve(framed) };
  const answer = await exchange.saslAuthenticate({ request, response: RAW });
  const words = answer?.subarray(LENGTH_BYTES).toString('utf8') ?? '';
  if (words !== '') throw new Error(`the token is refused (${words})`);
};

/** The one failure after which kafkajs makes a new connection; on the old one the broker waits for the rest. */
const connectionError = (cause: HoldfastError): Error =>
  Object.assign(new (corrected().kafkajs.KafkaJSConnectionError)(cause.message), { cause });

/** A broker that says no will say it again. */
const refusalOf = (error: unknown, mechanism: string, { host, port }: AuthenticationProviderArgs): unknown => {
  if (error instanceof HoldfastError)
    return error.retryable ? connectionError(error) : Object.assign(error, { retriable: false });
  const detail = error instanceof Error ? error.message : String(error);
  const given = mechanism === 'oauthbearer' ? 'is the token' : 'are username and password';
  // Without a cause: kafkajs's retries would show that instead.
  const refused = new BrokerRefusedError(
    `the broker ${host}:${port} does not let this client in: ${detail} (${given} of kafka.sasl right?)`,
  );
  return Object.assign(refused, { retriable: false });
};
