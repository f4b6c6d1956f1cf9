import { refusalsOf } from './named-refusals.js';

type BrokerPool = {
  withBroker: (this: BrokerPool, callback: (found: unknown) => Promise<unknown>) => Promise<unknown>;
};

/**
 * kafkajs asks one broker after the other where a coordinator is, and when none says it, forgets why: a principal that
 * may not know of the group is told "failed to find group coordinator", which looks as if it would pass. Here a
 * refusal is kept; any other failure stays what it was to kafkajs, which counts its tries by it.
 */
export function correctSwallowedFailures(require: NodeJS.Require): void {
  const { prototype } = require('kafkajs/src/cluster/brokerPool') as { prototype: BrokerPool };
  const stock = prototype.withBroker;
  prototype.withBroker = async function (callback) {
    let failure: { readonly error: unknown } | undefined;
    const found = await stock.call(this, async (at) => {
      try {
        return await callback(at);
      } catch (error) {
        failure = { error };
        throw error;
      }
    });
    if (found === null && failure !== undefined && refusalsOf(failure.error).length > 0) throw failure.error;
    return found;
  };
}
