import { access, readdir, readFile, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TextOutput } from '../../../src/cli/cli-context.js';
import { parseResult } from '../../../src/report/index.js';
import { botFolder, SMA_SOURCE } from '../../support/cli/bot-folder.js';
import { BOT_YAML, botYaml } from '../../support/cli/bot-yaml.js';
import { runCommand } from '../../support/cli/command-runner.js';

/** A terminal of 100 columns that keeps its output. */
function terminal(): TextOutput & { readonly text: () => string } {
  let written = '';
  return {
    write: (text) => {
      written += text;
    },
    isTerminal: true,
    columns: 100,
    text: () => written,
  };
}

describe('backtest', () => {
  it('prints a summary with the chart, and nothing on stderr', async () => {
    const folder = await botFolder();

    const run = await runCommand(folder, ['backtest', 'bot.yaml']);

    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.stdout).toContain('Sma on spot:BTCUSDT');
    expect(run.stdout).toMatch(/Residual\s+0 USDT/);
    expect(run.stdout).toContain('┤');
  });

  it('calls compileSeldom after a single replay, and not with --bounds', async () => {
    const folder = await botFolder();
    let calls = 0;
    const context = {
      compileSeldom: () => {
        calls += 1;
      },
    };

    await runCommand(folder, ['backtest', 'bot.yaml'], context);
    expect(calls).toBe(1);
    await runCommand(folder, ['backtest', 'bot.yaml', '--bounds'], context);
    expect(calls).toBe(1);
  });

  it('reports the progress of its run to the compiler', async () => {
    const yaml = BOT_YAML.replaceAll('1h', '5min');
    const folder = await botFolder({ yaml, interval: '5min' });
    const totals: number[] = [];
    const context = {
      compileByLength: () => (progress: { readonly total: number }) => totals.push(progress.total),
    };

    await runCommand(folder, ['backtest', 'bot.yaml'], context);

    expect(totals.length).toBeGreaterThan(1);
    expect(new Set(totals)).toEqual(new Set([31 * 288]));
  });

  it('prints the log of the strategy on stderr only with --log', async () => {
    const source = SMA_SOURCE.replace(
      'override onCandle(): void {',
      `override onCandle(): void {
    if (this.slow.at(-1) > 0 && this.now % 86400000 === 0 && this.now < 1736035200000) {
      this.log.info('a new day', { last: this.last(), big: 1n });
      this.log.warn('two\\nlines');
    }`,
    );
    const folder = await botFolder();
    await writeFile(path.join(folder, 'sma.strategy.ts'), source);

    const silent = await runCommand(folder, ['backtest', 'bot.yaml', '--json', '-']);
    const told = await runCommand(folder, ['backtest', 'bot.yaml', '--json', '-', '--log']);

    expect(silent.stderr).toBe('');
    expect(told.stdout).toBe(silent.stdout);
    const lines = told.stderr.trimEnd().split('\n');
    expect(lines[0]).toMatch(
      /^2025-01-0\dT00:00:00Z info {2}a new day \{"last":[\d.]+,"big":"1"\}$/,
    );
    expect(lines[1]).toMatch(/^2025-01-0\dT00:00:00Z warn {2}two\\nlines$/);
  });

  it('writes the same bytes twice, to a file and to stdout', async () => {
    const folder = await botFolder();

    const first = await runCommand(folder, ['backtest', 'bot.yaml', '--json', 'one.json']);
    const second = await runCommand(folder, ['backtest', 'bot.yaml', '--json', 'two.json']);
    const third = await runCommand(folder, ['backtest', 'bot.yaml', '--json', '-']);

    const one = await readFile(path.join(folder, 'one.json'), 'utf8');
    expect(await readFile(path.join(folder, 'two.json'), 'utf8')).toBe(one);
    expect(third.stdout).toBe(one);
    expect([first.exitCode, second.exitCode, third.exitCode]).toEqual([0, 0, 0]);
    const result = parseResult(one, 'one.json');
    expect(result.accounting.residual).toBe('0');
    expect(result.fills.length).toBeGreaterThan(10);
    expect(one).not.toContain(folder);
  });

  it('gives the same result in another folder', async () => {
    const [here, there] = [await botFolder(), await botFolder()];

    const one = await runCommand(here, ['backtest', 'bot.yaml', '--json', '-']);
    const two = await runCommand(path.dirname(there), [
      'backtest',
      path.join(path.basename(there), 'bot.yaml'),
      '--json',
      '-',
    ]);

    expect(two.stdout).toBe(one.stdout);
  });

  it('takes range, settings and curve from the command line', async () => {
    const folder = await botFolder();

    const run = await runCommand(folder, [
      'backtest',
      'bot.yaml',
      '--from',
      '2025-01-10',
      '--to',
      '2025-01-20',
      '--set',
      'strategy.parameters.fast=5',
      '--set',
      'simulation.fees={ maker: "0", taker: "0" }',
      '--curve',
      'candle',
      '--json',
      '-',
    ]);

    const result = parseResult(run.stdout, 'stdout');
    expect(result.run.from).toBe(Date.parse('2025-01-10T00:00:00Z'));
    expect(result.run.to).toBe(Date.parse('2025-01-20T00:00:00Z'));
    expect(result.run.parameters).toEqual({ fast: 5, slow: 30 });
    expect(result.statistics.fees).toBe('0');
    // 10 days of 24 closes, and the start.
    expect(result.equityCurve).toHaveLength(241);
  });

  it('prints the range over all candle paths with --bounds', async () => {
    const folder = await botFolder();

    const run = await runCommand(folder, ['backtest', 'bot.yaml', '--bounds', '--json', '-']);

    const { bounds, equity } = parseResult(run.stdout, 'stdout');
    const [low, high] = [Number(bounds.low.finalEquity), Number(bounds.high.finalEquity)];
    expect(low).toBeLessThanOrEqual(Number(equity.final));
    expect(high).toBeGreaterThanOrEqual(Number(equity.final));
  });

  it('takes at most the given number of runs for the range, and keeps that number', async () => {
    const folder = await botFolder();
    const words = ['backtest', 'bot.yaml', '--json', '-', '--bounds-runs'];

    const few = parseResult((await runCommand(folder, [...words, '4'])).stdout, 'stdout');
    const usual = parseResult((await runCommand(folder, [...words, '4096'])).stdout, 'stdout');
    const wrong = await runCommand(folder, [...words, '3']);

    expect(few.bounds.search?.budget).toBe(4);
    expect(few.bounds.search?.runs).toBeLessThanOrEqual(4);
    expect(usual.bounds.search).not.toHaveProperty('budget');
    expect(wrong.exitCode).toBe(2);
    expect(wrong.stderr).toContain('expected a whole number from 4 to 999999999');
  });

  it('counts and shows refusals when the balance is too small for any order', async () => {
    const folder = await botFolder({ yaml: botYaml('USDT: "10000"', 'USDT: "1"') });

    const run = await runCommand(folder, ['backtest', 'bot.yaml']);

    expect(run.exitCode).toBe(0);
    expect(run.stdout).toMatch(/Refused\s+\d+ × /);
    expect(run.stdout).toMatch(/ 0 orders, 0 fills/);
  });

  it('uses colors on a terminal, unless NO_COLOR is set', async () => {
    const folder = await botFolder();
    const [colored, plain] = [terminal(), terminal()];

    await runCommand(folder, ['backtest', 'bot.yaml'], { stdout: colored });
    await runCommand(folder, ['backtest', 'bot.yaml'], { stdout: plain, env: { NO_COLOR: '1' } });

    expect(colored.text()).toContain('\u001b[');
    expect(plain.text()).not.toContain('\u001b[');
  });

  it('stores compiled plugins and their findings in the cache folder of the user', async () => {
    const folder = await botFolder();

    const run = await runCommand(folder, ['backtest', 'bot.yaml'], {
      env: { XDG_CACHE_HOME: path.join(folder, 'cache') },
    });

    expect(run.exitCode).toBe(0);
    const kept = await readdir(path.join(folder, 'cache', 'evenkeel'));
    // `cleaned` is the stamp of the last clean-up.
    expect(kept).toHaveLength(3);
    expect(kept).toEqual(expect.arrayContaining(['cleaned', 'findings']));
  });
});

describe('a backtest that is interrupted', () => {
  it('ends with 130 and leaves no file', async () => {
    const interrupt = new AbortController();
    const progress = terminal();
    const folder = await botFolder({ plugin: interruptible() });
    const shared = globalThis as { interruptBacktest?: () => void };
    shared.interruptBacktest = () => {
      interrupt.abort(new Error('interrupted'));
    };
    const before = await readdir(folder, { recursive: true });

    const run = await runCommand(folder, ['backtest', 'bot.yaml', '--json', 'out.json'], {
      signal: interrupt.signal,
      stderr: progress,
    });
    delete shared.interruptBacktest;

    expect(run.exitCode).toBe(130);
    expect(run.stdout).toBe('');
    expect(progress.text()).toContain('interrupted\n');
    expect(await readdir(folder, { recursive: true })).toEqual(before);
  });

  /** A strategy that asks for the interrupt itself, because a test cannot press a key at the right time. */
  function interruptible(): string {
    return SMA_SOURCE.replace(
      'if (crossedAbove',
      '(globalThis as { interruptBacktest?: () => void }).interruptBacktest?.();\n    if (crossedAbove',
    );
  }
});

describe('the output of a backtest', () => {
  it('is refused before the run if it cannot be written', async () => {
    const folder = await botFolder({ candles: 'none' });
    await writeFile(path.join(folder, 'file'), '');

    const intoFolder = await runCommand(folder, ['backtest', 'bot.yaml', '--json', 'data']);
    const belowNothing = await runCommand(folder, [
      'backtest',
      'bot.yaml',
      '--json',
      'no/out.json',
    ]);
    const belowFile = await runCommand(folder, ['backtest', 'bot.yaml', '--json', 'file/out.json']);

    expect(intoFolder).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'cannot write data: it is a folder (E_DATA_WRITE)\n',
    });
    expect(belowNothing).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'cannot write no/out.json: there is no folder no (E_DATA_WRITE)\n',
    });
    expect(belowFile.exitCode).toBe(1);
    expect(existsSync(path.join(folder, 'no'))).toBe(false);
  });

  it.skipIf(!existsSync('/dev/full'))('fails with E_DATA_WRITE if the disk is full', async () => {
    const folder = await botFolder();

    const run = await runCommand(folder, ['backtest', 'bot.yaml', '--json', '/dev/full']);

    expect(run.exitCode).toBe(1);
    expect(run.stdout).toBe('');
    expect(run.stderr).toMatch(/^cannot write \/dev\/full: the disk is full \(E_DATA_WRITE\)\n$/);
    await access('/dev/full');
  });
});
