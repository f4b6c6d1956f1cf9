import type { Socket } from 'node:net';
import { HoldfastError } from '../../errors.js';
import { whyItFailed } from '../broker-sockets.js';

type Connection = {
  readonly socket?: Socket;
  connect: (this: Connection) => Promise<unknown>;
  rejectRequests: (this: Connection, error: Error) => void;
  failIfNotConnected: (this: Connection) => void;
};

/**
 * To kafkajs every failed connection is the same: worth another eight tries, under a text that names no way out. This
 * says what the socket knows, and ends at once what would fail again.
 */
export function correctConnectionRefusals(require: NodeJS.Require): void {
  const { prototype } = require('kafkajs/src/network/connection') as { prototype: Connection };
  const { connect, rejectRequests, failIfNotConnected } = prototype;
  prototype.connect = async function (this: Connection) {
    try {
      return await connect.call(this);
    } catch (error) {
      throw explained(error, this.socket);
    }
  };
  prototype.rejectRequests = function (this: Connection, error) {
    rejectRequests.call(this, explained(error, this.socket) as Error);
  };
  prototype.failIfNotConnected = function (this: Connection) {
    try {
      failIfNotConnected.call(this);
    } catch (error) {
      throw explained(error, this.socket);
    }
  };
}

const explained = (error: unknown, socket: Socket | undefined): unknown => {
  const why = whyItFailed(socket);
  if (why === undefined || !(error instanceof Error) || error instanceof HoldfastError) return error;
  // By the mark that kafkajs's retries look at.
  if ('error' in why) return Object.assign(why.error, { retriable: false });
  if (!error.message.endsWith(why.hint)) error.message = `${error.message}: ${why.hint}`;
  return error;
};
