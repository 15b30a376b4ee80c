import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { describe, expect, it } from 'vitest';

import { parseFixed } from '../../src/domain/index.js';
import { loadBot } from '../../src/cli/bot/load-bot.js';
import { parseResult, type HeadlineFigures, type Result } from '../../src/report/index.js';
import { aCliContext } from '../support/cli/cli-context.js';
import { runCommand } from '../support/cli/command-runner.js';

const ROOT = resolve(import.meta.dirname, '../..');

/** Runs `evenkeel backtest … --json -`; the text is checked against the schema of results. */
async function backtest(config: string, ...flags: readonly string[]): Promise<Result> {
  const file = `config/${config.includes('.') ? config : `${config}.backtest`}.yaml`;
  const { exitCode, stdout, stderr } = await runCommand(ROOT, [
    'backtest',
    file,
    '--json',
    '-',
    ...flags,
  ]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return parseResult(stdout, file);
}

/** The figures of `bounds` as numbers, by name. */
function numbersOf(figures: HeadlineFigures): Readonly<Record<string, number | null | undefined>> {
  const { finalEquity, ...others } = figures;
  return { ...others, finalEquity: Number(parseFixed(finalEquity ?? '0')) };
}

const ownFigures = ({ equity, statistics }: Result): ReturnType<typeof numbersOf> =>
  numbersOf({
    finalEquity: equity.final,
    totalReturn: statistics.totalReturn,
    cagr: statistics.cagr,
    sharpe: statistics.sharpe,
    maxDrawdown: statistics.maxDrawdown,
    trades: statistics.trades,
    winRate: statistics.winRate,
    profitFactor: statistics.profitFactor,
  });

describe('the example configurations', () => {
  const configs = readdirSync(resolve(ROOT, 'config'))
    .filter((file) => file.endsWith('.backtest.yaml'))
    .map((file) => file.replace('.backtest.yaml', ''));

  it.each(configs)('%s gives a valid result', async (config) => {
    const result = await backtest(config);

    expect(result.accounting.residual).toBe('0');
    expect(result.fills.length).toBeGreaterThan(10);
  });

  it.each(['paper', 'live'])('for %s names a venue, and is valid as a backtest', async (mode) => {
    const { context } = aCliContext({ cwd: ROOT });
    const { config } = await loadBot(`config/sma-crossover.${mode}.yaml`, context, {});

    expect(config.name).toBe(`sma-crossover-${mode}`);
    expect(config.venue).toBeDefined();
    const result = await backtest(`sma-crossover.${mode}`, '--no-ledger', '--to', '2025-06-05');
    expect(result.fills.length).toBeGreaterThan(10);
  });

  it('cover every example strategy', () => {
    expect(configs.toSorted()).toEqual(readdirSync(resolve(ROOT, 'strategies')).toSorted());
  });
});

describe('the README', () => {
  /** Lines that are not empty, block by block. */
  const lines = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '');
  const [strategy = '', , shown = ''] = [
    ...readFileSync(resolve(ROOT, 'README.md'), 'utf8').matchAll(/^```\w*\n(.*?)^```$/gms),
  ].map(([, block = '']) => block);

  it('shows the first strategy as it is in its file', () => {
    const file = resolve(ROOT, 'strategies/sma-crossover/sma-crossover.strategy.ts');

    expect(lines(strategy)).toEqual(lines(readFileSync(file, 'utf8')));
  });

  it('shows the output of its backtest, including the hashes', async () => {
    const { stdout } = await runCommand(ROOT, ['backtest', 'config/sma-crossover.backtest.yaml']);

    const printed = lines(shown).slice(0, -1);
    expect(printed.at(-1)).toMatch(/^ {2}Hashes {4}run [0-9a-f]{12}, /);
    expect(lines(stdout).slice(0, printed.length)).toEqual(printed);
  });
});

describe('--bounds', () => {
  it('gives a range that contains the figures of the configured path', async () => {
    const result = await backtest('rsi-mean-reversion', '--to', '2024-10-01', '--bounds');

    const low = numbersOf(result.bounds.low);
    const high = numbersOf(result.bounds.high);
    const own = ownFigures(result);
    const outside = Object.keys(own).filter((figure) => {
      const [from, value, to] = [low[figure], own[figure], high[figure]];
      return !(typeof from === 'number' && typeof value === 'number' && typeof to === 'number')
        ? true
        : value < from || value > to;
    });
    expect(outside).toEqual([]);
    expect(low['finalEquity']).toBeLessThan(high['finalEquity'] ?? 0);
    expect(result.bounds.undecidedCandles).toBeGreaterThan(0);
    // The search covered both orders of the extremes of every undecided candle.
    expect(result.bounds.exact).toBe(true);
  });

  it('changes only the bounds of a result', async () => {
    const alone = await backtest('rsi-mean-reversion', '--to', '2024-10-01');
    const ranged = await backtest('rsi-mean-reversion', '--to', '2024-10-01', '--bounds');

    expect({ ...ranged, bounds: alone.bounds }).toEqual(alone);
  });

  it('gives single figures, marked exact, if all orders are market orders that arrive at an open', async () => {
    const result = await backtest('sma-crossover', '--bounds', '--set', 'simulation.latencyMs=0');

    expect(result.bounds.low).toEqual(result.bounds.high);
    expect(numbersOf(result.bounds.low)).toEqual(ownFigures(result));
    expect(result.bounds.undecidedCandles).toBe(0);
    expect(result.bounds.exact).toBe(true);
  });

  it('prints the range of each headline figure', async () => {
    const { stdout } = await runCommand(ROOT, [
      'backtest',
      'config/rsi-mean-reversion.backtest.yaml',
      '--to',
      '2024-10-01',
      '--bounds',
    ]);

    expect(stdout).toMatch(
      /Range +[1-9]\d* undecided candles, carrying [\d.]+ % of the traded money\s+over\s+all\s+paths/,
    );
    expect(stdout).toMatch(/final equity [\d,.]+ … [\d,.]+ USDT/);
    expect(stdout).toMatch(/CAGR -[\d.]+ % … -[\d.]+ %/);
    // The maximum drawdown is the same on all paths.
    expect(stdout).toMatch(/max drawdown [\d.]+ %\n/);
  });
});
