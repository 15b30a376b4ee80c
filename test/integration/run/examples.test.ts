import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { DAY_MS, formatUtc, parseUtc } from '../../../src/domain/index.js';
import { formatResult, runBacktest, type RunDescription } from '../../../src/run/index.js';
import { isStrategyClass, type StrategyClass } from '../../../src/strategy/index.js';
import { runCommand } from '../../support/cli/command-runner.js';

const ROOT = resolve(import.meta.dirname, '../../..');
const DIRECTORY = join(ROOT, 'config');

/** Days that each example runs; undefined with EVENKEEL_LONG=1: the whole range. All examples trade within these days. */
const DAYS = process.env['EVENKEEL_LONG'] === '1' ? undefined : 30;

const CONFIGS = readdirSync(DIRECTORY)
  .filter((name) => name.endsWith('.backtest.yaml'))
  .map((name) => name.replace('.backtest.yaml', ''));

interface Example {
  readonly to: string;
  readonly config: RunDescription & { readonly strategy: { readonly path: string } };
  /** The same configuration without the path, with the class at that path. */
  readonly byClass: {
    readonly config: RunDescription;
    readonly strategy: StrategyClass;
    readonly strategyFile: string;
  };
}

async function readExample(name: string): Promise<Example> {
  const text = readFileSync(join(DIRECTORY, `${name}.backtest.yaml`), 'utf8');
  const written = parse(text) as Example['config'];
  const { from = '', to: end = '' } = written.simulation;
  const to = DAYS === undefined ? end : formatUtc(parseUtc(from) + DAYS * DAY_MS);
  const config = { ...written, simulation: { ...written.simulation, to } };
  const { path, ...strategy } = config.strategy;
  const strategyFile = join(DIRECTORY, path);
  const exported = (await import(strategyFile)) as Readonly<Record<string, unknown>>;
  const strategyClass = Object.values(exported).find(isStrategyClass);
  if (strategyClass === undefined) throw new Error(`${path} exports no strategy`);
  const byClass = { config: { ...config, strategy }, strategy: strategyClass, strategyFile };
  return { to, config, byClass };
}

/** The output of the command line for the same run. */
async function command(name: string, to: string, more: readonly string[] = []): Promise<string> {
  const file = `config/${name}.backtest.yaml`;
  const run = await runCommand(ROOT, ['backtest', file, '--to', to, '--json', '-', ...more]);
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  expect(run.stdout).toContain('"orders": [\n');
  return run.stdout;
}

describe('a backtest from code', () => {
  it.each(CONFIGS)('of %s has the bytes of the command line', async (name) => {
    const { to, byClass } = await readExample(name);

    const text = formatResult(await runBacktest({ ...byClass, directory: DIRECTORY }));

    expect(text === (await command(name, to))).toBe(true);
  });

  it('has the bytes of the command line with bounds and another benchmark', async () => {
    const { to, config } = await readExample('rotation');
    const from = formatUtc(parseUtc(to) - 20 * DAY_MS);
    const simulation = { ...config.simulation, from };

    const result = await runBacktest({
      config: { ...config, simulation },
      directory: DIRECTORY,
      bounds: true,
      benchmark: 'ETHUSDT',
    });

    const words = ['--from', from, '--bounds', '--benchmark', 'ETHUSDT'];
    expect(formatResult(result) === (await command('rotation', to, words))).toBe(true);
    expect(result.bounds.low.finalEquity).toBeDefined();
    await expect(
      runBacktest({ config, directory: DIRECTORY, benchmark: 'DOGEUSDT' }),
    ).rejects.toThrow('benchmark: expected one of spot:');
  });

  it('has the bytes of the command line with a number of runs for the bounds', async () => {
    const { to, config } = await readExample('rotation');
    const from = formatUtc(parseUtc(to) - 20 * DAY_MS);
    const simulation = { ...config.simulation, from };

    const result = await runBacktest({
      config: { ...config, simulation },
      directory: DIRECTORY,
      bounds: { runs: 4 },
    });

    const words = ['--from', from, '--bounds-runs', '4'];
    expect(formatResult(result) === (await command('rotation', to, words))).toBe(true);
    expect(result.bounds.search?.budget).toBe(4);
  });

  it('has the bytes of the command line if the configuration names the plugin', async () => {
    const { to, config } = await readExample('rotation');

    const text = formatResult(await runBacktest({ config, directory: DIRECTORY }));

    expect(text === (await command('rotation', to))).toBe(true);
  });
});
