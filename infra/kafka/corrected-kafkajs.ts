import { createRequire } from 'node:module';
import { HoldfastError } from '../errors.js';
import { applyCorrections } from './corrections/apply-corrections.js';
import type { Internals, PasswordAuthenticators } from './kafkajs-internals.js';

type Kafkajs = typeof import('kafkajs');

/** kafkajs's face and the part of its inside that is used here, both with the corrections applied. */
export type CorrectedKafkajs = { readonly kafkajs: Kafkajs; readonly internals: Internals };

const VERSION = '2.2.4';

let loaded: CorrectedKafkajs | undefined;

/**
 * The only way to kafkajs. Corrects it before anything of it is in use, once.
 * @throws HoldfastError `HOLDFAST_KAFKAJS_VERSION` when the one installed is not the one the corrections were made for
 */
export function corrected(): CorrectedKafkajs {
  loaded ??= load(createRequire(import.meta.url));
  return loaded;
}

/** Loads and corrects the kafkajs that `require` finds. @throws HoldfastError `HOLDFAST_KAFKAJS_VERSION` */
export function load(require: NodeJS.Require): CorrectedKafkajs {
  const { version } = require('kafkajs/package.json') as { version: string };
  if (version !== VERSION) {
    throw new HoldfastError(
      `kafkajs ${version} is installed; its corrections were made and tested for ${VERSION} and may not fit`,
      { code: 'HOLDFAST_KAFKAJS_VERSION', retryable: false },
    );
  }
  applyCorrections(require);
  return {
    kafkajs: require('kafkajs') as Kafkajs,
    internals: {
      Cluster: require('kafkajs/src/cluster') as Internals['Cluster'],
      createProducer: require('kafkajs/src/producer') as Internals['createProducer'],
      createLogger: (require('kafkajs/src/loggers') as Pick<Internals, 'createLogger'>).createLogger,
      passwordAuthenticators: {
        plain: require('kafkajs/src/broker/saslAuthenticator/plain') as PasswordAuthenticators['plain'],
        'scram-sha-256':
          require('kafkajs/src/broker/saslAuthenticator/scram256') as PasswordAuthenticators['scram-sha-256'],
        'scram-sha-512':
          require('kafkajs/src/broker/saslAuthenticator/scram512') as PasswordAuthenticators['scram-sha-512'],
      },
      requests: (require('kafkajs/src/protocol/requests') as Pick<Internals, 'requests'>).requests,
    },
  };
}
