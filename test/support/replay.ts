import {
  replayBacktest,
  type BacktestConfig,
  type RunOptions,
  type SimulationConfig,
} from '../../src/assembly/index.js';
import {
  createInstrumentId,
  parseFixed,
  splitInstrumentId,
  type CandleColumns,
  type CandleSeries,
  type InstrumentId,
  type Interval,
} from '../../src/domain/index.js';
import type { RunRecord } from '../../src/report/index.js';
import type { StrategyClass } from '../../src/strategy/index.js';
import { aBacktestConfig } from './backtest-config.js';
import { createMemoryArchive } from './memory-archive.js';

/** The instrument that {@link replay} trades. */
export const BTC: InstrumentId = createInstrumentId('spot', 'BTCUSDT');
export const ETH: InstrumentId = createInstrumentId('spot', 'ETHUSDT');

/** Runs a strategy over candles of one spot pair, on the terms of {@link aBacktestConfig}. The given terms replace them. */
export function replay(
  strategyClass: StrategyClass,
  columns: CandleColumns,
  simulation: Partial<SimulationConfig> = {},
  options: Pick<RunOptions, 'journal'> = {},
): Promise<RunRecord> {
  const series = [{ instrumentId: BTC, interval: '1h', columns }] as const;
  return replaySeries(strategyClass, series, simulation, options);
}

/** The same over several series of pairs with USDT. */
export function replaySeries(
  strategyClass: StrategyClass,
  series: readonly CandleSeries[],
  simulation: Partial<SimulationConfig> = {},
  options: Pick<RunOptions, 'journal'> = {},
): Promise<RunRecord> {
  const rules = { tradable: true, pricePrecision: 2, quantityPrecision: 5 };
  const ids = [...new Set(series.map(({ instrumentId }) => instrumentId))];
  const config = aBacktestConfig({
    instrumentId: BTC,
    interval: '1h',
    simulation: {
      balances: { spot: new Map([['USDT', parseFixed('10000')]]) },
      rules: new Map(ids.map((id) => [id, rules])),
      ...simulation,
    },
  });
  return replayBacktest({
    config: { ...config, instruments: ids.map((id) => configOf(id, series)) },
    archive: createMemoryArchive(series),
    strategyClass,
    sourceHash: 'test',
    keepCloses: true,
    ...options,
  });
}

function configOf(
  instrumentId: InstrumentId,
  series: readonly CandleSeries[],
): BacktestConfig['instruments'][number] {
  const { symbol } = splitInstrumentId(instrumentId);
  const intervals: readonly Interval[] = series
    .filter((each) => each.instrumentId === instrumentId)
    .map(({ interval }) => interval);
  return {
    kind: 'spot',
    instrumentId,
    symbol,
    base: symbol.replace('USDT', ''),
    quote: 'USDT',
    intervals,
  };
}
