import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openArchive } from '../../../src/archive/index.js';
import { createHeldPrices } from '../../../src/assembly/backtest/index.js';
import { loadBot } from '../../../src/cli/bot/load-bot.js';
import { TrialGrounds } from '../../../src/cli/sweep/trial-ground.js';
import { present } from '../../../src/domain/index.js';
import { buildResult, curveReturns, parseResult, writeResult } from '../../../src/report/index.js';
import {
  declaredSpace,
  drawCombinations,
  openSnapshot,
  replayTrial,
  runTrial,
  takeSnapshot,
  type Combination,
  type TrialGround,
} from '../../../src/research/index.js';
import { STRATEGY } from '../../../src/strategy/index.js';
import { runCommand } from '../../support/cli/command-runner.js';
import { BTC } from '../../support/replay.js';

const ROOT = resolve(import.meta.dirname, '../../..');

/** Spot, margin, linear and inverse contracts, several instruments and intervals, finer paths, liquidations. */
const CONFIGS = [
  ...readdirSync(resolve(ROOT, 'config'))
    .filter((name) => name.endsWith('.backtest.yaml'))
    .map((name) => `config/${name}`),
  'backtest/scenarios/channel-flip-liquidated.yaml',
  'backtest/scenarios/coin-hedge-finer.yaml',
];

/**
 * A drawn grid may bid at fifty levels with money for one. The other bids are refused again with each candle, so ten days are enough.
 * A month of twap works orders in slices of hours, as a year does.
 */
const overridesOf = (file: string): readonly string[] => {
  if (file.endsWith('grid.backtest.yaml')) return ['simulation.to=2024-07-18'];
  return file.endsWith('twap.backtest.yaml') ? ['simulation.to=2024-08-08'] : [];
};

/** The data that a thread of a sweep uses. */
async function groundOf(file: string): Promise<TrialGround> {
  const { config, plugin } = await loadBot(
    file,
    { cwd: ROOT, env: {} },
    { set: overridesOf(file) },
  );
  const snapshot = await takeSnapshot(config, openArchive(config.simulation.archive));
  const { sourceHash } = plugin;
  // The setup as a thread receives it: a structured clone.
  const setup = structuredClone({ config, snapshot, sourceHash, cacheFolder: undefined });
  return new TrialGrounds(setup).of();
}

/** `evenkeel backtest … --json -` with the parameters of a combination. */
async function backtest(file: string, { parameters }: Combination): Promise<string> {
  const flags = [
    ...overridesOf(file),
    ...Object.entries(parameters).map(
      ([name, value]) => `strategy.parameters.${name}=${JSON.stringify(value)}`,
    ),
  ].flatMap((setting) => ['--set', setting]);
  // A sweep of the user may have left a ledger beside the candles of the clone.
  const run = await runCommand(ROOT, ['backtest', file, '--no-ledger', '--json', '-', ...flags]);
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  return run.stdout;
}

describe.each(CONFIGS)('a combination of a sweep of %s', { timeout: 120_000 }, (file) => {
  it('has the bytes of its own backtest, also after others in the same thread', async () => {
    const ground = await groundOf(file);
    const prices = createHeldPrices(ground.market.series, ground.config.simulation);
    const space = declaredSpace(ground.strategyClass[STRATEGY].parameters);
    const drawn = drawCombinations(space, { count: 2, seed: 4 });
    const backtests = await Promise.all(drawn.map((combination) => backtest(file, combination)));

    for (const place of [0, 1, 0]) {
      const { parameters } = present(drawn[place], 'combination');
      const alone = present(backtests[place], 'backtest');
      const record = await replayTrial(ground, parameters);
      const result = parseResult(alone, file);
      // Plots are recorded only for a reader. A sweep has none.
      const text = writeResult(buildResult(record, { prices, plots: result.plots }));

      expect(text === alone, `${file} ${JSON.stringify(parameters)}`).toBe(true);
      const { equity, equityCurve, statistics, run, orders, fills, trades = [] } = result;
      const { outcome, returns } = await runTrial(ground, parameters);
      expect([...(returns?.values ?? [])]).toEqual(
        curveReturns(equityCurve).map(({ value }) => value),
      );
      expect(outcome).toMatchObject({
        status: 'finished',
        from: run.from,
        to: run.to,
        candles: run.candles,
        equity,
        statistics,
        longestHold: Math.max(0, ...trades.map(({ duration }) => duration)),
        orders: orders.length,
        fills: fills.length,
      });
    }
    if (file.includes('sma-crossover')) expect(ground.precomputed?.bytes).toBeGreaterThan(0);
  });
});

describe('takeSnapshot', () => {
  it('puts every column into shared memory, and reads like the archive', async () => {
    const file = 'config/coin-hedge.backtest.yaml';
    const { config } = await loadBot(file, { cwd: ROOT, env: {} }, {});
    const archive = openArchive(config.simulation.archive);

    const snapshot = await takeSnapshot(config, archive);

    const held = [...snapshot.series, ...snapshot.marks].flatMap(
      ({ columns }) => Object.values(columns) as Float64Array[],
    );
    for (const { time, rate } of snapshot.funding.values()) held.push(time, rate);
    expect(held.length).toBeGreaterThan(12);
    for (const column of held) expect(column.buffer).toBeInstanceOf(SharedArrayBuffer);
    const answered = openSnapshot(snapshot);
    for (const { instrumentId, intervals } of config.instruments) {
      for (const interval of intervals) {
        expect(await answered.info(instrumentId, interval)).toEqual(
          await archive.info(instrumentId, interval),
        );
        const { to } = config.simulation;
        expect(await answered.read(instrumentId, interval)).toEqual(
          await archive.read(instrumentId, interval, { to }),
        );
      }
    }
    await expect(answered.info(BTC, '1week')).rejects.toMatchObject({ code: 'E_MISSING' });
  });
});
