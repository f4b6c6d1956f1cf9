import { Agent as PlainAgent, request as requestPlain, type IncomingMessage } from 'node:http';
import { Agent as TlsAgent, request as requestTls } from 'node:https';
import type { Duplex } from 'node:stream';
import { isNativeError } from 'node:util/types';
import { explainTlsFailure } from '../tls/tls-failure.js';
import type { TlsSource } from '../tls/tls-source.js';

/** `date`: the header, where there is one. `location`: where a redirect, which is not followed, points. */
export type HttpAnswer = {
  readonly status: number;
  readonly text: string;
  readonly date?: string;
  readonly location?: string;
};

/** An answer is longer than whoever asked is ready to hold. */
export class AnswerTooLargeError extends Error {
  override readonly name = 'AnswerTooLargeError';
}

type HttpRequest = {
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** For all of it, up to the end of the answer. */
  readonly timeoutMs: number;
  readonly mostBytes?: number;
  readonly agent?: PlainAgent;
  /** Gives the request up. */
  readonly signal?: AbortSignal;
};

/** Connections that speak TLS as configured. `setting` names the configuration's part in what failures say. */
class ConfiguredTlsAgent extends TlsAgent {
  readonly #tls: TlsSource;
  readonly #setting: string;

  constructor(tls: TlsSource, setting: string) {
    super({ keepAlive: true });
    this.#tls = tls;
    this.#setting = setting;
  }

  override createConnection(
    ...[options, callback]: Parameters<TlsAgent['createConnection']>
  ): Duplex | null | undefined {
    const socket = super.createConnection({ ...options, ...this.#tls() }, callback);
    const peer = `${String(options.host)}:${String(options.port)}`;
    // Of an error only the message reaches who asked: the way out has to be in it.
    socket?.on('error', (error) => {
      error.message = explainTlsFailure(error, { peer, setting: this.#setting }) ?? error.message;
    });
    return socket;
  }
}

/** What connections to this URL are made by. @throws SettingFileError when a connection is made */
export const httpAgent = (url: string, tls: TlsSource, setting: string): PlainAgent =>
  url.startsWith('https:') ? new ConfiguredTlsAgent(tls, setting) : new PlainAgent({ keepAlive: true });

/** One request over an agent's connections, which `fetch` cannot be given. @throws Error there is no answer */
export const httpRequest = (url: string, { method = 'GET', body, ...options }: HttpRequest): Promise<HttpAnswer> =>
  new Promise((resolve, reject) => {
    const { agent, timeoutMs, signal: givenUp, mostBytes = Infinity } = options;
    const headers = {
      ...options.headers,
      ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
    };
    const timeout = AbortSignal.timeout(timeoutMs);
    const send = url.startsWith('https:') ? requestTls : requestPlain;
    const request = send(url, { method, headers, agent, signal: timeout }, (response) => {
      const { statusCode: status = 0 } = response;
      const { date, location } = response.headers;
      textOf(response, mostBytes).then(
        (text) => {
          givenUp?.removeEventListener('abort', giveUp);
          resolve({
            ...{ status, text },
            ...(date === undefined ? {} : { date }),
            ...(location === undefined ? {} : { location }),
          });
        },
        (error: unknown) => {
          request.destroy();
          fail(error);
        },
      );
    });
    const giveUp = (): void => void request.destroy(new Error('it was given up'));
    const fail = (error: unknown): void => {
      givenUp?.removeEventListener('abort', giveUp);
      if (timeout.aborted) reject(new Error(`no answer within ${timeoutMs} ms`, { cause: error }));
      else if (givenUp?.aborted === true) reject(new Error('nobody waits for it any more', { cause: error }));
      else reject(isNativeError(error) ? error : new Error(String(error)));
    };
    request.on('error', fail);
    // Not by AbortSignal.any, which keeps something of each request for as long as the longer signal lives.
    if (givenUp?.aborted === true) giveUp();
    else givenUp?.addEventListener('abort', giveUp);
    request.end(body);
  });

const textOf = async (response: IncomingMessage, mostBytes: number): Promise<string> => {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    chunks.push(chunk as Buffer);
    length += (chunk as Buffer).length;
    if (length > mostBytes) throw new AnswerTooLargeError(`the answer is longer than ${mostBytes} bytes`);
  }
  return Buffer.concat(chunks).toString();
};
