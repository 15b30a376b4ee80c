import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { describe, expect, it } from 'vitest';

import type { Result } from '../../../src/report/index.js';
import { runCommand } from '../../support/cli/command-runner.js';
import { twoEpochs } from '../../support/cli/two-epochs.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const ROOT = resolve(import.meta.dirname, '../../..');

async function readResult(file: string): Promise<Result> {
  return JSON.parse(await readFile(file, 'utf8')) as Result;
}

/** The reasons of orders, as the data of a page contains them. */
async function readReasons(file: string): Promise<readonly unknown[]> {
  const text = /id="data">(.*?)<\/script>/s.exec(await readFile(file, 'utf8'))?.[1] ?? '';
  return (JSON.parse(text) as { readonly reasons: readonly unknown[] }).reasons;
}

describe('result of a journal', () => {
  it.each([
    ['margin-swing', '2025-05-08'],
    ['coin-hedge', '2025-05-20'],
  ])('equals the result of the backtest that wrote it: %s', async (name, to) => {
    const folder = await temporaryFolder();
    const at = (file: string): string => join(folder, file);
    const config = `config/${name}.backtest.yaml`;
    const curve = ['--curve', 'candle'];

    const made = await runCommand(ROOT, [
      ...['backtest', config, '--no-ledger', '--to', to, ...curve],
      ...['--journal', at('run.db'), '--json', at('made.json'), '--report', at('made.html')],
    ]);
    const read = await runCommand(ROOT, [
      ...['result', at('run.db'), '--config', config, ...curve],
      ...['--json', at('read.json'), '--trades', at('t.csv'), '--report', at('page.html')],
    ]);

    expect([made.stderr, read.stderr, read.exitCode]).toEqual(['', '', 0]);
    const [expected, actual] = [
      await readResult(at('made.json')),
      await readResult(at('read.json')),
    ];
    expect(expected.fills.length).toBeGreaterThan(0);
    // A result without the fields that a journal cannot give: they need the candles of the archive and their possible paths.
    const known = (result: Result): unknown => ({
      ...result,
      ...{ bounds: undefined, undecided: undefined, warnings: undefined },
      run: { ...result.run, id: '', dataHash: '' },
    });
    expect(known(actual)).toEqual(known(expected));
    const [first, second] = [
      await readReasons(at('made.html')),
      await readReasons(at('page.html')),
    ];
    expect(first.length).toBeGreaterThan(0);
    expect(second).toEqual(first);
  });

  it('shows orders that close positions at the end as the backtest does', async () => {
    const folder = await temporaryFolder();
    const at = (file: string): string => join(folder, file);
    const config = 'config/sma-crossover.backtest.yaml';
    const set = ['--set', 'simulation.closeAtEnd=true'];

    const made = await runCommand(ROOT, [
      ...[
        'backtest',
        config,
        '--no-ledger',
        ...set,
        '--to',
        '2024-08-03',
        '--json',
        at('made.json'),
      ],
      ...['--journal', at('run.db'), '--report', at('made.html')],
    ]);
    const read = await runCommand(ROOT, [
      ...['result', at('run.db'), '--config', config, '--json', at('read.json')],
    ]);

    expect([made.stderr, read.stderr]).toEqual(['', '']);
    const [expected, actual] = [
      await readResult(at('made.json')),
      await readResult(at('read.json')),
    ];
    expect(expected.trades?.at(-1)?.exit?.cause).toBe('end');
    for (const key of ['orders', 'fills', 'trades', 'breakdowns', 'calls', 'hash'] as const)
      expect(actual[key]).toEqual(expected[key]);
    const reasons = (await readReasons(at('made.html'))) as readonly { lines: readonly string[] }[];
    expect(reasons.at(-1)?.lines[0]).toBe(
      'data      closeAtEnd at 2024-08-03T00:00:00Z: the run is over',
    );
  });

  /** The result of a part of a journal with two epochs. `others`: epochs whose header has the hash of another plugin. */
  const partOf = async (epoch: readonly string[], ...others: readonly number[]) => {
    const folder = await twoEpochs(undefined, others);
    const run = await runCommand(folder, [
      ...['result', 'run.db', '--config', 'bot.yaml', '--json', '-', ...epoch],
    ]);
    return { ...run, result: () => JSON.parse(run.stdout) as Result };
  };

  it('names the available epochs after the bot was reloaded', async () => {
    const run = await partOf([], 1);

    expect(run.exitCode).toBe(2);
    expect(run.stderr).toMatch(
      /restore it to replay; of this journal, --epoch 2 gives what came after, --epoch 1-1 what was run with it, once it is back \(E_REPLAY_INPUTS\)\n$/,
    );
  });

  it('names the available epochs with the earlier plugin', async () => {
    const run = await partOf([], 2);

    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain(
      '; of this journal, --epoch 1-1 gives what came before, --epoch 2-2 what was run with it, once it is back',
    );
  });

  it.each([
    ['2', 1, 'epoch 2', '--epoch 1-1 gives those before'],
    ['1-1', 2, 'epoch 1', '--epoch 2 gives those after'],
  ])('covers epoch %s only, and warns of it', async (epoch, other, those, rest) => {
    const run = await partOf(['--epoch', epoch], other);

    const { warnings, fills } = run.result();
    expect(warnings).toContain(
      `the result is of ${those} of the journal alone: ${rest}, with the plugin and the configuration that they were run with`,
    );
    const border = Date.UTC(2025, 0, 20);
    expect(fills.length).toBeGreaterThan(0);
    expect(fills.every(({ time }) => time < border === (epoch === '1-1'))).toBe(true);
  });

  it.each([
    ['two', 'expected the number of an epoch, or two as in 1-2'],
    ['2-1', 'expected the number of an epoch, or two as in 1-2'],
    ['1-3', 'expected one of the epochs 1, 2, received 3 (E_REPLAY_EPOCH)'],
  ])('refuses --epoch %s', async (epoch, text) => {
    const run = await partOf(['--epoch', epoch]);

    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain(text);
  });

  it('reports that a bot has no journal yet', async () => {
    const none = await runCommand(ROOT, ['result', 'config/sma-crossover.live.yaml']);

    expect(none.exitCode).not.toBe(0);
    expect(none.stderr).toContain('E_JOURNAL_MISSING');
  });
});
