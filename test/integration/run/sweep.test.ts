import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { CandleStrategy, int } from '../../../src/index.js';
import { formatSweep, runSweep, type RunDescription } from '../../../src/run/index.js';
import { SmaCrossover } from '../../../strategies/sma-crossover/sma-crossover.strategy.js';
import { runCommand } from '../../support/cli/command-runner.js';
import { createTrialRunner } from '../../support/cli/inline-trials.js';
import { Crossing, DESCRIPTION, hourlyCandles } from '../../support/run/hourly-description.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const ROOT = resolve(import.meta.dirname, '../../..');
const DIRECTORY = join(ROOT, 'config');
const TO = '2024-08-08';

function example(name: string): RunDescription {
  const text = readFileSync(join(DIRECTORY, `${name}.backtest.yaml`), 'utf8');
  const config = parse(text) as RunDescription;
  return { ...config, simulation: { ...config.simulation, to: TO } };
}

async function command(name: string, flags: readonly string[]): Promise<string> {
  const ledger = join(await temporaryFolder(), 'trials.jsonl');
  const bot = [`config/${name}.backtest.yaml`, '--to', TO, '--ledger', ledger];
  const run = await runCommand(ROOT, ['sweep', ...bot, '--json', '-', ...flags], {
    createTrialRunner,
  });
  expect(run.exitCode).toBe(0);
  return run.stdout;
}

const OWN = {
  config: DESCRIPTION,
  strategy: Crossing,
  candles: [{ instrument: 'spot:BTCUSDT', interval: '1h', candles: hourlyCandles(400) }],
} as const;

describe('a sweep from code', () => {
  it('has the bytes of the command line for a grid by its class', async () => {
    const grid = 'fast=5:15:5,slow=10:30:10';
    const { strategy, ...config } = example('sma-crossover');
    const strategyFile = join(ROOT, 'strategies/sma-crossover/sma-crossover.strategy.ts');

    const sweep = await runSweep({
      config: { ...config, strategy: { parameters: strategy?.parameters } },
      strategy: SmaCrossover,
      strategyFile,
      directory: DIRECTORY,
      grid,
    });

    expect(sweep.counts.finished).toBe(9);
    expect(formatSweep(sweep) === (await command('sma-crossover', ['--grid', grid]))).toBe(true);
  });

  it('has the bytes of the command line for random draws of a configured plugin', async () => {
    const config = example('rotation');
    const flags = ['--random', '4', '--seed', '7', '--objective', 'calmar'];

    const sweep = await runSweep({
      config,
      directory: DIRECTORY,
      random: 4,
      seed: 7,
      objective: 'calmar',
    });

    expect(formatSweep(sweep) === (await command('rotation', flags))).toBe(true);
  });

  it('lists a failed combination as a trial, and one with another result alone as a difference', async () => {
    let constructed = 0;
    class Choosy extends CandleStrategy({ fast: int(1, 3, 1) }) {
      readonly #quantity = (constructed += 1);

      override onCandle(): void {
        if (this.parameters.fast === 2) throw new Error('not two');
        this.enterLong({ quantity: `0.${String(this.#quantity)}` });
      }
    }

    const sweep = await runSweep({ ...OWN, strategy: Choosy });

    expect(sweep.trials.map(({ status }) => status)).toEqual(['finished', 'failed', 'finished']);
    expect(sweep.differences.length).toBeGreaterThan(0);
  });

  it.each([
    [
      { grid: 'fats=1:2:1' },
      /^grid fats: expected one of the parameters fast, slow \(did you mean fast\?\), received "fats"/,
    ],
    [{ grid: 'fast=1:x:1' }, /^grid fast: expected a plain number/],
    [{ seed: 3 }, /^seed needs random/],
  ])('is refused for %o', async (search, message) => {
    await expect(runSweep({ ...OWN, ...search })).rejects.toThrow(message);
  });

  it('rejects when it is aborted', async () => {
    const controller = new AbortController();
    const done: number[] = [];

    const sweep = runSweep({
      ...OWN,
      grid: 'fast=3:50:1',
      signal: controller.signal,
      onProgress: (progress) => {
        done.push(progress.done);
        if (progress.done === 2) controller.abort();
      },
    });

    await expect(sweep).rejects.toMatchObject({ code: 'E_RUN_ABORTED' });
    expect(done.slice(0, 3)).toEqual([0, 1, 2]);
    expect(done.length).toBeLessThan(6);
  });
});
