import {
  replayBacktest,
  type BacktestConfig,
  type RunOptions,
  type SimulationConfig,
} from '../../src/assembly/index.js';
import {
  createInstrumentId,
  HOUR_MS,
  parseFixed,
  type Asset,
  type CandleColumns,
  type InstrumentId,
} from '../../src/domain/index.js';
import type { RunRecord } from '../../src/report/index.js';
import type { StrategyClass } from '../../src/strategy/index.js';
import { aBacktestConfig } from './backtest-config.js';
import { createMemoryArchive } from './memory-archive.js';

type InstrumentConfig = BacktestConfig['instruments'][number];

/** Candles by hour: a price for a flat candle, or open, high, low and close. */
export type Hours = Readonly<Record<number, number | readonly [number, number, number, number]>>;

export function hourly(hours: Hours): CandleColumns {
  const times = Object.keys(hours).map(Number);
  const values = Object.values(hours).map((each) =>
    typeof each === 'number' ? ([each, each, each, each] as const) : each,
  );
  const column = (index: 0 | 1 | 2 | 3): Float64Array =>
    Float64Array.from(values, (candle) => candle[index]);
  return {
    openTime: Float64Array.from(times, (hour) => hour * HOUR_MS),
    open: column(0),
    high: column(1),
    low: column(2),
    close: column(3),
    volume: new Float64Array(times.length).fill(1_000),
  };
}

const common = { intervals: ['1h'] } as const;

export function aSpotPair(base: Asset, quote: Asset): InstrumentConfig {
  const symbol = `${base}${quote}`;
  return {
    ...common,
    kind: 'spot',
    instrumentId: createInstrumentId('spot', symbol),
    symbol,
    base,
    quote,
  };
}

/** A pair that is traded on margin, up to three times its equity. */
export function aMarginPair(base: Asset, quote: Asset): InstrumentConfig {
  const symbol = `${base}${quote}`;
  return {
    ...common,
    kind: 'margin',
    instrumentId: createInstrumentId('margin', symbol),
    symbol,
    base,
    quote,
    leverage: parseFixed('3'),
  };
}

/** A contract of 0.1 of its base, or of 10 of its quote if it is inverse. */
export function aContract(
  base: Asset,
  quote: Asset,
  contract: 'linear' | 'inverse' = 'linear',
): InstrumentConfig {
  const symbol = `E-${base}-${quote}`;
  return {
    ...common,
    kind: 'futures',
    instrumentId: createInstrumentId('futures', symbol),
    symbol,
    base,
    quote,
    contract,
    multiplier: parseFixed(contract === 'linear' ? '0.1' : '10'),
    leverage: parseFixed('3'),
    marginMode: 'cross',
  };
}

export interface HourlyRun {
  readonly strategy: StrategyClass;
  /** In the order of the configuration. */
  readonly series: readonly (readonly [InstrumentConfig, Hours])[];
  readonly equityCurrency?: Asset;
  readonly simulation?: Partial<SimulationConfig>;
  readonly keepCloses?: boolean;
  /** @defaultValue none */
  readonly protections?: BacktestConfig['risk']['protections'];
  /** @defaultValue none */
  readonly journal?: RunOptions['journal'];
}

/** Backtests a strategy on hourly candles without costs. Each traded account starts with 10,000 of the equity currency. */
export function runHours({
  strategy,
  series,
  equityCurrency = 'USDT',
  simulation,
  keepCloses = false,
  protections,
  journal,
}: HourlyRun): Promise<RunRecord> {
  const instruments = series.map(([instrument]) => instrument);
  const [first] = instruments;
  const base = aBacktestConfig({
    instrumentId: first?.instrumentId ?? ('' as InstrumentId),
    interval: '1h',
  });
  const rules = { tradable: true, pricePrecision: 2 };
  const purse = new Map([[equityCurrency, parseFixed('10000')]]);
  return replayBacktest({
    config: {
      ...base,
      ...(protections !== undefined && { risk: { ...base.risk, protections } }),
      instruments,
      equityCurrency,
      simulation: {
        ...base.simulation,
        balances: Object.fromEntries(instruments.map(({ kind }) => [kind, purse])),
        rules: new Map(
          instruments.map(({ instrumentId, kind }) => [
            instrumentId,
            { ...rules, quantityPrecision: kind === 'futures' ? 0 : 5 },
          ]),
        ),
        ...simulation,
      },
    },
    archive: createMemoryArchive(
      series.map(([{ instrumentId }, hours]) => ({
        instrumentId,
        interval: '1h' as const,
        columns: hourly(hours),
      })),
    ),
    strategyClass: strategy,
    sourceHash: '',
    keepCloses,
    ...(journal !== undefined && { journal }),
  });
}
