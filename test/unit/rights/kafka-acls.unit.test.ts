import { describe, expect, it } from '@jest/globals';
import { kafkaAclsCommands } from '../../../services/rights/kafka-acls.js';
import { rightsOf, RIGHTS, RIGHTS_ROLES } from '../../../services/rights/rights.js';

describe('rights as commands of Kafka', () => {
  it('should be one for each thing, with all that is granted on it', () => {
    const rights = rightsOf('ledger', { topicPrefix: 'p.' }).filter(
      ({ name, resource }) => resource !== 'Topic' || name === 'p.a2a.ledger.v1',
    );

    expect(kafkaAclsCommands(rights, 'User:holdfast', ['k1:9092', 'k2:9092'])).toStrictEqual([
      'kafka-acls.sh --bootstrap-server k1:9092,k2:9092 --add --allow-principal User:holdfast ' +
        '--operation Read --operation Write --topic p.a2a.ledger.v1',
      'kafka-acls.sh --bootstrap-server k1:9092,k2:9092 --add --allow-principal User:holdfast ' +
        '--operation Read --group p.holdfast-ledger',
      'kafka-acls.sh --bootstrap-server k1:9092,k2:9092 --add --allow-principal User:holdfast ' +
        '--operation Write --transactional-id p.holdfast-ledger.g --resource-pattern-type prefixed',
    ]);
  });

  it('should log in as an administrator does', () => {
    const [command] = kafkaAclsCommands(rightsOf('producer', { topicPrefix: '' }), 'User:p', ['k:1'], 'my admin.conf');

    expect(command).toContain("--bootstrap-server k:1 --command-config 'my admin.conf' --add");
  });

  it('should survive a shell, whoever the principal is', () => {
    const [command] = kafkaAclsCommands(rightsOf('producer', { topicPrefix: '' }), "User:CN=O'Hara, $(x)", ['k:1']);

    expect(command).toContain(String.raw`--allow-principal 'User:CN=O'\''Hara, $(x)' --operation Write`);
  });
});

describe('the list of rights', () => {
  it('should name nothing twice', () => {
    const twice = RIGHTS_ROLES.flatMap((role) => {
      const texts = RIGHTS[role].map(({ operation, resource, name }) => `${role}: ${operation} ${resource} ${name}`);
      return texts.filter((text, index) => texts.indexOf(text) !== index);
    });

    expect(twice).toStrictEqual([]);
  });

  it('should leave a foreign group its name, and put the prefix before everything else', () => {
    const names = rightsOf('consumer', { topicPrefix: 'p.', consumerGroup: 'billing' }).map(({ name }) => name);

    expect(names).toStrictEqual(['p.a2a.verdicts.v1', 'p.a2a.violations.v1', 'billing']);
  });

  it('should let no service create or alter anything', () => {
    const services = ['ledger', 'verifier', 'dispatcher', 'gateway'] as const;
    const operations = new Set(services.flatMap((role) => RIGHTS[role].map(({ operation }) => operation)));

    expect([...operations].toSorted()).toStrictEqual(['Read', 'Write']);
  });
});
