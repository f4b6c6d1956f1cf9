import type { HoldfastConfig } from '../../../infra/config/config.js';
import { corrected } from '../../../infra/kafka/corrected-kafkajs.js';
import { kafkaConfig } from '../../../infra/kafka/kafka-config.js';
import { startLocalKafka, type LocalKafka } from '../../../infra/local/local-backend.js';
import { RIGHTS_ROLES, type Right, type RightsRole } from '../../../services/rights/rights.js';
import { eventually, silent } from '../../integration/kafka-fixture.js';

const LISTENER = 'SASL';

/** Who may do everything: whoever comes without a name, which is possible on the plain listener only. */
const SUPER_USER = 'User:ANONYMOUS';

const passwordOf = (role: RightsRole): string => `${role}-secret`;

type Kafkajs = ReturnType<typeof corrected>['kafkajs'];
type AclOperation = Kafkajs['AclOperationTypes'][keyof Kafkajs['AclOperationTypes']];
type AclResource = Kafkajs['AclResourceTypes'][keyof Kafkajs['AclResourceTypes']];
type AclPattern = Kafkajs['ResourcePatternTypes'][keyof Kafkajs['ResourcePatternTypes']];
type Admin = ReturnType<InstanceType<Kafkajs['Kafka']>['admin']>;

/** A broker that allows what ACLs say and nothing else. Every role comes under its own name and password. */
export class GuardedKafka {
  readonly broker: LocalKafka;
  readonly #admin: Admin;

  static async start(): Promise<GuardedKafka> {
    const users = RIGHTS_ROLES.map((role) => `user_${role}="${passwordOf(role)}"`).join(' ');
    const broker = await startLocalKafka({
      kafka: {
        listeners: [{ name: LISTENER, protocol: 'SASL_PLAINTEXT' }],
        properties: {
          'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
          'allow.everyone.if.no.acl.found': false,
          'super.users': SUPER_USER,
          'listener.name.sasl.sasl.enabled.mechanisms': 'PLAIN',
          'listener.name.sasl.plain.sasl.jaas.config': `org.apache.kafka.common.security.plain.PlainLoginModule required ${users};`,
        },
      },
    });
    try {
      const { kafkajs } = corrected();
      const admin = new kafkajs.Kafka(kafkaConfig({ brokers: broker.brokers, clientId: 'guard' }, silent)).admin();
      await admin.connect();
      return new GuardedKafka(broker, admin);
    } catch (error) {
      await broker.stop();
      throw error;
    }
  }

  private constructor(broker: LocalKafka, admin: Admin) {
    this.broker = broker;
    this.#admin = admin;
  }

  /** The Kafka part of the configuration of a role. */
  as(role: RightsRole): Pick<HoldfastConfig['kafka'], 'brokers' | 'sasl'> {
    return {
      brokers: [this.broker.listeners[LISTENER] ?? 'no listener'],
      sasl: { mechanism: 'plain', username: role, password: passwordOf(role) },
    };
  }

  async grant(role: RightsRole, rights: readonly Right[]): Promise<void> {
    await this.#admin.createAcls({ acl: rights.map((right) => this.#entry(role, right)) });
    await this.#untilKnown(role, rights, true);
  }

  async revoke(role: RightsRole, right: Right): Promise<void> {
    await this.#admin.deleteAcls({ filters: [this.#entry(role, right)] });
    await this.#untilKnown(role, [right], false);
  }

  /** The rights of a role as the broker has them, in no particular order. */
  async granted(role: string): Promise<readonly Omit<Right, 'why'>[]> {
    const { resources } = await this.#admin.describeAcls({
      principal: `User:${role}`,
      operation: AclOperationTypes.ANY,
      permissionType: AclPermissionTypes.ANY,
      resourceType: AclResourceTypes.ANY,
      resourcePatternType: ResourcePatternTypes.ANY,
    });
    return resources.flatMap(({ resourceName, resourcePatternType, resourceType, acls }) =>
      acls.map(({ operation }) => ({
        operation: nameOf(OPERATIONS, operation),
        resource: nameOf(RESOURCES, resourceType),
        name: resourceName,
        pattern: nameOf(PATTERNS, resourcePatternType),
      })),
    );
  }

  async stop(): Promise<void> {
    await this.#admin.disconnect();
    await this.broker.stop();
  }

  #entry(role: RightsRole, { operation, resource, name, pattern }: Right) {
    return {
      resourceType: RESOURCES[resource],
      resourceName: name,
      resourcePatternType: PATTERNS[pattern],
      principal: `User:${role}`,
      host: '*',
      operation: OPERATIONS[operation],
      permissionType: AclPermissionTypes.ALLOW,
    };
  }

  /** What an authorizer goes by follows the log of the controller; it answers by what it goes by. */
  async #untilKnown(role: RightsRole, rights: readonly Right[], wanted: boolean): Promise<void> {
    const texts = rights.map(textOf);
    await eventually(
      async () => {
        const known = new Set((await this.granted(role)).map(textOf));
        return texts.every((text) => known.has(text) === wanted) ? true : undefined;
      },
      `the ACLs of ${role} are ${wanted ? 'granted' : 'revoked'}`,
    );
  }
}

/** In the numbers of the protocol. */
const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } = corrected().kafkajs;
const OPERATIONS: Readonly<Record<Right['operation'], AclOperation>> = {
  Read: AclOperationTypes.READ,
  Write: AclOperationTypes.WRITE,
  Create: AclOperationTypes.CREATE,
  Describe: AclOperationTypes.DESCRIBE,
  DescribeConfigs: AclOperationTypes.DESCRIBE_CONFIGS,
};
const RESOURCES: Readonly<Record<Right['resource'], AclResource>> = {
  Topic: AclResourceTypes.TOPIC,
  Group: AclResourceTypes.GROUP,
  TransactionalId: AclResourceTypes.TRANSACTIONAL_ID,
};
const PATTERNS: Readonly<Record<Right['pattern'], AclPattern>> = {
  Literal: ResourcePatternTypes.LITERAL,
  Prefixed: ResourcePatternTypes.PREFIXED,
};

const nameOf = <Name extends string, Value extends number>(
  numbers: Readonly<Record<Name, Value>>,
  wanted: Value,
): Name => {
  const found = (Object.keys(numbers) as Name[]).find((name) => numbers[name] === wanted);
  if (found === undefined) throw new Error(`an ACL of a kind that nobody made: ${wanted}`);
  return found;
};

export const textOf = ({ operation, resource, name, pattern }: Omit<Right, 'why'>): string =>
  `${operation} on ${resource} ${name} (${pattern})`;
