import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { curveReturns, parseResult } from '../../../src/report/index.js';
import { crossValidationSchema, type CrossValidation } from '../../../src/research/index.js';
import { botFolder, SMA_SOURCE } from '../../support/cli/bot-folder.js';
import { runCommand, type CommandRun } from '../../support/cli/command-runner.js';
import { createTrialRunner } from '../../support/cli/inline-trials.js';

const DAY = 86_400_000;
/** January: 31 days in 5 groups, two tested in each of 10 splits; 4 paths. */
const SEARCH = ['--grid', 'fast=2|5,slow=12|20', '--objective', 'totalReturn'];
const CPCV = [...SEARCH, '--cpcv', '5,2'];

const run = (
  folder: string,
  args: readonly string[],
  command = 'walk-forward',
): Promise<CommandRun> => runCommand(folder, [command, 'bot.yaml', ...args], { createTrialRunner });

const parse = (text: string): CrossValidation => crossValidationSchema.parse(JSON.parse(text));

interface Single {
  readonly parameters: { readonly fast: number; readonly slow: number };
  readonly returns: readonly number[];
  readonly hold: number;
}

async function backtests(folder: string): Promise<readonly Single[]> {
  const found: Single[] = [];
  for (const fast of [2, 5]) {
    for (const slow of [12, 20]) {
      const settings = [`fast=${String(fast)}`, `slow=${String(slow)}`];
      const set = settings.flatMap((one) => ['--set', `strategy.parameters.${one}`]);
      const { stdout } = await run(folder, ['--json', '-', ...set], 'backtest');
      const { equityCurve, trades = [] } = parseResult(stdout, 'result');
      const returns = curveReturns(equityCurve).map(({ value }) => value);
      const hold = Math.max(...trades.map(({ duration }) => duration));
      found.push({ parameters: { fast, slow }, returns, hold });
    }
  }
  return found;
}

const compound = (returns: readonly number[]): number =>
  returns.reduce((value, change) => value * (1 + change), 1) - 1;

describe('walk-forward --cpcv', () => {
  it('matches a script of single backtests', async () => {
    const folder = await botFolder();

    const { stdout, exitCode } = await run(folder, [...CPCV, '--embargo', '1d', '--json', '-']);

    expect(exitCode).toBe(0);
    const { crossValidation, splits, paths, losing, chosen } = parse(stdout);
    // The warm-up of every combination ends on the first day.
    const singles = await backtests(folder);
    const days = Math.min(...singles.map(({ returns }) => returns.length));
    const columns = singles.map(({ returns }) => returns.slice(-days));
    const hold = Math.max(...singles.map((one) => one.hold));
    expect(crossValidation).toMatchObject({ days, embargo: 1, purge: Math.ceil(hold / DAY) });
    expect(crossValidation.longestHold).toEqual({
      time: hold,
      parameters: singles.find((one) => one.hold === hold)?.parameters,
    });
    const groupOf = Array.from({ length: days }, (_, day) => {
      const ends = [0, 1, 2, 3, 4].map(
        (group) => (group + 1) * Math.floor(days / 5) + Math.min(group + 1, days % 5),
      );
      return ends.findIndex((end) => day < end);
    });
    const best = new Map<string, number>();
    let place = 0;
    for (let one = 0; one < 5; one += 1) {
      for (let other = one + 1; other < 5; other += 1) {
        const isTested = groupOf.map((group) => group === one || group === other);
        const train = groupOf.flatMap((_, day) => {
          const isNear = isTested.some(
            (tested, at) =>
              tested && at - day <= crossValidation.purge && day - at <= crossValidation.purge + 1,
          );
          return isNear ? [] : [day];
        });
        const inside = columns.map((column) => compound(train.map((day) => column[day] ?? NaN)));
        const moved = columns.map((column) => train.some((day) => column[day] !== 0));
        const most = Math.max(...inside.filter((_, index) => moved[index]));
        const index = inside.findIndex((value, at) => value === most && moved[at]);
        best.set(`${String(one)} ${String(other)}`, index);
        const outside = compound((columns[index] ?? []).filter((_, day) => isTested[day]));
        const split = splits[place];
        expect(split).toMatchObject({ groups: [one, other], index, trained: train.length });
        expect(split?.inside.totalReturn).toBeCloseTo(most, 12);
        expect(split?.outside.totalReturn).toBeCloseTo(outside, 12);
        place += 1;
      }
    }
    expect(splits).toHaveLength(place);
    expect(paths).toHaveLength(4);
    for (const { splits: used, totalReturn } of paths) {
      const returns = groupOf.map((group, day) => {
        const [a = NaN, b = NaN] = splits[used[group] ?? -1]?.groups ?? [];
        expect([a, b]).toContain(group);
        return columns[best.get(`${String(a)} ${String(b)}`) ?? -1]?.[day] ?? NaN;
      });
      expect(totalReturn).toBeCloseTo(compound(returns), 12);
    }
    expect(losing).toBe(paths.filter(({ totalReturn }) => (totalReturn ?? 0) < 0).length);
    expect(chosen.reduce((sum, one) => sum + one.splits, 0)).toBe(10);
  });

  it('reuses the trials of a sweep, and writes the same bytes with any number of jobs', async () => {
    const [swept, alone] = [await botFolder(), await botFolder()];
    const json = [...CPCV, '--json', '-'];

    await run(swept, SEARCH, 'sweep');
    const after = await run(swept, [...json, '--jobs', '3']);
    const first = await run(alone, json);

    expect(after.stderr).toContain('knows 4 of 4 combinations: they are not run again');
    expect(first).toMatchObject({ exitCode: 0, stderr: '' });
    expect(after.stdout).toBe(first.stdout);
    const lines = await readFile(path.join(swept, 'data.trials.jsonl'), 'utf8');
    expect(lines.trimEnd().split('\n')).toHaveLength(4);
  });

  it('prints the paths and their bounds', async () => {
    const { stdout, exitCode } = await run(await botFolder(), CPCV);

    expect(exitCode).toBe(0);
    expect(stdout).toContain(
      '10 splits of 5 groups, 2 tested in each: 4 paths through 30 days from 2025-01-02 to 2025-02-01',
    );
    expect(stdout).toMatch(/\n {3}1 {2}.*\n {3}2 {2}.*\n {3}3 {2}.*\n {3}4 {2}/);
    expect(stdout).toMatch(/\ntotalReturn outside, of the splits +-?[\d.]+ %/);
    expect(stdout).toMatch(
      /\nPurge {6}\d days? on both sides of each tested block: the longest position was held for .*; embargo 1 day after it\n/,
    );
    expect(stdout).toMatch(/\nLosing {5}\d of 4 paths end with a loss\n/);
    expect(stdout).toMatch(/\nChosen {5}\d combinations?; most often fast \d, slow \d+, in /);
  });
});

describe('walk-forward --cpcv --constraint', () => {
  it('runs only combinations that meet a constraint on parameters', async () => {
    const args = [...CPCV, '--constraint', 'fast < 5'];

    const { stdout } = await run(await botFolder(), [...args, '--json', '-']);

    const { crossValidation, counts, chosen } = parse(stdout);
    expect(crossValidation.constraints).toHaveLength(1);
    expect(counts.combinations).toBe(2);
    expect(chosen.map(({ parameters }) => parameters['fast'])).not.toContain(5);
  });

  it('chooses only combinations whose training days meet a constraint on a figure', async () => {
    const folder = await botFolder();
    const free = parse((await run(folder, [...CPCV, '--json', '-'])).stdout);
    const returns = free.splits.map(({ inside }) => inside.totalReturn ?? Number.NaN);
    const most = Math.max(...returns) - 0.000_001;
    const args = [...CPCV, '--constraint', `totalReturn < ${most.toFixed(6)}`];

    const { splits } = parse((await run(folder, [...args, '--json', '-'])).stdout);
    const { stdout } = await run(folder, args);

    for (const { inside } of splits) expect(inside.totalReturn).toBeLessThan(most);
    const changed = splits.filter(({ index }, place) => index !== free.splits[place]?.index);
    expect(changed.length).toBeGreaterThan(0);
    expect(changed).toHaveLength(returns.filter((value) => value >= most).length);
    expect(stdout).toContain(`\nwhere totalReturn < ${String(Number(most.toFixed(6)))}\n`);
  });
});

describe('walk-forward --cpcv refuses', () => {
  const IDLE = SMA_SOURCE.replaceAll('this.enterLong', 'void ');

  it.each([
    [
      'folds beside it',
      {},
      ['--cpcv', '5,2', '--test', '5d'],
      2,
      '--cpcv and --test exclude each other',
    ],
    ['an embargo without it', {}, ['--embargo', '5d'], 2, '--embargo needs --cpcv (E_USAGE)'],
    ['one number', {}, ['--cpcv', '5'], 2, 'expected the number of groups and of tested groups'],
    ['no tested group', {}, ['--cpcv', '5,0'], 2, 'expected at least one tested group'],
    [
      'a single combination, which leaves nothing to choose',
      {},
      ['--cpcv', '5,2', '--grid', 'fast=2,slow=12'],
      1,
      '--cpcv: expected at least 2 combinations to choose among, received 1; name more values with --grid (E_SAMPLE)',
    ],
    ['more splits than can be run', {}, ['--cpcv', '20,10'], 2, '(E_CPCV_SIZE)'],
    [
      'figures of trades',
      {},
      ['--cpcv', '5,2', '--objective', 'winRate'],
      2,
      '--cpcv ranks by daily returns: expected --objective totalReturn, cagr, ',
    ],
    [
      'constraints on figures of trades',
      {},
      ['--cpcv', '5,2', '--constraint', 'trades >= 10'],
      2,
      '--cpcv ranks by daily returns: expected --constraint totalReturn, cagr, ',
    ],
    [
      'constraints on figures that no training days meet',
      {},
      [...CPCV, '--constraint', 'totalReturn > 100'],
      1,
      'expected a trial with nonzero returns that keeps the constraints and a totalReturn on the ',
    ],
    [
      'a purge that leaves nothing',
      {},
      [...CPCV, '--embargo', '31d'],
      1,
      'rows; the longest position was held for ',
    ],
    [
      'a strategy that never trades',
      { plugin: IDLE },
      CPCV,
      1,
      'split 1, groups 1, 2 tested: expected a trial with nonzero returns and a totalReturn on the 17 training days, received none of 4; use a longer range (--from, --to), fewer groups to test, parameters that trade, or another --objective (E_FOLD_EMPTY)',
    ],
  ])('%s', async (_, bot, args, exitCode, message) => {
    const refused = await run(await botFolder(bot), args);

    expect(refused).toMatchObject({ exitCode, stdout: '' });
    expect(refused.stderr).toContain(message);
  });
});
