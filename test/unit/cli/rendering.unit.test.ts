import { InvalidArgumentError } from 'commander';
import { describe, expect, it } from '@jest/globals';
import { HoldfastError } from '../../../infra/errors.js';
import { choiceArgument, choiceOption } from '../../../services/cli/choices.js';
import { failureText } from '../../../services/cli/failure.js';
import { painter, showsColours, widthOf } from '../../../services/cli/terminal.js';
import { UsageError } from '../../../services/cli/usage-error.js';
import { columns } from '../../../services/console/columns.js';
import { printable } from '../../../services/console/printable.js';

const ESC = String.fromCharCode(27);

describe('text that others wrote', () => {
  it('should not command a terminal or leave its line', () => {
    expect(printable(`a${ESC}[2Jb\r\nc\u0007\u009bd\u2028e`)).toBe(
      'a\\u001b[2Jb\\u000d\\u000ac\\u0007\\u009bd\\u2028e',
    );
  });

  it('should keep our colours and other languages', () => {
    expect(printable(`${ESC}[31mжizň 任務 🎉${ESC}[39m${ESC}[8mhidden`)).toBe(
      `${ESC}[31mжizň 任務 🎉${ESC}[39m\\u001b[8mhidden`,
    );
  });
});

describe('a table', () => {
  const rows = [
    ['offer-1', 'a reason that is rather long', 'x'],
    ['2', 'short', ''],
  ];

  it('should be as wide as it needs where nothing limits it', () => {
    expect(columns(['ID', 'WHY', 'MARKS'], rows)).toStrictEqual([
      'ID       WHY                           MARKS',
      'offer-1  a reason that is rather long  x',
      '2        short',
    ]);
  });

  it('should fit a terminal by cutting its widest column, and say where', () => {
    const table = columns(['ID', 'WHY', 'MARKS'], rows, 30);

    expect(table).toStrictEqual(['ID       WHY             MARKS', 'offer-1  a reason that…  x', '2        short']);
    expect(Math.max(...table.map(({ length }) => length))).toBe(30);
  });

  it('should stay readable on a terminal that is too narrow for anything', () => {
    expect(columns(['ID', 'WHY', 'MARKS'], rows, 5)).toStrictEqual([
      'ID      WHY     MARKS',
      'offer…  a rea…  x',
      '2       short',
    ]);
  });

  it('should not be broken by what stands in it', () => {
    expect(columns(['ID'], [['a\nb']])).toStrictEqual(['ID', 'a\\u000ab']);
  });
});

describe('colours', () => {
  const terminal = { isTTY: true, columns: 80 };
  it.each([
    ['a terminal', terminal, {}, true],
    ['a pipe', {}, {}, false],
    ['a terminal that has none', terminal, { TERM: 'dumb' }, false],
    ['NO_COLOR', terminal, { NO_COLOR: '1' }, false],
    ['an empty NO_COLOR, which says nothing', terminal, { NO_COLOR: '' }, true],
    ['FORCE_COLOR off a terminal', {}, { FORCE_COLOR: '1' }, true],
    ['FORCE_COLOR=0 on one', terminal, { FORCE_COLOR: '0' }, false],
    ['NO_COLOR before FORCE_COLOR', terminal, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
  ])('should be as they are wanted: %s', (_, stream, env, shown) => {
    expect(showsColours(stream, env)).toBe(shown);
    expect(painter(stream, env)('red', 'x')).toBe(shown ? `${ESC}[31mx${ESC}[39m` : 'x');
  });

  it('should come with a width on a terminal that tells it only', () => {
    expect([widthOf(terminal), widthOf({ isTTY: true, columns: 0 }), widthOf({ columns: 80 })]).toStrictEqual([
      80,
      undefined,
      undefined,
    ]);
  });
});

describe('a failure', () => {
  const refused = new HoldfastError('the broker is away', { code: 'HOLDFAST_STREAM_BROKER', retryable: true });
  const text = { json: false, debug: false };

  it('should be told with its code, or as one document', () => {
    expect(failureText(refused, text)).toBe('holdfast: the broker is away [HOLDFAST_STREAM_BROKER]\n');
    expect(failureText(refused, { ...text, json: true })).toBe(
      '{"error":{"code":"HOLDFAST_STREAM_BROKER","message":"the broker is away","retryable":true}}\n',
    );
  });

  it('should say of a wrong command line where its help is, and no code', () => {
    expect(failureText(new UsageError("unknown option '--x'", 'holdfast tasks list'), text)).toBe(
      'holdfast: unknown option \'--x\'\nSee "holdfast tasks list --help".\n',
    );
  });

  it('should show where it came from only to those who ask', () => {
    const unexpected = new TypeError('x is not a function', { cause: new Error('because') });

    expect(failureText(unexpected, text).split('\n')).toStrictEqual([
      'holdfast: this should not happen: x is not a function (HOLDFAST_LOG_LEVEL=debug shows where) [HOLDFAST_CLI_UNEXPECTED]',
      '',
    ]);
    expect(failureText(unexpected, { ...text, debug: true })).toMatch(
      /\nTypeError: x is not a function\n {4}at [^]+\ncaused by Error: because\n {4}at /,
    );
  });
});

describe('a choice', () => {
  const words = ['ledger', 'verifier', 'gateway'];
  const complaint = (given: string): string => {
    try {
      choiceOption('--role <role>', 'which', words).parseArg?.(given, undefined);
    } catch (error) {
      return (error as InvalidArgumentError).message;
    }
    return '';
  };

  it('should take its words, many where many are wanted, and list them to the help', () => {
    const many = choiceArgument('[roles...]', 'which', words);
    const taken = ['ledger', 'gateway'].reduce<unknown>((before, word) => many.parseArg?.(word, before), undefined);

    expect(complaint('ledger')).toBe('');
    expect(taken).toStrictEqual(['ledger', 'gateway']);
    expect(many.argChoices).toStrictEqual(words);
  });

  it('should answer another word with the nearest', () => {
    expect(complaint('ledgr')).toBe('Allowed are ledger, verifier, gateway.\n(Did you mean ledger?)');
    expect(complaint('GATEWAY')).toBe('Allowed are ledger, verifier, gateway.\n(Did you mean gateway?)');
    expect(complaint('zzz')).toBe('Allowed are ledger, verifier, gateway.');
  });
});
