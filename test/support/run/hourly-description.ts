import { HOUR_MS } from '../../../src/domain/index.js';
import { CandleStrategy, crossedAbove, crossedBelow, int, sma } from '../../../src/index.js';
import type { CandleValues, RunDescription } from '../../../src/run/index.js';

/** Start of the candles of {@link hourlyCandles}. */
export const START = Date.parse('2025-03-03T00:00:00Z');

/** Hours that go up and down in waves, so that averages cross. */
export function hourlyCandles(count: number): readonly CandleValues[] {
  const price = (hour: number): number =>
    Math.round(10_000 + 800 * Math.sin(hour / 9) + 300 * Math.sin(hour / 41));
  return Array.from({ length: count }, (_, hour) => {
    const [open, close] = [price(hour), price(hour + 1)];
    const [high, low] = [Math.max(open, close) + 5, Math.min(open, close) - 5];
    return { openTime: START + hour * HOUR_MS, open, high, low, close, volume: 50 };
  });
}

/** A bot on one hourly spot pair, without a plugin and without an archive. */
export const DESCRIPTION = {
  name: 'from-code',
  instruments: [{ product: 'spot', symbol: 'BTCUSDT', intervals: ['1h'] }],
  simulation: {
    balances: { USDT: '10000' },
    fees: { maker: '0.001', taker: '0.001' },
    latencyMs: 200,
    rules: { BTCUSDT: { pricePrecision: 2, quantityPrecision: 5, minOrderMoney: '5' } },
  },
} as const satisfies RunDescription;

/** Trades some crossings of two averages. */
export class Crossing extends CandleStrategy({ fast: int(2, 50, 3), slow: int(3, 100, 8) }) {
  readonly fast = this.indicator(sma(this.parameters.fast));
  readonly slow = this.indicator(sma(this.parameters.slow));

  override onCandle(): void {
    if (crossedAbove(this.fast, this.slow)) this.enterLong({ equity: '0.9' });
    else if (crossedBelow(this.fast, this.slow)) this.exit();
  }
}
