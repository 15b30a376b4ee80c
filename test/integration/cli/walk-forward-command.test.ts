import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CreateTrialRunner } from '../../../src/cli/cli-context.js';
import { TrialGrounds } from '../../../src/cli/sweep/trial-ground.js';
import { present } from '../../../src/domain/index.js';
import { instantText, curveReturns, parseResult, type Result } from '../../../src/report/index.js';
import { walkForwardSchema, type WalkForward } from '../../../src/research/index.js';
import { botFolder, SMA_SOURCE } from '../../support/cli/bot-folder.js';
import { runCommand, type CommandRun } from '../../support/cli/command-runner.js';
import { createTrialRunner } from '../../support/cli/inline-trials.js';
import { inlineRunner } from '../../support/research/trial-ground.js';

/** January: three folds of four combinations. */
const WALK = [
  ...['--grid', 'fast=5|15,slow=20|30', '--objective', 'totalReturn'],
  ...['--train', '10d', '--test', '5d', '--from', '2025-01-03'],
];

const walk = (
  folder: string,
  args: readonly string[],
  io: Parameters<typeof runCommand>[2] = {},
): Promise<CommandRun> =>
  runCommand(folder, ['walk-forward', 'bot.yaml', ...args], { createTrialRunner, ...io });

const parse = (text: string): WalkForward => walkForwardSchema.parse(JSON.parse(text));

interface Part {
  readonly from: number;
  readonly to: number;
}

/** A single backtest of one combination over one part of a fold. */
async function backtest(
  folder: string,
  { from, to }: Part,
  parameters: WalkForward['folds'][number]['parameters'],
): Promise<Result> {
  const settings = Object.entries(parameters).map(
    ([name, value]) => `strategy.parameters.${name}=${String(value)}`,
  );
  const run = await runCommand(folder, [
    ...[
      'backtest',
      'bot.yaml',
      '--json',
      '-',
      '--from',
      instantText(from),
      '--to',
      instantText(to),
    ],
    ...['simulation.closeAtEnd=true', ...settings].flatMap((setting) => ['--set', setting]),
  ]);
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  return parseResult(run.stdout, 'result');
}

describe('walk-forward', () => {
  it('matches a script of single backtests', async () => {
    const folder = await botFolder();

    const { stdout, exitCode } = await walk(folder, [...WALK, '--json', '-']);

    expect(exitCode).toBe(0);
    const { folds, curve, outside, drift } = parse(stdout);
    expect(folds).toHaveLength(3);
    const values = [1];
    const returns: number[] = [];
    for (const { train, test, parameters, inside, outside: tested } of folds) {
      let best: { readonly fast: number; readonly slow: number } | undefined;
      let most = Number.NEGATIVE_INFINITY;
      for (const fast of [5, 15]) {
        for (const slow of [20, 30]) {
          const { statistics } = await backtest(folder, train, { fast, slow });
          if ((statistics.totalReturn ?? most) <= most) continue;
          most = statistics.totalReturn ?? most;
          best = { fast, slow };
        }
      }
      expect(parameters).toEqual(best);
      for (const [part, found] of [
        [train, inside],
        [test, tested],
      ] as const) {
        const result = await backtest(folder, part, parameters);
        const { run, equity, statistics, fills, equityCurve } = result;
        expect(found).toMatchObject({ id: run.id, equity, statistics, fills: fills.length });
        if (part === train) continue;
        // The candles before the part warm it up, so it has all of its own candles.
        expect(found).toMatchObject({ ...test, candles: 5 * 24 });
        const start = values.at(-1) ?? 1;
        const days = curveReturns(equityCurve).map(({ value }) => value);
        returns.push(...days);
        for (const change of days) values.push((values.at(-1) ?? 1) * (1 + change));
        values[values.length - 1] = (start * Number(equity.final)) / Number(equity.initial);
      }
    }
    expect(curve).toHaveLength(16);
    for (const [index, { time, value }] of curve.entries()) {
      expect(time).toBe((folds[0]?.test.from ?? 0) + index * 86_400_000);
      expect(value).toBeCloseTo(values[index] ?? Number.NaN, 12);
    }
    expect(outside.totalReturn).toBeCloseTo((values.at(-1) ?? 1) - 1, 12);
    expect(outside.profitable).toBe(
      folds.filter((fold) => (fold.outside.statistics.totalReturn ?? 0) > 0).length,
    );
    expect(drift.map(({ name }) => name)).toEqual(['fast', 'slow']);
  });

  it('writes the same bytes with any number of jobs, and after an interruption', async () => {
    const [one, three, broken] = [await botFolder(), await botFolder(), await botFolder()];
    const interrupt = new AbortController();
    const interrupting: CreateTrialRunner = async (setup, jobs) => {
      const runner = inlineRunner(new TrialGrounds(setup), jobs, () => {
        if (runner.tried.length === 6) interrupt.abort(new Error('interrupted'));
      });
      return runner;
    };
    const json = [...WALK, '--json', '-'];

    const alone = await walk(one, [...json, '--jobs', '1']);
    const together = await walk(three, [...json, '--jobs', '3']);
    const first = await walk(broken, json, {
      createTrialRunner: interrupting,
      signal: interrupt.signal,
    });
    const second = await walk(broken, json);
    const again = await walk(broken, json);

    expect(alone).toMatchObject({ exitCode: 0, stderr: '' });
    expect(together.stdout).toBe(alone.stdout);
    expect(first).toMatchObject({ exitCode: 130, stdout: '' });
    expect(second.stderr).toMatch(/^data\.trials\.jsonl knows \d+ of 12 combinations/);
    expect(second.stdout).toBe(alone.stdout);
    expect(again.stdout).toBe(alone.stdout);
    // Each combination ran once: twelve to train, three to test.
    const lines = await readFile(path.join(broken, 'data.trials.jsonl'), 'utf8');
    expect(lines.trimEnd().split('\n')).toHaveLength(15);
  });

  it('prints the folds and their summary', async () => {
    const run = await walk(await botFolder(), [...WALK, '--anchored']);

    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.stdout).toContain(
      [
        'Sma on spot:BTCUSDT',
        '3 anchored folds from 2025-01-03 to 2025-02-01: 10 days to train, 5 days to test, in steps of 5 days',
        '4 combinations of a grid in each, ranked by totalReturn (the largest is the best)',
      ].join('\n'),
    );
    expect(run.stdout).toMatch(/\n2 {2}2025-01-18 {2}.*\n3 {2}2025-01-23 {2}/);
    expect(run.stdout).toMatch(/\nOutside {4}-?[\d.]+ % in all tests, sharpe n\/a, drawdown /);
    expect(run.stdout).toMatch(/\nEfficiency .* % a year outside ÷ .* % inside\n/);
    expect(run.stdout).toMatch(/\nProfitable \d of 3 folds\n/);
    expect(run.stdout).toMatch(/\nDrift {6}fast changes at \d of 2 steps, by .* % of its range/);
    expect(run.stdout).toContain('\nEnds       each part starts with the balances of the file; ');
    expect(run.stdout).toMatch(/\nLedger {5}data\.trials\.jsonl\n$/);
  });

  it('runs as many combinations as it draws', async () => {
    const drawn = ['--random', '3', '--seed', '4', '--objective', 'totalReturn', '--json', '-'];

    const { stdout } = await walk(await botFolder(), [...drawn, '--train', '20d', '--test', '5d']);

    const { walkForward, folds } = parse(stdout);
    expect(walkForward).toMatchObject({ search: 'random', seed: 4, step: 5, window: 'rolling' });
    expect(folds.map(({ counts }) => counts.combinations)).toEqual([3, 3]);
  });
});

describe('walk-forward --constraint', () => {
  it('runs only combinations that meet a constraint on parameters', async () => {
    const folder = await botFolder();
    const only = [...WALK, '--constraint', 'fast < 10', '--constraint', 'slow >= 20'];

    const { walkForward, folds } = parse((await walk(folder, [...only, '--json', '-'])).stdout);
    const { stdout } = await walk(folder, only);

    expect(walkForward.constraints).toEqual([
      { kind: 'parameters', left: 'fast', operator: '<', right: 10 },
      { kind: 'parameters', left: 'slow', operator: '>=', right: 20 },
    ]);
    expect(folds.map(({ counts }) => counts.combinations)).toEqual([2, 2, 2]);
    expect(folds.map(({ parameters }) => parameters['fast'])).toEqual([5, 5, 5]);
    expect(stdout).toContain('(the largest is the best)\nwhere fast < 10, slow >= 20\n');
  });

  it('chooses only combinations whose training part meets a constraint on a figure', async () => {
    const folder = await botFolder();
    const free = parse((await walk(folder, [...WALK, '--json', '-'])).stdout);
    const first = present(free.folds[0], 'fold');
    const most = (first.inside.statistics.totalReturn ?? Number.NaN) - 0.000_001;
    const bound = [...WALK, '--constraint', `totalReturn < ${most.toFixed(6)}`];

    const { folds } = parse((await walk(folder, [...bound, '--json', '-'])).stdout);
    const { stdout } = await walk(folder, bound);

    expect(folds[0]?.parameters).not.toEqual(first.parameters);
    expect(folds[0]?.counts.unranked).toBeGreaterThan(first.counts.unranked);
    for (const { inside } of folds) expect(inside.statistics.totalReturn).toBeLessThan(most);
    expect(stdout).toMatch(
      /\nLeft out {3}\d+ training runs? that did not trade, break a constraint or have no figure\n/,
    );
  });

  it('keeps the document of a walk without constraints', async () => {
    const { stdout } = await walk(await botFolder(), [...WALK, '--json', '-']);

    expect(parse(stdout).walkForward).not.toHaveProperty('constraints');
  });
});

describe('walk-forward refuses', () => {
  const NO_PARAMETERS = SMA_SOURCE.replace(/\{ fast.*\) \{/, '{}) {').replace(
    /this\.parameters\.(fast|slow)/g,
    '10',
  );
  const IDLE = SMA_SOURCE.replaceAll('this.enterLong', 'void ');

  it.each([
    [
      'a range too short for a fold',
      {},
      ['--train', '30d', '--test', '5d'],
      2,
      'expected whole days for at least one fold (30 days training, 5 days test), received 31 days from 2025-01-01T00:00:00Z to 2025-02-01T00:00:00Z (E_FOLDS)',
    ],
    [
      'tests that overlap',
      {},
      ['--train', '9d', '--test', '5d', '--step', '4d'],
      2,
      'expected --step of at least --test, 5 days, so that no day is tested twice, received 4 days (E_FOLDS)',
    ],
    [
      'too few candles to train on',
      {},
      ['--train', '1d', '--test', '1d'],
      2,
      'fold 1, train part from 2025-01-01T00:00:00Z to 2025-01-02T00:00:00Z: expected at least 30 candles of spot:BTCUSDT 1h, received 24; take a longer --train (E_FOLDS)',
    ],
    [
      'a strategy without parameters',
      { plugin: NO_PARAMETERS },
      ['--set', 'strategy.parameters={}'],
      2,
      'the strategy has no parameters to sweep (E_USAGE)',
    ],
    [
      'a constraint on an unknown name',
      {},
      ['--constraint', 'fasst < slow'],
      2,
      '(did you mean fast?), received "fasst" (E_USAGE)',
    ],
    [
      'constraints that no combination meets',
      {},
      [...WALK, '--constraint', 'fast > slow'],
      2,
      'no combination satisfies the constraints (E_USAGE)',
    ],
    [
      'a fold in which nothing trades',
      { plugin: IDLE },
      ['--grid', 'fast=5|6', '--train', '10d', '--test', '5d'],
      1,
      'fold 1, train part from 2025-01-01T00:00:00Z to 2025-01-11T00:00:00Z: expected a combination that traded and has a sharpe, received none of 2: 0 failed, 2 did not trade, 0 have no sharpe; take a longer --train, or parameters with which it trades (E_FOLD_EMPTY)',
    ],
  ])('%s', async (_, bot, args, exitCode, message) => {
    const run = await walk(await botFolder(bot), args);

    expect(run).toMatchObject({ exitCode, stdout: '' });
    expect(run.stderr).toContain(message);
  });

  it.each(['5', '1.5d', '12h', 'soon'])('a length of "%s"', async (length) => {
    const run = await walk(await botFolder(), ['--test', length]);

    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('expected whole days, such as 90d or 12w');
  });
});
