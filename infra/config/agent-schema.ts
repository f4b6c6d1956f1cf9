import { contract, recovery, state } from './policy-schema.js';
import { listOf, object, oneOf, text, url } from './schema-words.js';

const canary = object(
  'A message that makes the agent show a state or an output mode (R43).',
  {
    skillId: text('Skill that the message is for.'),
    state,
    mode: text('Media type that the message asks for.'),
    message: text('Text of the message.'),
    answer: text('What is said when the canary asks for input.'),
  },
  'message',
);

export const AGENT_SCHEMA = object(
  'An agent that Holdfast stands in front of.',
  {
    id: text('Names the agent everywhere in Holdfast, and in its URL at the gateway.'),
    cardUrl: url('Where its Agent Card is.', 'serviceIdentity.headers'),
    provider: text('Who runs it.'),
    tenants: listOf('Tenants it works for; absent: all.', text('Tenant.')),
    configuredStates: listOf('States it can be in, where its card lists none.', state),
    defaultSkill: text('Skill of messages that name none.'),
    persistence: oneOf('Durable: you declare that it keeps its tasks over a restart (R9).', ['durable']),
    serviceIdentity: object(
      'Who Holdfast itself is to this agent (R25).',
      {
        headers: {
          type: 'object',
          description: 'HTTP headers with Holdfast’s own credentials.',
          additionalProperties: { type: 'string', writeOnly: true },
        },
      },
      'headers',
    ),
    contract,
    recovery: recovery('As policy.recovery, for units of this agent.'),
    canaries: listOf('What it is verified by.', canary),
  },
  'id',
  'cardUrl',
);
