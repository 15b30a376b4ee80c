import { describe, expect, it } from 'vitest';

import {
  CandleRows,
  DAY_MS,
  formatFixed,
  HOUR_MS,
  MINUTE_MS,
  parseFixed,
  present,
  type FundingColumns,
} from '../../../../src/domain/index.js';
import {
  createFixedSlippage,
  createSquareRootSlippage,
  type DepthQuery,
  type MarketView,
} from '../../../../src/simulator/index.js';
import type { DepthLevel } from '../../../../src/venue/index.js';
import { columnsFrom, columnsOf } from '../../../support/candle-columns.js';
import { failureOf } from '../../../support/failure.js';
import { aMarketView, NEW_YEAR } from '../../../support/market-view.js';

/** From 100 down to 99 at 20 s, up to 104 at 40 s, to 102. */
const ONE_MINUTE = columnsOf([
  { time: NEW_YEAR, open: 100, high: 104, low: 99, close: 102, volume: 6 },
]);

describe('lastAt', () => {
  it.each([
    [0, '100'],
    [10_000, '99.5'],
    [20_000, '99'],
    [30_000, '101.5'],
    // 104 − 2 × 1 ÷ 20,000: to the tick.
    [40_001, '104'],
    [59_999, '102'],
    [60_000, '102'],
    [DAY_MS, '102'],
  ])('is on the path %i ms after the open', (after, price) => {
    expect(aMarketView(ONE_MINUTE).lastAt(NEW_YEAR + after)).toBe(parseFixed(price));
  });

  it('visits the high first with the order high-first', () => {
    const view = aMarketView(ONE_MINUTE, { order: () => 'high-first' });

    expect(view.lastAt(NEW_YEAR + 20_000)).toBe(parseFixed('104'));
  });

  it('follows a change of the order of extremes while the candle is open', () => {
    let chosen: 'low-first' | 'high-first' = 'low-first';
    const view = aMarketView(ONE_MINUTE, { order: () => chosen });
    const highAt = (time: number): number | undefined =>
      view.klinesAt('1min', time, { limit: 1 })?.[0]?.high;

    const before = [view.lastAt(NEW_YEAR + 20_000), highAt(NEW_YEAR + 20_000)];
    chosen = 'high-first';
    const after = [view.lastAt(NEW_YEAR + 20_000), highAt(NEW_YEAR + 20_000)];

    expect(before).toEqual([parseFixed('99'), 100]);
    expect(after).toEqual([parseFixed('104'), 104]);
  });
});

it('MarketView keeps the last price while a candle is open that was open when trading began', () => {
  const columns = columnsOf(
    [100, 110, 120].map((price, row) => ({
      ...{ time: NEW_YEAR + row * MINUTE_MS, open: price, high: price + 4, low: price - 1 },
      ...{ close: price + 2, volume: 6 },
    })),
  );
  const from = NEW_YEAR + 90_000;
  const span = { from, end: NEW_YEAR + 3 * MINUTE_MS };
  const view = aMarketView(columns, { source: { span } });
  const seenAt = (time: number): readonly unknown[] => [
    view.lastAt(time),
    view.tickerAt(time)?.last,
    view.markAt(time)?.markPrice,
    view.depthAt(time)?.asks.length,
    view.klinesAt('1min', time, { limit: 9 })?.length,
  ];
  const before = parseFixed('102');

  expect(seenAt(from + 10_000)).toEqual([before, before, before, 0, 2]);
  expect(view.lastAt(NEW_YEAR + 2 * MINUTE_MS)).toBe(parseFixed('120'));

  const first = aMarketView(columns, { source: { span: { ...span, from: NEW_YEAR + 1 } } });
  expect(first.lastAt(NEW_YEAR + 20_000)).toBe(parseFixed('99'));
});

it('MarketView returns undefined before the first candle and without rules', () => {
  const early = aMarketView(ONE_MINUTE);
  const bare = aMarketView(ONE_MINUTE, { rulesAt: () => undefined });

  for (const [view, time] of [
    [early, NEW_YEAR - 1],
    [bare, NEW_YEAR],
  ] as const) {
    expect(view.lastAt(time)).toBeUndefined();
    expect(view.depthAt(time)).toBeUndefined();
    expect(view.tickerAt(time)).toBeUndefined();
    expect(view.tradesAt(time, 1)).toBeUndefined();
    expect(view.klinesAt('1min', time, { limit: 1 })).toBeUndefined();
    expect(view.markAt(time)).toBeUndefined();
  }
});

describe('klinesAt', () => {
  it('forms the open candle from the path so far', () => {
    const view = aMarketView(ONE_MINUTE);
    const seen = (after: number): readonly unknown[] =>
      (view.klinesAt('1min', NEW_YEAR + after, { limit: 9 }) ?? []).map(
        ({ open, high, low, close, closed }) => [open, high, low, close, closed],
      );

    expect(seen(0)).toEqual([[100, 100, 100, 100, false]]);
    expect(seen(10_000)).toEqual([[100, 100, 99.5, 99.5, false]]);
    expect(seen(30_000)).toEqual([[100, 101.5, 99, 101.5, false]]);
    expect(seen(50_000)).toEqual([[100, 104, 99, 103, false]]);
    expect(seen(60_000)).toEqual([[100, 104, 99, 102, true]]);
  });

  it('forms the open hour from its minutes, and closes it after the last minute', () => {
    // Opens 100, 101, …, highs 2.5 above and lows 0.75 below, closes 1 above; volumes 0, 1, 2, ….
    const view = aMarketView(columnsFrom(NEW_YEAR, 90, MINUTE_MS));

    const forming = view.klinesAt('1h', NEW_YEAR + 62 * MINUTE_MS, { limit: 9 });

    expect(forming).toMatchObject([
      { openTime: NEW_YEAR, open: 100, high: 161.5, low: 99.25, close: 160, volume: 1770 },
      { openTime: NEW_YEAR + HOUR_MS, open: 160, high: 163.5, low: 159.25, close: 162 },
    ]);
    expect(forming?.map(({ closed }) => closed)).toEqual([true, false]);
  });

  it('returns the newest candles of a time span', () => {
    const view = aMarketView(columnsFrom(NEW_YEAR, 10, MINUTE_MS));
    const minutes = (query: object): readonly number[] =>
      (view.klinesAt('1min', NEW_YEAR + 9 * MINUTE_MS, { limit: 3, ...query }) ?? []).map(
        ({ openTime }) => (openTime - NEW_YEAR) / MINUTE_MS,
      );

    expect(minutes({})).toEqual([7, 8, 9]);
    expect(minutes({ endTime: NEW_YEAR + 5 * MINUTE_MS })).toEqual([3, 4, 5]);
    expect(minutes({ startTime: NEW_YEAR + 8 * MINUTE_MS })).toEqual([8, 9]);
    expect(minutes({ startTime: NEW_YEAR + 10 * MINUTE_MS })).toEqual([]);
  });

  it('omits an hour of which no minute has opened yet', () => {
    const view = aMarketView(
      columnsOf([{ time: NEW_YEAR }, { time: NEW_YEAR + HOUR_MS + 30 * MINUTE_MS }]),
    );

    const at = view.klinesAt('1h', NEW_YEAR + HOUR_MS + 10 * MINUTE_MS, { limit: 9 });

    expect(at?.map(({ openTime }) => openTime)).toEqual([NEW_YEAR]);
  });

  it('converts a volume stored in quote to base', () => {
    const view = aMarketView(ONE_MINUTE, { source: { volumeUnit: 'quote' } });

    // 6 ÷ 102
    expect(view.klinesAt('1min', NEW_YEAR + MINUTE_MS, { limit: 1 })?.[0]?.volume).toBe(
      0.058823529411764705,
    );
  });

  it('refuses an interval shorter than that of the stored candles', () => {
    const view = aMarketView(columnsOf([{ time: NEW_YEAR }]), { source: { interval: '1h' } });

    expect(failureOf(() => view.klinesAt('1min', NEW_YEAR, { limit: 1 }))).toMatchObject({
      code: 'E_RESAMPLE_INTERVAL',
    });
  });
});

describe('tickerAt', () => {
  it('adds up the candles that opened within 24 hours', () => {
    const view = aMarketView(
      columnsOf([
        { time: NEW_YEAR, open: 50, high: 500, low: 10, close: 60, volume: 100 },
        { time: NEW_YEAR + MINUTE_MS, open: 80, high: 90, low: 70, close: 85, volume: 1.5 },
        { time: NEW_YEAR + HOUR_MS, open: 85, high: 95, low: 84, close: 88, volume: 2 },
      ]),
    );

    const ticker = view.tickerAt(NEW_YEAR + DAY_MS);

    expect(ticker).toMatchObject({
      last: parseFixed('88'),
      open: parseFixed('80'),
      high: parseFixed('95'),
      low: parseFixed('70'),
      volume: parseFixed('3.5'),
      // 88 ÷ 80 − 1
      change: parseFixed('0.1'),
    });
    expect(view.tickerAt(NEW_YEAR + DAY_MS - 1)?.volume).toBe(parseFixed('103.5'));
  });

  it('shows the last close and no volume after a day without candles', () => {
    const { last, open, high, low, volume, change } =
      aMarketView(ONE_MINUTE).tickerAt(NEW_YEAR + 2 * DAY_MS) ?? {};

    expect([last, open, high, low].map((price) => formatFixed(price ?? 0n))).toEqual(
      Array(4).fill('102'),
    );
    expect([volume, change]).toEqual([0n, 0n]);
  });
});

describe('a candle that closes after the end of the data span', () => {
  it('never opens: last does not change, and the book is empty', () => {
    const columns = columnsOf([
      { time: NEW_YEAR, open: 100, high: 104, low: 99, close: 102 },
      { time: NEW_YEAR + MINUTE_MS, open: 110, high: 120, low: 105, close: 106 },
    ]);
    const shown = (end: number): unknown => {
      const view = aMarketView(columns, { source: { span: { from: undefined, end } } });
      const time = NEW_YEAR + MINUTE_MS + 30_000;
      const [bids] = depthSides(view, time, { volumeLeft: parseFixed('1') });
      return [formatFixed(view.lastAt(time) ?? 0n), bids.length];
    };

    expect(shown(NEW_YEAR + 2 * MINUTE_MS - 1)).toEqual(['102', 0]);
    expect(shown(NEW_YEAR + 2 * MINUTE_MS)).toEqual(['112.5', 1]);
  });
});

describe('depthAt', () => {
  it('is empty while no candle is open, and when no volume is left', () => {
    const view = aMarketView(ONE_MINUTE);
    const empty = { bids: [], asks: [] };

    expect(view.depthAt(NEW_YEAR + MINUTE_MS)).toMatchObject(empty);
    expect(view.depthAt(NEW_YEAR + 5, { volumeLeft: 0n })).toMatchObject(empty);
    const unopened = aMarketView(ONE_MINUTE, { hasOpened: () => false });
    expect(unopened.depthAt(NEW_YEAR + MINUTE_MS)).toMatchObject(empty);
  });

  it('shows the volume left at the price of a taker: half the spread and slippage, rounded against the taker', () => {
    const view = aMarketView(ONE_MINUTE, {
      halfSpread: parseFixed('0.001'),
      slippage: createFixedSlippage(parseFixed('0.0005')),
    });

    // 99.5 × 1.0015 = 99.64925 and 99.5 × 0.9985 = 99.35075
    expect(view.depthAt(NEW_YEAR + 10_000, { volumeLeft: parseFixed('1.5') })).toMatchObject({
      bids: [{ price: parseFixed('99.35'), quantity: parseFixed('1.5') }],
      asks: [{ price: parseFixed('99.65'), quantity: parseFixed('1.5') }],
    });
  });

  it('has bid and ask at the path price if orders cost nothing', () => {
    const [bids, asks] = depthSides(aMarketView(ONE_MINUTE, { halfSpread: 0n }), NEW_YEAR);

    expect([bids[0]?.price, asks[0]?.price]).toEqual([parseFixed('100'), parseFixed('100')]);
  });

  it('has more levels if slippage grows with the quantity, and no more than requested', () => {
    const view = aMarketView(columnsOf([{ time: NEW_YEAR, volume: 100 }]), {
      slippage: createSquareRootSlippage(parseFixed('0.1')),
    });
    const volumeLeft = parseFixed('10');

    const [bids, asks] = depthSides(view, NEW_YEAR, { volumeLeft });
    const sum = asks.reduce((total, { quantity }) => total + quantity, 0n);

    expect([bids.length, asks.length, sum]).toEqual([21, 21, volumeLeft]);
    expect(depthSides(view, NEW_YEAR, { volumeLeft, levels: 3 })[1]).toEqual(asks.slice(0, 3));
  });

  it('never bids less than one tick', () => {
    const view = aMarketView(columnsOf([{ time: NEW_YEAR, open: 0.01, close: 0.01, low: 0.01 }]), {
      halfSpread: parseFixed('0.9'),
    });

    expect(depthSides(view, NEW_YEAR)[0][0]?.price).toBe(parseFixed('0.01'));
  });

  describe('without a volume limit', () => {
    const quantityOn = (volume: number, interval: '1min' | '1h' = '1min'): unknown => {
      const length = interval === '1h' ? HOUR_MS : MINUTE_MS;
      const columns = columnsOf([
        { time: NEW_YEAR, volume },
        { time: NEW_YEAR + length, volume: 9 },
      ]);
      const view = aMarketView(columns, { source: { interval } });
      return depthSides(view, NEW_YEAR + length)[1][0]?.quantity;
    };

    it('offers the volume per minute of the previous candle, at least one step', () => {
      expect(quantityOn(50)).toBe(parseFixed('50'));
      expect(quantityOn(600, '1h')).toBe(parseFixed('10'));
      expect(quantityOn(0)).toBe(parseFixed('0.001'));
    });

    it('does not depend on the volume of the open candle', () => {
      const bookBefore = (volume: number): unknown =>
        aMarketView(
          columnsOf([
            { time: NEW_YEAR, volume: 50 },
            { time: NEW_YEAR + MINUTE_MS, volume },
          ]),
        ).depthAt(NEW_YEAR + MINUTE_MS + 30_000);

      expect(bookBefore(5_000)).toEqual(bookBefore(1));
    });
  });
});

function depthSides(
  view: MarketView,
  time: number,
  query: DepthQuery = {},
): readonly [bids: readonly DepthLevel[], asks: readonly DepthLevel[]] {
  const { bids, asks } = present(view.depthAt(time, query), 'a book');
  return [bids, asks];
}

describe('a path through finer candles', () => {
  it('determines last and the forming candle', () => {
    // Two halves of an hour: down to 99 and up to 104, then from 103 over 103.5 to 102.
    const finer = {
      interval: '30min',
      rows: CandleRows.of(
        columnsOf([
          { time: NEW_YEAR, open: 100, high: 104, low: 99, close: 104 },
          { time: NEW_YEAR + HOUR_MS / 2, open: 103, high: 103.5, low: 102, close: 102 },
        ]),
      ),
    } as const;
    const columns = columnsOf([{ time: NEW_YEAR, open: 100, high: 104, low: 99, close: 102 }]);
    const view = aMarketView(columns, { source: { interval: '1h', finer } });

    const [before, after] = [30 * MINUTE_MS - 1, 30 * MINUTE_MS].map((time) =>
      view.klinesAt('1h', NEW_YEAR + time, { limit: 1 }),
    );

    expect(view.lastAt(NEW_YEAR + 10 * MINUTE_MS)).toBe(parseFixed('99'));
    expect(before).toMatchObject([{ high: 104, low: 99, close: 104 }]);
    expect(after).toMatchObject([{ high: 104, low: 99, close: 103 }]);
  });
});

describe('markAt', () => {
  const mark = {
    interval: '1min',
    rows: CandleRows.of(columnsOf([{ time: NEW_YEAR, open: 100, high: 103, low: 98, close: 101 }])),
  } as const;

  it('is last without stored marks, and the index equals the mark', () => {
    expect(aMarketView(ONE_MINUTE).markAt(NEW_YEAR + 10_000)).toMatchObject({
      markPrice: parseFixed('99.5'),
      indexPrice: parseFixed('99.5'),
      fundingRate: undefined,
    });
  });

  it('follows the stored mark, with its extremes in the order of last', () => {
    const lowFirst = aMarketView(ONE_MINUTE, { source: { mark } });
    const highFirst = aMarketView(ONE_MINUTE, { source: { mark }, order: () => 'high-first' });

    expect(lowFirst.markAt(NEW_YEAR + 20_000)?.markPrice).toBe(parseFixed('98'));
    expect(highFirst.markAt(NEW_YEAR + 20_000)?.markPrice).toBe(parseFixed('103'));
    expect(lowFirst.markAt(NEW_YEAR + DAY_MS)?.markPrice).toBe(parseFixed('101'));
  });

  it('is exact where it is stored, also off the tick, and has 8 decimals in between', () => {
    const offTick = {
      interval: '1min',
      rows: CandleRows.of(
        columnsOf([{ time: NEW_YEAR, open: 100, high: 103, low: 98.00761, close: 101.0051 }]),
      ),
    } as const;
    const view = aMarketView(ONE_MINUTE, { source: { mark: offTick } });
    const at = (ms: number): unknown => formatFixed(view.markAt(NEW_YEAR + ms)?.markPrice ?? 0n);

    expect([at(20_000), at(DAY_MS)]).toEqual(['98.00761', '101.0051']);
    // 98.00761 + 4.99239 ÷ 20,000
    expect(at(20_001)).toBe('98.00785962');
  });

  it('is delayed by markDelayMs, and does not show a price that opens at the requested time', () => {
    const two = CandleRows.of(
      columnsOf([
        { time: NEW_YEAR, open: 100, high: 103, low: 98, close: 101 },
        { time: NEW_YEAR + MINUTE_MS, open: 110, high: 111, low: 109, close: 110 },
      ]),
    );
    const source = { mark: { ...mark, rows: two } };
    const view = aMarketView(ONE_MINUTE, { source, markDelayMs: 1_500 });

    expect(view.markAt(NEW_YEAR + 21_500)?.markPrice).toBe(parseFixed('98'));
    expect(view.markAt(NEW_YEAR + MINUTE_MS + 1_500)?.markPrice).toBe(parseFixed('101'));
  });

  it('uses its own nearest extreme if its candles are longer than those of last', () => {
    const hour = { interval: '1h', rows: mark.rows } as const;
    const view = aMarketView(ONE_MINUTE, { source: { mark: hour }, order: () => 'high-first' });

    // 2 below the open are nearer than 3 above it.
    expect(view.markAt(NEW_YEAR + 20 * MINUTE_MS)?.markPrice).toBe(parseFixed('98'));
  });

  it('is last before the first mark, and if marks are coarser than an hour', () => {
    const late = { ...mark, rows: CandleRows.of(columnsOf([{ time: NEW_YEAR + MINUTE_MS }])) };
    const coarse = { ...mark, interval: '4h' } as const;

    for (const series of [late, coarse]) {
      const view = aMarketView(ONE_MINUTE, { source: { mark: series } });
      expect(view.markAt(NEW_YEAR + 20_000)?.markPrice).toBe(parseFixed('99'));
    }
  });

  const stored: FundingColumns = {
    time: Float64Array.of(NEW_YEAR + 8 * HOUR_MS, NEW_YEAR + 16 * HOUR_MS),
    rate: Float64Array.of(0.0001, -0.0002),
  };
  const constant = { rate: parseFixed('0.0003'), intervalMs: 8 * HOUR_MS };

  it.each([
    // Rates at 1 h, 8 h, 16 h and 24 h after the start.
    ['current', 'stored', { stored }, ['0.0001', '-0.0002', 'none', 'none']],
    ['settled', 'stored', { stored }, ['none', '0.0001', '-0.0002', '-0.0002']],
    ['current', 'constant', { constant }, ['0.0003', '0.0003', '0.0003', '0.0003']],
    ['settled', 'constant', { constant }, ['0.0003', '0.0003', '0.0003', '0.0003']],
    ['current', 'both', { stored, constant }, ['0.0001', '-0.0002', '0.0003', '0.0003']],
    ['settled', 'both', { stored, constant }, ['0.0003', '0.0001', '-0.0002', '0.0003']],
    [undefined, 'both', { stored, constant }, ['0.0001', '-0.0002', '0.0003', '0.0003']],
  ] as const)(
    'shows the funding rate of the running or of the last settled period: %s, %s',
    (fundingRateKnown, _, funding, rates) => {
      const view = aMarketView(ONE_MINUTE, { source: { funding }, fundingRateKnown });

      const shown = [1, 8, 16, 24].map((hours) => {
        const rate = view.markAt(NEW_YEAR + hours * HOUR_MS)?.fundingRate;
        return rate === undefined ? 'none' : formatFixed(rate);
      });

      expect(shown).toEqual(rates);
    },
  );
});
