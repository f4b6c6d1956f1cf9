import { connect as connectPlain, isIP, Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { ISocketFactory } from 'kafkajs';
import { explainTlsFailure } from '../tls/tls-failure.js';
import type { TlsSource } from '../tls/tls-source.js';

/** Why a connection failed, in an operator's words. `final`: so it stays until somebody changes something. */
export type WhyItFailed = { readonly text: string; readonly final: boolean };

const KEEP_ALIVE_MS = 60_000;
/** A connection that ends after so little was written never got beyond its first words. */
const FIRST_WORDS_BYTES = 1_000;
/** How a TLS alert begins; read as Kafka's length of an answer it would be 352 MB. */
const TLS_ALERT = Buffer.from([0x15, 0x03]);

const reasons = new WeakMap<Socket, WhyItFailed>();

/** What is known of a failed connection beyond the client library's words. */
export const whyItFailed = (socket: Socket | undefined): WhyItFailed | undefined =>
  socket === undefined ? undefined : reasons.get(socket);

/** The sockets of every connection to brokers. They see what the library's errors leave out. */
export const brokerSockets =
  (secured: { readonly tls?: TlsSource; readonly sasl?: unknown }): ISocketFactory =>
  ({ host, port, onConnect }) => {
    const peer = `the broker ${host}:${port}`;
    const socket = secured.tls === undefined ? connectPlain({ host, port }, onConnect) : connectSecured();
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    // Before the library's own listeners, which ask what is set here.
    socket.on('error', (error) => {
      if (reasons.has(socket)) return;
      const text = explainTlsFailure(error, { peer, setting: 'kafka.tls' });
      if (text !== undefined) reasons.set(socket, { text, final: true });
      else if (error.message.includes('before secure TLS connection'))
        reasons.set(socket, { text: `does ${peer} speak TLS, as kafka.tls says?`, final: false });
    });
    if (secured.tls === undefined) listenToPlain();
    return socket;

    function connectSecured(): Socket {
      const named = isIP(host) === 0 ? { servername: host } : {};
      try {
        return connectTls({ host, port, ...named, ...secured.tls?.() }, onConnect);
      } catch (error) {
        const text = error instanceof Error ? error.message : String(error);
        const never = new Socket();
        reasons.set(never, { text, final: true });
        return never.destroy(new Error(text));
      }
    }

    function listenToPlain(): void {
      socket.once('data', (bytes: Buffer) => {
        if (bytes.subarray(0, TLS_ALERT.length).equals(TLS_ALERT))
          reasons.set(socket, { text: `${peer} speaks TLS: set kafka.tls`, final: true });
      });
      socket.once('end', () => {
        if (reasons.has(socket) || secured.sasl !== undefined || socket.bytesWritten > FIRST_WORDS_BYTES) return;
        reasons.set(socket, { text: `does ${peer} ask for SASL (kafka.sasl) or TLS (kafka.tls)?`, final: false });
      });
    }
  };
