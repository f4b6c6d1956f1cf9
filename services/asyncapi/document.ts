import { DEFAULT_CONFIG } from '../../infra/config/default-config.js';
import type { TopicSpec } from '../../infra/kafka/topic-spec.js';
import { avroJson } from '../../infra/registry/avro-json.js';
import { COMPATIBILITY, fullNameOf, RECORDS_BY_TOPIC } from '../../schemas/catalogue.js';
import { SCHEMAS, type RecordName } from '../../schemas/generated.js';
import { topicSpecs } from '../topic-specs.js';
import { CHANNEL_TEXTS, type TopicName } from './channels.js';
import { EXAMPLES } from './examples.js';

type Json = Readonly<Record<string, unknown>>;

const BINDING_VERSION = '0.5.0';
const AVRO = 'application/vnd.apache.avro+json;version=1.9.0';
const TOPIC_NAMES = Object.keys(RECORDS_BY_TOPIC) as readonly TopicName[];

/**
 * The AsyncAPI 3 document of every topic, with the defaults of the configuration. Payloads are references to the Avro
 * schemas beside it (`schemas/avro/`), so that nothing is said twice. `version`: of Holdfast.
 */
export const asyncApiDocument = (version: string): Json => ({
  asyncapi: '3.0.0',
  info: {
    title: 'Holdfast',
    version,
    description:
      'Watches A2A tasks over Kafka. Any producer may write what it observes to `a2a.task-events.v1`; everything else is written by Holdfast. Rules (R…): topology/RULES.md. Values are Avro in Confluent wire format: a zero byte, the schema ID in four bytes, the value.',
    license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
  },
  defaultContentType: 'application/avro',
  servers: {
    kafka: {
      host: '{broker}',
      protocol: 'kafka',
      description: 'Wherever `kafka.brokers` says.',
      variables: { broker: { default: '127.0.0.1:9092', description: 'host:port of a broker' } },
      bindings: {
        kafka: {
          schemaRegistryUrl: DEFAULT_CONFIG.registry.url,
          schemaRegistryVendor: 'confluent',
          bindingVersion: BINDING_VERSION,
        },
      },
    },
  },
  channels: Object.fromEntries(TOPIC_NAMES.map((name) => [idOf(name), channel(name)])),
  operations: Object.fromEntries(
    TOPIC_NAMES.map((name) => {
      const { action, operation } = CHANNEL_TEXTS[name];
      const at = `#/channels/${idOf(name)}`;
      const messages = RECORDS_BY_TOPIC[name].map((record) => ref(`${at}/messages/${record}`));
      return [operation, { action, channel: ref(at), messages }];
    }),
  ),
  components: {
    messages: Object.fromEntries(
      TOPIC_NAMES.flatMap((name) => RECORDS_BY_TOPIC[name].map((record) => [record, message(record, name)])),
    ),
    schemas: { cloudEvent: CLOUD_EVENT },
  },
});

const ref = (to: string): Json => ({ $ref: to });

/** A topic's name as an ID, which has no dots. */
const idOf = (topic: string): string => topic.replaceAll('.', '-');

const SPECS: ReadonlyMap<string, TopicSpec> = new Map(topicSpecs(DEFAULT_CONFIG).map((spec) => [spec.name, spec]));

const channel = (name: TopicName): Json => {
  const { 'cleanup.policy': cleanup, ...rest } = SPECS.get(name)?.config ?? {};
  return {
    address: `{topicPrefix}${name}`,
    description: CHANNEL_TEXTS[name].description,
    parameters: {
      topicPrefix: { default: '', description: 'What `kafka.topicPrefix` says; subjects begin with it too.' },
    },
    messages: Object.fromEntries(
      RECORDS_BY_TOPIC[name].map((record) => [record, ref(`#/components/messages/${record}`)]),
    ),
    bindings: {
      kafka: {
        partitions: SPECS.get(name)?.partitions,
        topicConfiguration: {
          'cleanup.policy': [cleanup],
          ...Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, asNumber(value)])),
        },
        bindingVersion: BINDING_VERSION,
      },
    },
  };
};

const asNumber = (text: string): number | string => (/^-?\d+$/.test(text) ? Number(text) : text);

const message = (record: RecordName, topic: TopicName): Json => {
  const { doc } = JSON.parse(SCHEMAS[record]) as { readonly doc: string };
  const examples = EXAMPLES.filter(({ type }) => type === record);
  return {
    name: fullNameOf(record),
    title: record,
    summary: doc,
    description: `Subject \`${topic}-${fullNameOf(record)}\`, compatibility ${COMPATIBILITY}.`,
    contentType: 'application/avro',
    headers: {
      allOf: [ref('#/components/schemas/cloudEvent'), { properties: { ce_type: { const: fullNameOf(record) } } }],
    },
    payload: { schemaFormat: AVRO, schema: ref(`./avro/${record}.avsc`) },
    bindings: {
      kafka: {
        key: { type: 'string', description: CHANNEL_TEXTS[topic].key },
        schemaIdLocation: 'payload',
        schemaIdPayloadEncoding: 'confluent',
        schemaLookupStrategy: 'TopicRecordNameStrategy',
        bindingVersion: BINDING_VERSION,
      },
    },
    ...(examples.length === 0
      ? {}
      : {
          examples: examples.map((value) => ({
            name: record,
            headers: exampleHeaders(record),
            payload: avroJson(record, value),
          })),
        }),
  };
};

/** CloudEvents 1.0 as Kafka headers, binary content mode (`infra/registry/cloud-event-headers.ts`). */
const CLOUD_EVENT: Json = {
  type: 'object',
  description:
    'CloudEvents 1.0, binary content mode. ID and source together name the event: a record that is written again under both is the same event (R17).',
  required: ['ce_specversion', 'ce_id', 'ce_source', 'ce_type'],
  properties: {
    ce_specversion: { const: '1.0' },
    ce_id: { type: 'string', description: 'Unique within its source; the same when the record is written again.' },
    ce_source: { type: 'string', description: 'Who observed it, as a URI reference.' },
    ce_type: { type: 'string', description: 'Name of the record with its namespace.' },
    ce_time: { type: 'string', format: 'date-time', description: 'When it happened. Data, never order (R16).' },
    ce_subject: { type: 'string' },
    'content-type': { const: 'application/avro' },
  },
};

const exampleHeaders = (record: RecordName): Json => ({
  ce_specversion: '1.0',
  ce_id: '5f0c0b9e-8f0e-4f5e-9d39-4f0f6f3b6f10',
  ce_source: '/orders/orchestrator-1',
  ce_type: fullNameOf(record),
  'content-type': 'application/avro',
});
