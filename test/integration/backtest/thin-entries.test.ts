import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { synthesizeCandles } from '../../../src/archive/index.js';
import {
  DAY_MS,
  MINUTE_MS,
  parseInstrumentId,
  present,
  type CandleColumns,
} from '../../../src/domain/index.js';
import { CandleStrategy, sma } from '../../../src/index.js';
import { formatResult, runBacktest, type Result } from '../../../src/run/index.js';

const START = Date.UTC(2024, 5, 1);
/** Days of the market; `EVENKEEL_LONG=1` plays a year. */
const DAYS = process.env['EVENKEEL_LONG'] === '1' ? 365 : 20;
/** The money in USDT that an entry can fill in a thin candle. The smallest order is 5. */
const CRUMB = 3.72;
const PARTICIPATION = 0.1;

/** Asks for its position again with each candle, and does not wait for an earlier order. */
class Trend extends CandleStrategy({}) {
  readonly fast = this.indicator(sma(10));
  readonly slow = this.indicator(sma(30));

  override onCandle(): void {
    if (this.fast.value > this.slow.value)
      this.enterLong({ equity: '0.95' }, { protection: { stopLoss: { ratio: '0.02' } } });
    else this.exit();
  }
}

/** A market with more than enough volume for every order. */
function aDeepMarket(): CandleColumns {
  const [series] = synthesizeCandles({
    seed: 3,
    interval: '1min',
    from: START,
    to: START + DAYS * DAY_MS,
    correlation: 0,
    instruments: [
      {
        instrumentId: parseInstrumentId('spot:BTCUSDT'),
        startPrice: 20_000,
        volatility: 0.6,
        dailyVolume: 200_000,
        pricePrecision: 2,
        quantityPrecision: 5,
      },
    ],
  });
  return present(series, 'a series').columns;
}

function run(columns: CandleColumns, remainder: 'cancel' | 'resend'): Promise<Result> {
  return runBacktest({
    config: {
      name: 'thin',
      instruments: [{ product: 'spot', symbol: 'BTCUSDT', intervals: ['1min'] }],
      simulation: {
        balances: { USDT: '10000' },
        fees: { maker: '0', taker: '0', paidIn: 'quote' },
        participation: String(PARTICIPATION),
        latencyMs: 200,
        remainder,
        rules: { BTCUSDT: { pricePrecision: 2, quantityPrecision: 5, minOrderMoney: '5' } },
      },
    },
    strategy: Trend,
    candles: [{ instrument: 'spot:BTCUSDT', interval: '1min', candles: columns }],
  });
}

/** The same market, with too little volume in the candles in which these entries fill. */
function withThinCandles(columns: CandleColumns, entries: readonly number[]): CandleColumns {
  const volume = columns.volume.slice();
  for (const time of entries) {
    const row = Math.floor((time - START) / MINUTE_MS);
    volume[row] = CRUMB / PARTICIPATION / present(columns.open[row], 'an open');
  }
  return { ...columns, volume };
}

/** The size of a result without orders, fills and trades. */
const restOf = (result: Result): number =>
  formatResult({ ...result, orders: [], fills: [], trades: [] }).length;

describe('entries whose first fill is below the smallest order', () => {
  const deep = aDeepMarket();

  it('are topped up to as many trades as with the remainder sent again', async () => {
    const whole = await run(deep, 'cancel');
    const trades = present(whole.trades, 'trades');
    expect(trades.length).toBeGreaterThan(DAYS * 10);
    // Only entries of positions that last two candles or more: the others are not asked for again, and their crumb would wait for the next entry.
    const entries = trades
      .filter(({ entry, exit }) => exit !== null && exit.time - entry.time >= 2 * MINUTE_MS)
      .map(({ entry }) => entry.time);

    await fc.assert(
      fc.asyncProperty(fc.subarray(entries, { minLength: 1, maxLength: 40 }), async (thin) => {
        const columns = withThinCandles(deep, thin);
        const canceled = await run(columns, 'cancel');
        const resent = await run(columns, 'resend');

        // Each thin entry bought a crumb that was too small to sell alone.
        const crumbs = canceled.fills.filter(
          ({ price, quantity }) => Number(price) * Number(quantity) < 5,
        );
        expect(crumbs).toHaveLength(thin.length);
        expect(canceled.trades).toHaveLength(trades.length);
        expect(resent.trades).toHaveLength(trades.length);
        expect(restOf(canceled)).toBeLessThan(restOf(whole) + 2_000);
      }),
      { numRuns: 5 },
    );
  });
});
