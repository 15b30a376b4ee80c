import fc from 'fast-check';

import type { BacktestConfig, InstrumentConfig } from '../../../src/assembly/index.js';
import {
  createInstrumentId,
  FIXED_ONE,
  MINUTE_MS,
  parseFixed,
  type CandleColumns,
  type CandleSeries,
  type FundingColumns,
  type InstrumentId,
  type ProductKind,
} from '../../../src/domain/index.js';
import type { MarketHistory } from '../look-ahead.js';
import { randomRuns, type Lengths, type RandomRun } from './random-runs.js';

/** A configuration for any strategy on any product, and its market. */
export interface RandomMarketRun {
  readonly config: BacktestConfig;
  readonly market: MarketHistory;
}

const FUNDING_MS = 13 * MINUTE_MS;
const OFFSETS = [0, 1, -1, 3, -2, 0, -5, 8];

const terms = fc.record({
  kind: fc.constantFrom<ProductKind>('spot', 'spot', 'margin', 'futures', 'futures'),
  leverage: fc.constantFrom(1n, 3n, 20n),
  marginMode: fc.constantFrom('cross' as const, 'isolated' as const),
  positionMode: fc.constantFrom('hedge' as const, 'oneWay' as const),
  hasMarks: fc.boolean(),
  /** Every so many marks are missing; 0 for none. */
  missingMarks: fc.constantFrom(0, 0, 7),
  hasFunding: fc.boolean(),
});
type Terms = typeof terms extends fc.Arbitrary<infer T> ? T : never;

/** {@link randomRuns} on any product: spot, margin, or linear contracts with or without marks and funding. */
export function randomMarketRuns(
  parameters: Parameters<typeof randomRuns>[0],
  lengths: Lengths,
): fc.Arbitrary<RandomMarketRun> {
  return fc
    .tuple(randomRuns(parameters, lengths), terms)
    .map(([run, chosen]) => (chosen.kind === 'spot' ? onSpot(run) : onAccount(run, chosen)));
}

function onSpot({ config, series }: RandomRun): RandomMarketRun {
  return { config, market: { candles: series, marks: [], finer: [], funding: new Map() } };
}

function onAccount({ config, series }: RandomRun, chosen: Terms): RandomMarketRun {
  const { simulation } = config;
  const renamed = new Map(
    config.instruments.map(({ instrumentId, symbol, base }) => [
      instrumentId,
      chosen.kind === 'futures'
        ? createInstrumentId('futures', `E-${base}-USDT`)
        : createInstrumentId('margin', symbol),
    ]),
  );
  const nameOf = (id: InstrumentId): InstrumentId => renamed.get(id) ?? id;
  const candles = series.map((each) => ({ ...each, instrumentId: nameOf(each.instrumentId) }));
  const isFutures = chosen.kind === 'futures';
  return {
    config: {
      ...config,
      instruments: config.instruments.map((each) => instrumentOf(each, nameOf, chosen)),
      simulation: {
        ...simulation,
        balances: { [chosen.kind]: new Map([['USDT', parseFixed('10000')]]) },
        fees: { ...simulation.fees, paidIn: 'quote' },
        rules: new Map([...simulation.rules].map(([id, rules]) => [nameOf(id), rules])),
        futures: {
          ...simulation.futures,
          positionMode: chosen.positionMode,
          maxFeeRate: parseFixed('0.0075'),
          tiers: new Map(
            [...renamed.values()]
              .filter(() => isFutures)
              .map((id) => [id, [{ from: 0, tiers: [TIER] }]]),
          ),
        },
      },
    },
    market: {
      candles,
      marks: isFutures && chosen.hasMarks ? marksOf(candles, chosen.missingMarks) : [],
      finer: [],
      funding: new Map(
        isFutures && chosen.hasFunding
          ? candles.map(({ instrumentId, columns }) => [instrumentId, fundingOf(columns)])
          : [],
      ),
    },
  };
}

const TIER = {
  maxValue: undefined,
  maxLeverage: 100n * FIXED_ONE,
  keepRate: parseFixed('0.005'),
};

function instrumentOf(
  { symbol, base, quote, intervals, ...given }: InstrumentConfig,
  nameOf: (id: InstrumentId) => InstrumentId,
  { kind, leverage, marginMode }: Terms,
): InstrumentConfig {
  const instrumentId = nameOf(given.instrumentId);
  const common = { instrumentId, base, quote, intervals, leverage: leverage * FIXED_ONE };
  if (kind === 'margin') return { ...common, kind, symbol };
  return {
    ...common,
    kind: 'futures',
    symbol: `E-${base}-USDT`,
    contract: 'linear',
    multiplier: parseFixed('0.1'),
    marginMode,
  };
}

/** A mark for each of the finest candles of an instrument, a few ticks beside it. */
function marksOf(series: readonly CandleSeries[], missing: number): readonly CandleSeries[] {
  const finest = series.filter(({ interval }) => interval === '1min');
  return finest.map(({ instrumentId, interval, columns }) => {
    const rows = [...columns.openTime.keys()].filter(
      (row) => missing === 0 || row % missing !== missing - 1,
    );
    const offset = (row: number): number => (OFFSETS[row % OFFSETS.length] ?? 0) / 100;
    const read = (column: Float64Array): Float64Array =>
      Float64Array.from(
        rows,
        (row) => Math.round(((column[row] ?? 0) + offset(row)) * 1_000) / 1_000,
      );
    return {
      instrumentId,
      interval,
      columns: {
        openTime: Float64Array.from(rows, (row) => columns.openTime[row] ?? 0),
        open: read(columns.open),
        high: read(columns.high),
        low: read(columns.low),
        close: read(columns.close),
        volume: new Float64Array(rows.length),
      },
    };
  });
}

function fundingOf({ openTime }: CandleColumns): FundingColumns {
  const first = Math.ceil((openTime[0] ?? 0) / FUNDING_MS) * FUNDING_MS;
  const count = Math.floor(((openTime.at(-1) ?? 0) - first) / FUNDING_MS) + 1;
  const length = Math.max(0, count);
  return {
    time: Float64Array.from({ length }, (_, row) => first + row * FUNDING_MS),
    rate: Float64Array.from({ length }, (_, row) => ((row % 5) - 2) / 1_000),
  };
}
