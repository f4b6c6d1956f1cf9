import { AGENT_SCHEMA } from './agent-schema.js';
import { KAFKA_SCHEMA, REGISTRY_SCHEMA } from './connection-schema.js';
import { DEFAULT_CONFIG } from './default-config.js';
import { POLICY_SCHEMA } from './policy-schema.js';
import {
  count,
  durationMs,
  listOf,
  matching,
  object,
  oneOf,
  path,
  secretText,
  spanMs,
  text,
  url,
  type SchemaNode,
} from './schema-words.js';

const gateway = object('The endpoint in front of the agents.', {
  host: text('Address to listen on.'),
  port: { type: 'integer', minimum: 0, maximum: 65535, description: 'Port to listen on; 0: any that is free.' },
  publicUrl: url('How clients reach it, where that is not host and port.', 'the requests of clients'),
  principalSalt: secretText('Key of the hashes of who asks: the same in every gateway, for ever (R25).'),
  principalSaltFile: path('File with that key.'),
  apiKeyIdHeader: text('Header with the ID, not the secret, of an API key. Absent: keys identify nobody.'),
});

const verifier = object('Verifying agents by probing.', {
  verificationTtlMs: spanMs('How long a verification holds (R9), ms.'),
  cardTtlMs: spanMs('How long a card is fresh whose response does not say (R7), ms.'),
  probeTimeoutMs: durationMs('How long a canary may take, ms.'),
  probeBudget: count('Canary tasks per agent and day (R43).'),
  idleMs: durationMs('How often evidence that nothing announces is looked at again, ms.'),
});

const dispatcher = object('Executing what the ledger commands.', {
  recheckMs: listOf('Waits before a lost task is asked for once more (R36), ms.', durationMs('Wait, ms.')),
  sendTimeoutMs: durationMs('How long the first word to a redispatched message may take, ms.'),
});

const egress = object('Where the cards of agents, and redirects, may lead.', {
  allow: listOf(
    'What a card or redirect may lead to although it is less public than the card itself.',
    text('Host name, address, or network in CIDR notation.'),
  ),
});

const withDefaults = (schema: SchemaNode, values: unknown): SchemaNode => {
  if (values === undefined) return schema;
  if (schema.properties === undefined) return { ...schema, default: values };
  const held = values as Readonly<Record<string, unknown>>;
  const properties = Object.entries(schema.properties).map(
    ([name, property]) => [name, withDefaults(property, held[name])] as const,
  );
  return { ...schema, properties: Object.fromEntries(properties) };
};

/** JSON Schema (2020-12) of the configuration. Every setting is optional; an unknown one is an error. */
export const CONFIG_SCHEMA: SchemaNode & { readonly $schema: string; readonly title: string } = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Configuration of Holdfast',
  ...withDefaults(
    object('One YAML file, under the environment, under flags. Durations are in milliseconds.', {
      kafka: KAFKA_SCHEMA,
      registry: REGISTRY_SCHEMA,
      stateDir: path('Directory of the state; one process per instance ID.'),
      instanceId: matching(
        'Names this instance, the same after a restart.',
        'letters, digits, . _ -',
        '^[A-Za-z0-9._-]+$',
      ),
      gateway,
      verifier,
      dispatcher,
      egress,
      probeHoldMs: durationMs('How long a first dispatch to an agent that was never verified is held (R12), ms.'),
      schemaWaitMs: durationMs('How long a record with an unknown schema waits before it is set aside (R59), ms.'),
      policy: POLICY_SCHEMA,
      agents: listOf('The agents.', AGENT_SCHEMA),
      logLevel: oneOf('What is logged.', ['debug', 'info', 'warn', 'error']),
    }),
    DEFAULT_CONFIG,
  ),
};
