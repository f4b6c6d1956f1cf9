import { Agent as PlainAgent, request as requestPlain, type IncomingMessage } from 'node:http';
import { Agent as TlsAgent, request as requestTls } from 'node:https';
import type { Duplex } from 'node:stream';
import { explainTlsFailure } from '../tls/tls-failure.js';
import type { TlsSource } from '../tls/tls-source.js';

/** `date`: the header, where there is one. */
export type HttpAnswer = { readonly status: number; readonly text: string; readonly date?: string };

type HttpRequest = {
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs: number;
  readonly agent?: PlainAgent;
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
    const { agent, timeoutMs } = options;
    const headers = {
      ...options.headers,
      ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
    };
    const signal = AbortSignal.timeout(timeoutMs);
    const send = url.startsWith('https:') ? requestTls : requestPlain;
    const request = send(url, { method, headers, agent, signal }, (response) => {
      textOf(response).then((text) => {
        const { date } = response.headers;
        resolve({ status: response.statusCode ?? 0, text, ...(date === undefined ? {} : { date }) });
      }, reject);
    });
    request.on('error', (error) => {
      reject(signal.aborted ? new Error(`no answer within ${timeoutMs} ms`, { cause: error }) : error);
    });
    request.end(body);
  });

const textOf = async (response: IncomingMessage): Promise<string> => {
  response.setEncoding('utf8');
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return text;
};
