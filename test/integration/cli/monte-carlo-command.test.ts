import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseResult } from '../../../src/report/index.js';
import { monteCarloSchema, type MonteCarlo } from '../../../src/research/index.js';
import { botFolder } from '../../support/cli/bot-folder.js';
import { botYaml } from '../../support/cli/bot-yaml.js';
import { runCommand } from '../../support/cli/command-runner.js';
import { createTrialRunner } from '../../support/cli/inline-trials.js';

/** January without its first day, which is the warm-up: thirty whole days. */
const YAML = botYaml(
  'from: 2025-01-01',
  'from: 2025-01-02',
  botYaml('{ fast: 10, slow: 30 }', '{ fast: 5, slow: 20 }'),
);

describe('monte-carlo', () => {
  it('writes the same document for a bot and for its result, with the figures of the result', async () => {
    const folder = await botFolder({ yaml: YAML });
    await runCommand(folder, ['backtest', 'bot.yaml', '--json', 'result.json']);

    const ofBot = await runCommand(folder, ['monte-carlo', 'bot.yaml', '--json', '-']);
    const ofResult = await runCommand(folder, ['monte-carlo', 'result.json', '--json', 'mc.json']);

    expect(ofBot).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await readFile(path.join(folder, 'mc.json'), 'utf8')).toBe(ofBot.stdout);
    const { monteCarlo, trades, days } = monteCarloSchema.parse(JSON.parse(ofBot.stdout));
    const text = await readFile(path.join(folder, 'result.json'), 'utf8');
    const { run, statistics, trades: listed } = parseResult(text, 'result.json');
    expect(monteCarlo).toMatchObject({ run: run.id, seed: 1, paths: 1_000, ruin: 0.5 });
    expect(trades?.count).toBe(listed?.length);
    expect(days?.count).toBe(30);
    expect(days?.totalReturn.run).toBeCloseTo(statistics.totalReturn ?? NaN, 12);
    expect(ofResult.stdout).toMatch(
      /^Sma, fast 5, slow 20, 2025-01-02 to 2025-02-01\n1,000 paths each, seed 1; /,
    );
    expect(ofResult.stdout).toMatch(
      /\nTrades {5}\d+ in shuffled order; their total profit stays the same\n/,
    );
    expect(ofResult.stdout).toMatch(/\nDays {7}30 in blocks of \d+\.\d\d days on average, /);
    expect(ofResult.stdout).toMatch(/\nreturn( +-?\d+\.\d\d %){6}\n/);
    expect(ofResult.stdout).toMatch(
      /\nRuin {7}\d+\.\d\d % of the paths lose 50\.00 % of the initial equity\n/,
    );
  });

  it('draws with the given paths, seed, block and ruin', async () => {
    const folder = await botFolder({ yaml: YAML });
    const how = ['--paths', '50', '--seed', '7', '--block', '3', '--ruin', '.01', '--json', '-'];

    const { stdout } = await runCommand(folder, ['monte-carlo', 'bot.yaml', ...how]);

    const { monteCarlo, days } = monteCarloSchema.parse(JSON.parse(stdout));
    expect(monteCarlo).toMatchObject({ paths: 50, seed: 7, ruin: 0.01 });
    expect(days?.block).toBe(3);
    expect((50 * (days?.ruin ?? NaN)) % 1).toBe(0);
  });

  it('runs the bot again on histories of its candles, with any number of jobs', async () => {
    const folder = await botFolder({ yaml: YAML });
    const rerun = async (...how: readonly string[]): Promise<MonteCarlo['candles']> => {
      const args = ['monte-carlo', 'bot.yaml', '--candles', '6', ...how, '--json', '-'];
      const run = await runCommand(folder, args, { createTrialRunner });
      expect(run).toMatchObject({ exitCode: 0, stderr: '' });
      return monteCarloSchema.parse(JSON.parse(run.stdout)).candles;
    };

    const [one, three] = [await rerun('--jobs', '1'), await rerun('--jobs', '3')];
    const whole = await rerun('--block', '30');

    expect(one).toMatchObject({ count: 30, histories: 6, failed: 0 });
    expect(three).toEqual(one);
    expect(one?.totalReturn.p5).toBeLessThan(one?.totalReturn.p95 ?? NaN);
    // Only one block fits, so every history equals the real one.
    const { run, ...bounds } = whole?.totalReturn ?? { run: NaN };
    expect(new Set(Object.values(bounds))).toEqual(new Set([run]));
    expect(run).toBe(one?.totalReturn.run);
    expect(existsSync(path.join(folder, 'data.trials.jsonl'))).toBe(false);
  });

  it('prints the results on the histories', async () => {
    const folder = await botFolder({ yaml: YAML });
    const args = ['monte-carlo', 'bot.yaml', '--candles', '4', '--block', '2'];

    const { stdout } = await runCommand(folder, args, { createTrialRunner });

    expect(stdout).toMatch(
      /\nCandles {4}the bot backtested on 4 histories of 30 days, made of its own candles in blocks of 2 days\n.*\n.*\nreturn( +-?\d+\.\d\d %){6}\n/,
    );
  });

  it.each([
    [['bot.yaml', '--ruin', '0'], 2, 'expected a share above 0 and at most 1, such as 0.5'],
    [['bot.yaml', '--paths', '0'], 2, 'expected a whole number from 1 to 100000'],
    [['absent.json'], 1, 'cannot read absent.json: no such file or folder'],
    [['other.json'], 1, 'other.json: version: '],
    [
      ['other.json', '--from', '2025-01-02'],
      2,
      '--from, --to and --set need the YAML file of a bot, received the result other.json (E_USAGE)',
    ],
  ])('refuses %j', async (args, exitCode, message) => {
    const folder = await botFolder({ yaml: YAML });
    await writeFile(path.join(folder, 'other.json'), '{}');

    const run = await runCommand(folder, ['monte-carlo', ...args]);

    expect(run).toMatchObject({ exitCode, stdout: '' });
    expect(run.stderr).toContain(message);
  });
});
