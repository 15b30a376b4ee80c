import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { sweepSchema, walkForwardSchema, type Sweep } from '../../../src/research/index.js';
import { botFolder, SMA_SOURCE } from '../../support/cli/bot-folder.js';
import { runCommand } from '../../support/cli/command-runner.js';
import { runProgram, SWEEP_GRID, type ProgramRun } from '../../support/cli/run-program.js';
import { createTrialRunner } from '../../support/cli/inline-trials.js';

/** The compiled program: `npm test` compiles before it tests. */
const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));

/** Compiled plugins go here, not to the cache of the user who runs the tests. */
const cache = await mkdtemp(path.join(tmpdir(), 'evenkeel-cache-'));
const env = { ...process.env, XDG_CACHE_HOME: cache };
afterAll(() => rm(cache, { recursive: true, force: true }));

/** Time for several processes one after the other, on a busy machine. */
const PATIENCE_MS = 240_000;

const evenkeel = (cwd: string, args: readonly string[]): ProgramRun =>
  runProgram([main, ...args], { cwd, env });

const parse = (text: string): Sweep => sweepSchema.parse(JSON.parse(text));

/** {@link SMA_SOURCE} with a statement that runs at every candle. */
const at = (what: string): string =>
  SMA_SOURCE.replace('if (crossedAbove', `${what}\n    if (crossedAbove`);

describe('a sweep in threads', { timeout: PATIENCE_MS }, () => {
  it('writes the same bytes with one and two jobs, with the figures of backtests', async () => {
    const folder = await botFolder();

    const one = evenkeel(folder, [
      ...SWEEP_GRID,
      '--jobs',
      '1',
      '--ledger',
      'one.jsonl',
      '--json',
      '-',
    ]);
    const two = evenkeel(folder, [
      ...SWEEP_GRID,
      '--jobs',
      '2',
      '--ledger',
      'two.jsonl',
      '--json',
      '-',
    ]);

    expect(one).toMatchObject({ status: 0, stderr: '' });
    expect(two).toEqual(one);
    const { counts, trials } = parse(one.stdout);
    expect(counts).toMatchObject({ combinations: 16, finished: 16 });
    // Trials end at other times and in another order, so `at` and the offsets of their returns differ.
    const trialsIn = async (name: string): Promise<readonly string[]> =>
      (await readFile(path.join(folder, name), 'utf8'))
        .split('\n')
        .map((line) => line.replace(/"at":\d+,|"returns":\d+,"check":"\w+"/g, ''))
        .sort();
    expect(await trialsIn('two.jsonl')).toEqual(await trialsIn('one.jsonl'));
    for (const trial of [trials[3], trials[12]]) {
      const flags = Object.entries(trial?.parameters ?? {}).flatMap(([name, value]) => [
        '--set',
        `strategy.parameters.${name}=${String(value)}`,
      ]);
      const alone = await runCommand(folder, ['backtest', 'bot.yaml', '--json', '-', ...flags]);
      const { run, equity, statistics, accounting } = JSON.parse(alone.stdout);
      expect(JSON.stringify(trial)).toContain(JSON.stringify(statistics));
      expect(trial).toMatchObject({ id: run.id, equity, accounting, candles: run.candles });
    }
  });

  it('searches with the same bytes in two threads as in this process', async () => {
    const folder = await botFolder();
    const search = [
      'sweep',
      'bot.yaml',
      '--tpe',
      '14',
      '--objective',
      'totalReturn',
      '--json',
      '-',
    ];
    const threads = evenkeel(folder, [...search, '--jobs', '2', '--ledger', 'two.jsonl']);
    const here = await runCommand(folder, search, { createTrialRunner });

    expect(threads).toMatchObject({ status: 0, stderr: '' });
    expect(threads.stdout).toBe(here.stdout);
    expect(parse(here.stdout).sweep.generations).toEqual([10, 4]);
  });

  it('runs a walk-forward with the same bytes with one and two jobs', async () => {
    const folder = await botFolder();
    const walk = ['walk-forward', 'bot.yaml', '--grid', 'fast=5:20:5,slow=30', '--json', '-'];
    const how = ['--objective', 'totalReturn', '--train', '10d', '--test', '5d'];

    const one = evenkeel(folder, [...walk, ...how, '--jobs', '1', '--ledger', 'one.jsonl']);
    const two = evenkeel(folder, [...walk, ...how, '--jobs', '2', '--ledger', 'two.jsonl']);

    expect(one).toMatchObject({ status: 0, stderr: '' });
    expect(two).toEqual(one);
    expect(walkForwardSchema.parse(JSON.parse(one.stdout)).folds).toHaveLength(4);
  });

  it.each([
    ['rejects a promise', "void Promise.reject(new Error('forgotten'));", 'forgotten'],
    ['leaves the process', 'process.exit(7);', 'code: 7'],
  ])('reports a combination that %s, and continues', async (_, what, message) => {
    const folder = await botFolder({
      plugin: at(`if (this.parameters.fast === 10 && this.parameters.slow === 40) { ${what} }`),
    });

    const run = evenkeel(folder, [...SWEEP_GRID, '--jobs', '2', '--json', 'sweep.json']);

    expect(run.status).toBe(0);
    expect(run.stdout).toMatch(/^Failed {5}1 × .*\(E_TRIAL_CRASHED\); the first was fast 10/m);
    const { counts, trials } = parse(await readFile(path.join(folder, 'sweep.json'), 'utf8'));
    expect(counts).toMatchObject({ finished: 15, failed: 1 });
    expect(trials[5]).toMatchObject({
      parameters: { fast: 10, slow: 40 },
      status: 'failed',
      code: 'E_TRIAL_CRASHED',
      message: expect.stringContaining(message),
    });
  });
});
