import { CommanderError } from 'commander';
import { describe, expect, it } from 'vitest';
import { describeError, describeStack } from '../../../src/cli/describe-error.js';
import { ConfigError, DataError, InvariantError, UsageError } from '../../../src/domain/index.js';

const configError = new ConfigError('E_CONFIG_TYPE', {
  location: { file: 'bot.yaml', line: 12, column: 5, key: 'simulation.fees.maker' },
  expected: 'a quoted decimal',
  received: 'the number 0.001',
});
const dataError = new DataError('E_DATA_READ', 'cannot read a.arrow');

describe('describeError', () => {
  it.each([
    [
      'a config error with its place',
      configError,
      [
        'bot.yaml:12:5 simulation.fees.maker: expected a quoted decimal, received the number 0.001 (E_CONFIG_TYPE)',
      ],
      2,
    ],
    ['bad usage', new UsageError('E_USAGE', 'no such thing'), ['no such thing (E_USAGE)'], 2],
    ['a failure with its code', dataError, ['cannot read a.arrow (E_DATA_READ)'], 1],
    [
      'a message of several lines as one',
      new DataError('E_DATA_READ', 'cannot read\n  a.arrow'),
      ['cannot read a.arrow (E_DATA_READ)'],
      1,
    ],
    ['a bug by its code', new InvariantError('E_BATCH', 'torn'), ['torn (E_BATCH)'], 1],
    [
      'an unexpected exception',
      new TypeError('x is undefined'),
      ['internal error: TypeError: x is undefined (E_INTERNAL); --debug shows where'],
      1,
    ],
    [
      'a file that cannot be used, unexpectedly, by its path',
      Object.assign(new Error("ENOSPC: no space left on device, mkdtemp '/tmp/a-'"), {
        syscall: 'mkdtemp',
        path: '/tmp/a-',
      }),
      [
        'internal error: cannot mkdtemp /tmp/a-: the disk is full (E_INTERNAL); --debug shows where',
      ],
      1,
    ],
    [
      'a thrown value that is no error and that JSON cannot hold',
      1n,
      ['internal error: 1n (E_INTERNAL); --debug shows where'],
      1,
    ],
    ['nothing', undefined, ['internal error: undefined (E_INTERNAL); --debug shows where'], 1],
    ['usage that commander has printed', new CommanderError(1, 'commander.x', 'x'), [], 2],
    ['help that commander has printed', new CommanderError(0, 'commander.help', 'x'), [], 0],
  ])('describes %s', (_what, error, lines, exitCode) => {
    expect(describeError(error)).toEqual({ lines, exitCode });
  });

  it('describes each of several problems, with exit code 2 only if all are bad usage', () => {
    const config = describeError(new AggregateError([configError, configError]));
    const mixed = describeError(new AggregateError([configError, dataError]));

    expect(config).toMatchObject({ lines: { length: 2 }, exitCode: 2 });
    expect(mixed).toMatchObject({ lines: { length: 2 }, exitCode: 1 });
  });
});

describe('describeStack', () => {
  it('shows an error and its cause', () => {
    const error = new DataError('E_DATA_READ', 'outer', { cause: new Error('inner') });

    const stack = describeStack(error);

    expect(stack).toMatch(/outer[^]*\n {4}at [^]*caused by: Error: inner\n {4}at /);
  });
});
