import { describe, expect, it } from '@jest/globals';
import { explain, whyLines, type WhySources } from '../../../services/console/why.js';
import type { Placed } from '../../../services/console/verdict-log.js';
import type { Decision } from '../../../topology/decision.js';
import { commandRecord, verdictRecord, type CommandRecord, type Verdict } from '../../../topology/ledger-records.js';
import { agent } from '../../kit/decider-kit/agents.js';
import { dispatched, lostTask, operator, redispatched, said } from '../../kit/decider-kit/builders.js';
import { Ledger } from '../../kit/decider-kit/ledger.js';

type UnitCommand = Exclude<CommandRecord, { type: 'RefreshCard' }>;

/** The log of one unit: what its decisions write. */
class Story {
  readonly verdicts: Placed<Verdict>[] = [];
  readonly commands: Placed<UnitCommand>[] = [];
  readonly ledger: Ledger;

  constructor(ledger: Ledger) {
    this.ledger = ledger;
  }

  tell(...observations: readonly Parameters<Ledger['observe']>[0][]): this {
    return this.take(...observations.map((observation) => this.ledger.observe(observation)));
  }

  take(...decisions: readonly Decision[]): this {
    const { now, unit } = this.ledger;
    for (const decision of decisions) {
      this.verdicts.push(this.#placed('a2a.verdicts.v1', this.verdicts.length, verdictRecord(decision, unit)));
      for (const command of decision.commands) {
        const record = commandRecord(command, now);
        if (record.type !== 'RefreshCard')
          this.commands.push(this.#placed('a2a.commands.v1', this.commands.length, record));
      }
    }
    return this;
  }

  lines(considered: WhySources['considered'] = () => []): readonly string[] {
    const sentences = explain({ verdicts: this.verdicts, commands: this.commands, considered });
    return whyLines(sentences.filter(({ isMinor }) => !isMinor)).map((line) => line.replace(/^\d{4}-\S+Z {2}/, ''));
  }

  #placed<Value>(topic: string, index: number, value: Value): Placed<Value> {
    return { value, at: { topic, partition: 0, offset: BigInt(index) }, time: this.ledger.now };
  }
}

const threeVendors = (): Ledger =>
  new Ledger([...agent('w1'), ...agent('w2', { verified: ['submitted', 'working', 'completed'] }), ...agent('w3')]);

describe('why', () => {
  it('should tell who lost what, who was considered, what was sent, what came back, and late words', () => {
    const story = new Story(threeVendors()).tell(
      dispatched('w1'),
      said('w1', 't-1', 'input-required'),
      lostTask('w1', 't-1'),
    );
    const commandId = story.commands[0]?.value.commandId ?? '';
    story.tell(
      { type: 'DispatchStarted', correlationId: 'c-1', agentId: 'w3', commandId },
      redispatched('w3', { commandId, serverTaskId: 't-3' }),
      said('w3', 't-3', 'completed'),
      said('w1', 't-1', 'working'),
    );

    expect(story.lines()).toStrictEqual([
      'sent to w1. (R49)  [a2a.verdicts.v1/0/0 a2a.task-events.v1/0/0]',
      'w1 is at input-required. (R15)  [a2a.verdicts.v1/0/1 a2a.task-events.v1/0/1]',
      'Lost, not failed: w1 lost task t-1, last seen input-required. (R29)  [a2a.verdicts.v1/0/2 a2a.task-events.v1/0/2]',
      'To be sent to w3 as attempt 2, which needs input-required verified.  [a2a.commands.v1/0/0]',
      '    w3 can take it over',
      '    w2 cannot: input-required not verified',
      '    w1 cannot: lost this unit and was not verified again since',
      'about to be sent to w3. (R40)  [a2a.verdicts.v1/0/3 a2a.task-events.v1/0/3]',
      'redispatched to w3 as attempt 2. (R34)  [a2a.verdicts.v1/0/4 a2a.task-events.v1/0/4]',
      'w3 is at completed. (R15)  [a2a.verdicts.v1/0/5 a2a.task-events.v1/0/5]',
      'A late word of superseded attempt 1: attempt 1 still says working, but the unit is completed. (R38)  [a2a.verdicts.v1/0/6 a2a.task-events.v1/0/6]',
      'w1 is told to stop task t-1: attempt 1 counts no more.  [a2a.commands.v1/0/1]',
    ]);
  });

  it('should say who could not take it over where nobody could', () => {
    const ledger = new Ledger([...agent('w1'), ...agent('w2', { verified: null })]);
    const story = new Story(ledger).tell(dispatched('w1'), said('w1', 't-1', 'working'), lostTask('w1', 't-1'));

    expect(story.lines(() => [{ agentId: 'w2', lacks: ['never verified'] }]).slice(2)).toStrictEqual([
      'Lost, not failed: w1 lost task t-1, last seen working; nobody who could take it over has verified working. (R29)  [a2a.verdicts.v1/0/2 a2a.task-events.v1/0/2]',
      '    w2 cannot: never verified',
    ]);
  });

  it('should tell a command that was issued twice under one ID twice, each where it was issued', () => {
    const ledger = new Ledger([...agent('w1'), ...agent('w2')], { recovery: 'manual' });
    const story = new Story(ledger).tell(
      dispatched('w1'),
      lostTask('w1', 't-1'),
      said('w1', 't-1', 'working'),
      lostTask('w1', 't-1'),
      operator('approve', { actor: 'kim' }),
    );

    expect(story.lines().filter((line) => /sent to w2|kim/.test(line))).toStrictEqual([
      'To be sent to w2 as attempt 2, which needs working verified; it waits for an operator to approve it.  [a2a.commands.v1/0/0]',
      'kim approved the redispatch. (R41)  [a2a.verdicts.v1/0/4 a2a.task-events.v1/0/4]',
      'To be sent to w2 as attempt 2, released by the operator, which needs working verified.  [a2a.commands.v1/0/1]',
    ]);
  });

  it('should never blame the client', () => {
    const story = new Story(threeVendors()).tell(
      dispatched('w1'),
      said('w1', 't-1', 'input-required'),
      lostTask('w1', 't-1'),
    );

    expect(story.lines().join('\n')).not.toMatch(/client|failed to|did not (give|provide|answer)/);
  });
});
