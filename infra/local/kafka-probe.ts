import { connect } from 'node:net';

const API_VERSIONS = { key: 18, version: 0 };
const METADATA = { key: 3, version: 5 };
const CORRELATION = 1;
const CLIENT_ID = Buffer.from('holdfast-probe');
const TIMEOUT_MS = 3_000;

/**
 * Whether a broker at this plain listener does its work: it answers ApiVersions without error, and its metadata name
 * at least one live broker (a node that still waits for its controller names none). Never rejects.
 */
export async function kafkaAnswers(port: number): Promise<boolean> {
  const versions = await ask(port, API_VERSIONS, Buffer.alloc(0));
  if (versions?.readInt16BE(0) !== 0) return false;
  // An empty list of topics, and no creation of topics.
  const metadata = await ask(port, METADATA, Buffer.from([0, 0, 0, 0, 0]));
  // Throttle time, then the length of the broker array.
  return metadata !== undefined && metadata.length >= 8 && metadata.readInt32BE(4) > 0;
}

/** One request on a connection of its own; the response's body, or undefined whatever went wrong. */
function ask(
  port: number,
  api: { readonly key: number; readonly version: number },
  body: Buffer,
): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    let received = Buffer.alloc(0);
    const finish = (response: Buffer | undefined): void => {
      socket.destroy();
      resolve(response);
    };
    socket.setTimeout(TIMEOUT_MS, () => {
      finish(undefined);
    });
    socket.on('error', () => {
      finish(undefined);
    });
    socket.on('close', () => {
      resolve(undefined);
    });
    socket.on('connect', () => {
      socket.write(request(api, body));
    });
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (received.length < 10 || received.length < 4 + received.readInt32BE(0)) return;
      finish(received.readInt32BE(4) === CORRELATION ? received.subarray(8) : undefined);
    });
  });
}

/** Size, then request header version 1 (key, version, correlation, client ID), then the body. */
function request(api: { readonly key: number; readonly version: number }, body: Buffer): Buffer {
  const header = Buffer.alloc(14);
  header.writeInt32BE(10 + CLIENT_ID.length + body.length, 0);
  header.writeInt16BE(api.key, 4);
  header.writeInt16BE(api.version, 6);
  header.writeInt32BE(CORRELATION, 8);
  header.writeInt16BE(CLIENT_ID.length, 12);
  return Buffer.concat([header, CLIENT_ID, body]);
}
