import { connect as connectPlain, isIP, Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { ISocketFactory } from 'kafkajs';
import { HoldfastError } from '../errors.js';
import { explainTlsFailure } from '../tls/tls-failure.js';
import type { TlsSource } from '../tls/tls-source.js';
import { BrokerRefusedError } from './kafka-errors.js';

/** Why a connection failed: a hint at what may be wrong, or what will be so until somebody changes something. */
export type WhyItFailed = { readonly hint: string } | { readonly error: HoldfastError };

const KEEP_ALIVE_MS = 60_000;
/** A connection that ends after so little was written never got beyond its first words. */
const FIRST_WORDS_BYTES = 4_000;
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
    let isOpen = secured.tls === undefined;
    socket.once('secureConnect', () => {
      isOpen = true;
    });
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    // Before the library's own listeners, which ask what is set here.
    socket.on('error', (error) => {
      if (reasons.has(socket)) return;
      const text = explainTlsFailure(error, { peer, setting: 'kafka.tls' });
      if (text !== undefined) reasons.set(socket, { error: new BrokerRefusedError(text) });
      else if (error.message.includes('before secure TLS connection'))
        reasons.set(socket, { hint: `does ${peer} speak TLS, as kafka.tls says?` });
    });
    if (secured.tls === undefined)
      socket.once('data', (bytes: Buffer) => {
        if (bytes.subarray(0, TLS_ALERT.length).equals(TLS_ALERT))
          reasons.set(socket, { error: new BrokerRefusedError(`${peer} speaks TLS: set kafka.tls`) });
      });
    if (secured.sasl === undefined)
      socket.once('end', () => {
        if (!isOpen || reasons.has(socket) || socket.bytesWritten > FIRST_WORDS_BYTES) return;
        reasons.set(socket, { hint: `does ${peer} ask for SASL (kafka.sasl)?` });
      });
    return socket;

    function connectSecured(): Socket {
      const named = isIP(host) === 0 ? { servername: host } : {};
      try {
        return connectTls({ host, port, ...named, ...secured.tls?.() }, onConnect);
      } catch (error) {
        const never = new Socket();
        reasons.set(never, { error: error instanceof HoldfastError ? error : new BrokerRefusedError(String(error)) });
        return never.destroy(new Error('no connection was tried'));
      }
    }
  };
