import fc from 'fast-check';

import {
  CandleRows,
  closeTimeOf,
  createInstrumentId,
  MINUTE_MS,
  parseFixed,
  parseUtc,
  resolveRules,
  type CandleColumns,
  type Interval,
  type ResolvedRules,
} from '../../src/domain/index.js';
import {
  createFixedSlippage,
  MarketView,
  type MarketViewOptions,
  type MarketSource,
} from '../../src/simulator/index.js';
import { columnsOf } from './candle-columns.js';

/** 2025-01-01T00:00:00Z. */
export const NEW_YEAR = parseUtc('2025-01-01');

/** Tick 0.01, step 0.001. */
export const VIEW_RULES: ResolvedRules = resolveRules({
  tradable: true,
  pricePrecision: 2,
  quantityPrecision: 3,
});

/** The published market of BTCUSDT on the given candles. */
export function aMarketView(
  columns: CandleColumns,
  overrides: Partial<Omit<MarketViewOptions, 'source'>> & {
    readonly source?: Partial<MarketSource>;
  } = {},
): MarketView {
  return new MarketView({
    rulesAt: () => VIEW_RULES,
    halfSpread: parseFixed('0.0001'),
    slippage: createFixedSlippage(0n),
    seed: 7,
    ...overrides,
    source: {
      instrument: {
        kind: 'spot',
        id: createInstrumentId('spot', 'BTCUSDT'),
        symbol: 'BTCUSDT',
        base: 'BTC',
        quote: 'USDT',
      },
      interval: '1min',
      rows: CandleRows.of(columns),
      volumeUnit: 'base',
      pricePrecision: 2,
      ...overrides.source,
    },
  });
}

/** Candles from {@link NEW_YEAR} on, on the tick, with holes, and now and then without volume or movement. */
export function marketColumns(
  interval: Interval = '1min',
  count: { readonly min: number; readonly max: number } = { min: 1, max: 40 },
): fc.Arbitrary<CandleColumns> {
  const offset = fc.integer({ min: 0, max: 200 });
  const row = fc.record({
    skipped: fc.oneof(
      { weight: 8, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 40 }) },
    ),
    levels: fc.tuple(offset, offset, offset, offset),
    volume: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 5_000_000 })),
  });
  return fc
    .tuple(
      fc.integer({ min: 1, max: 50_000 }),
      fc.array(row, { minLength: count.min, maxLength: count.max }),
    )
    .map(([base, rows]) => {
      let time = NEW_YEAR;
      return columnsOf(
        rows.map(({ skipped, levels, volume }) => {
          for (let missing = 0; missing < skipped; missing += 1) time = closeTimeOf(time, interval);
          const openTime = time;
          time = closeTimeOf(time, interval);
          const [open, high, low, close] = levels.map((level) => (base + level) / 100);
          const all = [open ?? 0, high ?? 0, low ?? 0, close ?? 0];
          return {
            time: openTime,
            open: all[0] ?? 0,
            high: Math.max(...all),
            low: Math.min(...all),
            close: all[3] ?? 0,
            volume: volume / 1_000,
          };
        }),
      );
    });
}

/** An instant from a little before the first candle to a little after the last, whole milliseconds; often the edge of a candle. */
export function momentOf(columns: CandleColumns): fc.Arbitrary<number> {
  const [first = NEW_YEAR, last = NEW_YEAR] = [columns.openTime[0], columns.openTime.at(-1)];
  return fc.oneof(
    fc.integer({ min: first - MINUTE_MS, max: last + 3 * MINUTE_MS }),
    fc
      .tuple(fc.nat({ max: columns.openTime.length - 1 }), fc.integer({ min: -1, max: 1 }))
      .map(([row, away]) => (columns.openTime[row] ?? first) + away),
  );
}
