import { connect } from 'node:net';
import type { Socket } from 'node:net';
import type { KafkaConnection } from '../../infra/kafka/kafka-config.js';

const NAMES: Readonly<Record<number, string>> = {
  0: 'Produce',
  1: 'Fetch',
  2: 'ListOffsets',
  3: 'Metadata',
  9: 'OffsetFetch',
  10: 'FindCoordinator',
  11: 'JoinGroup',
  12: 'Heartbeat',
  14: 'SyncGroup',
  22: 'InitProducerId',
  24: 'AddPartitionsToTxn',
  25: 'AddOffsetsToTxn',
  26: 'EndTxn',
  28: 'TxnOffsetCommit',
};

/**
 * `request lost`: the connection breaks and the broker never saw the request. `answer lost`: the broker did what it was
 * asked, and the connection breaks. A number: the broker did it, and the last two bytes of its answer, where several
 * requests have their only error code, say this instead.
 */
export type Fault = 'request lost' | 'answer lost' | number;

/** Breaks connections at the borders of requests. `requests` lists the name of each one sent, in order. */
export class FaultSocket {
  readonly requests: string[] = [];
  /** Asked for each request; `undefined` lets it pass. */
  fault: (api: string) => Fault | undefined = () => undefined;

  /** Breaks the next request of that name, once. */
  once(api: string, fault: Fault): void {
    this.fault = (name) => {
      if (name !== api) return undefined;
      this.fault = () => undefined;
      return fault;
    };
  }

  /** Breaks every request of that name, until `clear`. */
  always(api: string, fault: Fault): void {
    this.fault = (name) => (name === api ? fault : undefined);
  }

  clear(): void {
    this.fault = () => undefined;
  }

  /** Keeps the next request of that name back until `meanwhile` has resolved. */
  holdNext<Result>(api: string, meanwhile: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#held = {
        api,
        release: (send) => {
          meanwhile().then(resolve, reject).finally(send);
        },
      };
    });
  }

  #held: { readonly api: string; readonly release: (send: () => void) => void } | undefined;

  readonly factory: NonNullable<KafkaConnection['socketFactory']> = ({ host, port, onConnect }) => {
    const socket = connect({ host, port }, onConnect);
    socket.setNoDelay(true);
    const write = socket.write.bind(socket) as (bytes: Buffer, encoding?: BufferEncoding) => boolean;
    socket.write = ((bytes: Buffer, encoding?: BufferEncoding): boolean => {
      const api = NAMES[bytes.readInt16BE(4)] ?? 'other';
      this.requests.push(api);
      const held = this.#held;
      if (held?.api === api) {
        this.#held = undefined;
        held.release(() => write(bytes, encoding));
        return true;
      }
      const fault = this.fault(api);
      if (fault === 'request lost') return !socket.destroy(reset());
      if (fault !== undefined) interceptNext(socket, fault);
      return write(bytes, encoding);
    }) as Socket['write'];
    return socket;
  };
}

/** Works where the answer arrives as one chunk, as small answers do. */
function interceptNext(socket: Socket, fault: Exclude<Fault, 'request lost'>): void {
  const emit = socket.emit.bind(socket) as (event: string | symbol, ...values: unknown[]) => boolean;
  socket.emit = ((event: string | symbol, ...values: unknown[]): boolean => {
    if (event !== 'data') return emit(event, ...values);
    socket.emit = emit as Socket['emit'];
    if (fault === 'answer lost') return !socket.destroy(reset());
    const answer = values[0] as Buffer;
    answer.writeInt16BE(fault, answer.length - 2);
    return emit(event, answer);
  }) as Socket['emit'];
}

const reset = (): Error => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
