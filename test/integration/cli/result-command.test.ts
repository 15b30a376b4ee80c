import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { describe, expect, it } from 'vitest';

import type { Result } from '../../../src/report/index.js';
import { runCommand } from '../../support/cli/command-runner.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const ROOT = resolve(import.meta.dirname, '../../..');

async function readResult(file: string): Promise<Result> {
  return JSON.parse(await readFile(file, 'utf8')) as Result;
}

/** Why orders were made, as a page was given it. */
async function readReasons(file: string): Promise<readonly unknown[]> {
  const text = /id="data">(.*?)<\/script>/s.exec(await readFile(file, 'utf8'))?.[1] ?? '';
  return (JSON.parse(text) as { readonly reasons: readonly unknown[] }).reasons;
}

describe('result of a journal', () => {
  it.each([
    ['margin-swing', '2025-05-08'],
    ['coin-hedge', '2025-05-20'],
  ])('is the result of the backtest that wrote it: %s', async (name, to) => {
    const folder = await temporaryFolder();
    const at = (file: string): string => join(folder, file);
    const config = `config/${name}.backtest.yaml`;
    const curve = ['--curve', 'candle'];

    const made = await runCommand(ROOT, [
      ...['backtest', config, '--to', to, ...curve],
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
    // What a journal cannot know: other candles of the archive, and how candles may have moved.
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

  it('tells orders that close positions at the end as the backtest does', async () => {
    const folder = await temporaryFolder();
    const at = (file: string): string => join(folder, file);
    const config = 'config/sma-crossover.backtest.yaml';
    const set = ['--set', 'simulation.closeAtEnd=true'];

    const made = await runCommand(ROOT, [
      ...['backtest', config, ...set, '--to', '2024-08-03', '--json', at('made.json')],
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

  it('says that a bot has no journal yet', async () => {
    const none = await runCommand(ROOT, ['result', 'config/sma-crossover.live.yaml']);

    expect(none.exitCode).not.toBe(0);
    expect(none.stderr).toContain('E_JOURNAL_MISSING');
  });
});
