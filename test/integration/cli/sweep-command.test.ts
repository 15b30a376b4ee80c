import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CreateTrialRunner, TextOutput } from '../../../src/cli/cli-context.js';
import { OBJECTIVE_NAMES } from '../../../src/cli/sweep/sweep-command.js';
import { describeProgress } from '../../../src/cli/sweep/sweep-progress.js';
import { TrialGrounds } from '../../../src/cli/sweep/trial-ground.js';
import { OBJECTIVES, sweepSchema, type Sweep } from '../../../src/research/index.js';
import { botFolder, SMA_SOURCE } from '../../support/cli/bot-folder.js';
import { botYaml } from '../../support/cli/bot-yaml.js';
import { runCommand, type CommandRun } from '../../support/cli/command-runner.js';
import { createTrialRunner } from '../../support/cli/inline-trials.js';
import { inlineRunner } from '../../support/research/trial-ground.js';

/** {@link SMA_SOURCE} with a check that refuses combinations without sense. */
const CHOOSY = SMA_SOURCE.replace(
  'override onCandle',
  `constructor(context: import('evenkeel').StrategyContext) {
    super(context);
    if (this.parameters.fast >= this.parameters.slow) throw new Error('fast must be below slow');
  }
  override onCandle`,
);

const GRID = ['--grid', 'fast=5:15:5,slow=10:30:10'] as const;

const sweep = (
  folder: string,
  args: readonly string[],
  io: Parameters<typeof runCommand>[2] = {},
): Promise<CommandRun> =>
  runCommand(folder, ['sweep', 'bot.yaml', ...args], { createTrialRunner, ...io });

const parse = (text: string): Sweep => sweepSchema.parse(JSON.parse(text));

describe('sweep', () => {
  it('prints the best combinations, the failures and the path of the ledger', async () => {
    const folder = await botFolder({ plugin: CHOOSY });

    const run = await sweep(folder, GRID);

    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.stdout).toContain('Sma on spot:BTCUSDT\n9 combinations of a grid, ranked by sharpe');
    expect(run.stdout).toMatch(
      /\n# {2}fast {2}slow {2}sharpe {2}totalReturn {2}maxDrawdown {2}trades\n/,
    );
    expect(run.stdout).toMatch(/\n1 {2}.*\n2 {2}/);
    expect(run.stdout).toMatch(/\nBest {7}fast \d+, slow \d+: sharpe -?\d/);
    expect(run.stdout).toMatch(
      /\nFailed {5}2 × .*fast must be below slow.*; the first was fast 10, slow 10\n/,
    );
    expect(run.stdout).toMatch(
      /\nLuck {7}7 trials of Sma on these data; by luck alone such a search reaches a best sharpe of -?\d+\.\d+ in up to \d+\.\d+ % of cases, and \d+\.\d+ on average\nLedger/,
    );
    expect(run.stdout).toMatch(/\nLedger {5}data\.trials\.jsonl\n$/);
  });

  it('writes the same document with any number of jobs, to a file or to stdout', async () => {
    const [here, there] = [
      await botFolder({ plugin: CHOOSY }),
      await botFolder({ plugin: CHOOSY }),
    ];

    const toFile = await sweep(here, [...GRID, '--jobs', '1', '--json', 'sweep.json']);
    const toStdout = await sweep(there, [...GRID, '--jobs', '3', '--json', '-']);

    const text = await readFile(path.join(here, 'sweep.json'), 'utf8');
    expect(toFile.stdout).toContain('Best');
    expect(toStdout).toMatchObject({ exitCode: 0, stderr: '', stdout: text });
    expect(text).not.toContain(here);
    expect(parse(text).counts).toMatchObject({ combinations: 9, finished: 7, failed: 2 });
  });

  it('gives each combination the figures of its backtest', async () => {
    const folder = await botFolder();

    const { stdout } = await sweep(folder, ['--grid', 'fast=7', '--json', '-']);
    const alone = await runCommand(folder, [
      ...['backtest', 'bot.yaml', '--set', 'strategy.parameters.fast=7', '--json', '-'],
    ]);

    const [trial] = parse(stdout).trials;
    const result = JSON.parse(alone.stdout);
    expect(trial).toMatchObject({
      id: result.run.id,
      equity: result.equity,
      statistics: result.statistics,
      accounting: result.accounting,
      fills: result.fills.length,
    });
  });

  it('does not rerun combinations of the ledger', async () => {
    const folder = await botFolder();

    await sweep(folder, ['--grid', 'fast=5:15:5']);
    const run = await sweep(folder, ['--grid', 'fast=5:20:5', '--json', '-']);
    const whole = await sweep(folder, [
      '--grid',
      'fast=5:20:5',
      '--json',
      '-',
      '--ledger',
      'new.jsonl',
    ]);

    expect(run.stderr).toBe(
      'data.trials.jsonl knows 3 of 4 combinations: they are not run again\n',
    );
    expect(whole.stderr).toBe('');
    expect(run.stdout).toBe(whole.stdout);
    const lines = await readFile(path.join(folder, 'data.trials.jsonl'), 'utf8');
    expect(lines.trimEnd().split('\n')).toHaveLength(4);
  });

  it('counts earlier trials of the strategy on these data', async () => {
    const folder = await botFolder({ plugin: CHOOSY });
    await sweep(folder, ['--grid', 'fast=5|6|7,slow=10']);

    const run = await sweep(folder, ['--grid', 'fast=5|8|40,slow=10']);

    // The first sweep adds 6 and 7. The strategy refuses 40, so that combination does not count.
    expect(run.stdout).toContain(
      '\nLuck       4 trials of Sma on these data, 2 of them before this sweep; by luck alone such a search reaches a best sharpe of ',
    );
  });

  it('reports that all combinations run again when the inputs have changed', async () => {
    const folder = await botFolder();
    await sweep(folder, ['--grid', 'fast=5:15:5']);

    const run = await sweep(folder, ['--grid', 'fast=5:15:5', '--from', '2025-01-05']);

    expect(run.exitCode).toBe(0);
    expect(run.stderr).toBe(
      'data.trials.jsonl has 3 trials of this strategy with another configuration: all combinations run again\n',
    );
  });

  it('draws with --random, equally with the same seed', async () => {
    const folder = await botFolder();
    const drawn = async (...args: readonly string[]): Promise<Sweep> =>
      parse((await sweep(folder, ['--random', '4', '--json', '-', ...args])).stdout);

    const [one, again, other] = [
      await drawn(),
      await drawn('--seed', '1'),
      await drawn('--seed', '2'),
    ];

    expect(one.trials).toHaveLength(4);
    expect(one.sweep).toMatchObject({ search: 'random', seed: 1 });
    expect(again).toEqual(one);
    const parametersOf = ({ trials }: Sweep): unknown => trials.map(({ parameters }) => parameters);
    expect(parametersOf(other)).not.toEqual(parametersOf(one));
  });

  it('ranks by the chosen objective', async () => {
    const folder = await botFolder();

    const { stdout } = await sweep(folder, [...GRID, '--objective', 'maxDrawdown', '--json', '-']);

    const { best, trials } = parse(stdout);
    const falls = trials.map((trial) =>
      trial.status === 'finished' ? (trial.statistics.maxDrawdown ?? 1) : 1,
    );
    expect(best?.figure).toBe(Math.min(...falls));
  });

  it('ends with 1 if no combination finished', async () => {
    const folder = await botFolder({ plugin: CHOOSY });

    const run = await sweep(folder, ['--grid', 'fast=30:50:10,slow=10|20']);

    expect(run.exitCode).toBe(1);
    expect(run.stdout).toContain('Best       none: no combination finished');
  });

  it('removes the incomplete end of a ledger after a crash, and reports it', async () => {
    const folder = await botFolder();
    await sweep(folder, ['--grid', 'fast=5']);
    const file = path.join(folder, 'data.trials.jsonl');
    await writeFile(file, `${await readFile(file, 'utf8')}{"version":1,"id":"00`);

    const run = await sweep(folder, ['--grid', 'fast=5|6']);

    expect(run.stderr).toBe(
      [
        'data.trials.jsonl: the last 21 bytes were incomplete after a crash, and were removed',
        'data.trials.jsonl knows 1 of 2 combinations: it is not run again',
        '',
      ].join('\n'),
    );
  });
});

describe('a sweep of a strategy that keeps state outside its instance', () => {
  /** Trades on every seventh call, counted over all instances. */
  const LEAKY = SMA_SOURCE.replace('export class', 'let calls = 0;\nexport class').replace(
    'if (crossedAbove',
    'calls += 1;\n    if (calls % 7 === 0 || crossedAbove',
  );

  it('ends with 3, and names combinations with another result in a run of their own', async () => {
    const folder = await botFolder({ plugin: LEAKY });

    const run = await sweep(folder, [...GRID, '--json', 'sweep.json']);

    const { warnings, differences, trials } = parse(
      await readFile(path.join(folder, 'sweep.json'), 'utf8'),
    );
    expect(run.exitCode).toBe(3);
    expect(warnings).toEqual([
      'sma.strategy.ts:2:5: keeps state in its module, which passes from one run to the next (calls, written in line 7): keep it in a field of the strategy (E_PLUGIN_STATE)',
    ]);
    // The last difference is the one of the last combination, which is always run again.
    const [last] = differences.slice(-1);
    expect(last).toMatchObject({ index: 8, id: trials[8]?.id, parameters: { fast: 15, slow: 30 } });
    const figure = last?.figures.find(({ name }) => name === 'equity.final');
    expect(figure?.sweep).toBe(trials[8]?.status === 'finished' && trials[8].equity.final);
    const alone = await runCommand(folder, [
      ...['backtest', 'bot.yaml', '--json', '-'],
      ...['--set', 'strategy.parameters.fast=15', '--set', 'strategy.parameters.slow=30'],
    ]);
    expect(figure?.alone).toBe(JSON.parse(alone.stdout).equity.final);
    expect(run.stdout).toContain(`Warning    ${warnings[0] ?? ''}\n`);
    expect(run.stdout).toContain(
      `Differs    fast 15, slow 30: equity.final ${String(figure?.alone)} alone, ${String(figure?.sweep)} in the sweep: earlier runs affect it (E_SWEEP_DIFFERS)\n`,
    );
  });

  it('reports combinations in which the strategy read the clock', async () => {
    const plugin = SMA_SOURCE.replace('if (crossedAbove', 'if (Date.now() > 0 && crossedAbove');
    const folder = await botFolder({ plugin });

    const run = await sweep(folder, ['--grid', 'fast=5|6', '--json', 'sweep.json']);

    const { trials, differences } = parse(await readFile(path.join(folder, 'sweep.json'), 'utf8'));
    expect(run.exitCode).toBe(0);
    expect(differences).toEqual([]);
    expect(trials).toMatchObject(
      [5, 6].map((fast) => ({
        parameters: { fast },
        noticed: [
          expect.stringMatching(
            /^the strategy read the clock \(Date\.now at sma\.strategy\.ts:6, \d+ times/,
          ),
        ],
      })),
    );
    expect(run.stdout).toMatch(
      /\nNoticed {4}in 2 combinations; the first: the strategy read the clock/,
    );
  });
});

describe('a sweep that is interrupted', () => {
  it('ends with 130, prints how to continue, and continues', async () => {
    const folder = await botFolder();
    const interrupt = new AbortController();
    const interrupting: CreateTrialRunner = async (setup, jobs) => {
      const ground = await new TrialGrounds(setup).of();
      const runner = inlineRunner(ground, jobs, () => {
        if (runner.tried.length === 2) interrupt.abort(new Error('interrupted'));
      });
      return runner;
    };
    const grid = ['--grid', 'fast=5:40:5', '--jobs', '1', '--json', 'sweep.json'];

    const run = await sweep(folder, grid, {
      createTrialRunner: interrupting,
      signal: interrupt.signal,
    });
    const again = await sweep(folder, grid);

    expect(run).toEqual({
      exitCode: 130,
      stdout: '',
      stderr:
        'data.trials.jsonl keeps the finished combinations: the same command continues from there\ninterrupted\n',
    });
    expect(again).toMatchObject({ exitCode: 0 });
    expect(again.stderr).toMatch(/^data\.trials\.jsonl knows [23] of 8 combinations/);
  });
});

describe('the options of a sweep', () => {
  it.each([
    [
      ['--grid', 'quick=5:10:5'],
      '--grid quick: expected one of the parameters fast, slow, received "quick" (E_CONFIG_PARAMETER)',
    ],
    [
      ['--grid', 'fast=5:900:5'],
      '--grid fast: expected a whole number from 2 to 200, received 205 (E_CONFIG_PARAMETER)',
    ],
    [['--grid', 'fast='], /^--grid: expected name=from:to:step.*received "fast=" \(E_USAGE\)$/],
    [['--seed', '3'], '--seed needs --random or another random search (E_USAGE)'],
    [['--jobs', '0'], /expected a whole number from 1 to 1024/],
    [['--objective', 'luck'], /Allowed choices are sharpe,/],
    [['--random', '1000000'], /expected a whole number from 1 to 100000/],
  ])('%j are refused before anything is run', async (args, problem) => {
    const folder = await botFolder();

    const run = await sweep(folder, args);

    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr.split('\n')[0]).toMatch(problem);
  });

  it('refuse a strategy without parameters', async () => {
    const plain = SMA_SOURCE.replace('{ fast: int(2, 200, 10), slow: int(3, 400, 30) }', '{}')
      .replace('this.parameters.fast', '10')
      .replace('this.parameters.slow', '30');
    const yaml = botYaml('  parameters: { fast: 10, slow: 30 }\n', '');
    const folder = await botFolder({ plugin: plain, yaml });

    const run = await sweep(folder, []);

    expect(run.stderr).toBe('the strategy has no parameters to sweep (E_USAGE)\n');
  });

  it('have a document with a schema that schema --sweep prints', async () => {
    const run = await runCommand('/', ['schema', '--sweep']);
    const both = await runCommand('/', ['schema', '--sweep', '--result']);

    expect(JSON.parse(run.stdout)).toMatchObject({
      type: 'object',
      properties: { sweep: {}, best: {}, trials: { type: 'array' } },
    });
    expect(both.exitCode).toBe(2);
    expect(both.stderr).toContain("options '--sweep' and '--result' exclude each other");
  });

  it('offer every objective', () => {
    expect([...OBJECTIVE_NAMES]).toEqual(OBJECTIVES);
  });

  it('are all documented in docs/cli.md and docs/sweep.md', async () => {
    const { stdout } = await runCommand('/', ['sweep', '--help']);
    const flags = [...stdout.matchAll(/^ {2}(--[a-z]+)/gm)].map(([, flag]) => flag ?? '');
    const read = (name: string): string =>
      readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8');
    const line = /\n- `sweep CONFIG`[^]*?\n- /.exec(read('cli.md'))?.[0];

    expect(flags.length).toBeGreaterThan(8);
    for (const flag of flags) {
      if (['--from', '--to', '--set'].includes(flag)) continue;
      expect(line).toContain(flag);
      expect(read('sweep.md')).toContain(flag);
    }
  });
});

describe('the progress of a sweep', () => {
  it('counts combinations, and estimates the remaining time at the pace so far', () => {
    const progress = { done: 40, ran: 20, failed: 2, total: 100 };

    // 20 in 10 s, so 60 more take 30 s.
    expect(describeProgress(progress, 10_000)).toBe(
      '40 of 100 combinations, 40 %, 2 failed, 30 s left',
    );
    expect(describeProgress(progress, 3_600_000)).toBe(
      '40 of 100 combinations, 40 %, 2 failed, 3 h 0 min left',
    );
    expect(describeProgress({ ...progress, ran: 0, failed: 0 }, 5)).toBe(
      '40 of 100 combinations, 40 %',
    );
  });

  it('is shown on a terminal', async () => {
    const folder = await botFolder();
    let written = '';
    const stderr: TextOutput = {
      write: (text) => {
        written += text;
      },
      isTerminal: true,
      columns: 100,
    };

    await sweep(folder, GRID, { stderr });

    expect(written).toContain('0 of 9 combinations, 0 %');
    expect(written.endsWith('\r\u001b[K')).toBe(true);
  });
});
