import { describe, expect, it } from 'vitest';
import { HOUR_MS, parseFixed } from '../../../src/domain/index.js';
import { buildResult } from '../../../src/report/index.js';
import { CandleStrategy } from '../../../src/strategy/index.js';
import { aContract, aSpotPair, runHours, type HourlyRun } from '../../support/hourly-run.js';

class Holds extends CandleStrategy({}) {
  override onCandle(): void {
    this.enterLong({ quantity: '5' }, { instrument: 'BTCUSDT' });
  }
}

class HoldsContracts extends CandleStrategy({}) {
  override onCandle(): void {
    this.enterShort({ quantity: '50' });
  }
}

/** 30 hours at prices whose fivefold no float64 holds exactly. */
const HOURS = Object.fromEntries(
  Array.from({ length: 30 }, (_, hour) => [hour, Number((100 + hour * 0.07).toFixed(2))]),
);

async function curvesOf(options: Omit<HourlyRun, 'keepCloses'>) {
  const fees = { maker: 0n, taker: parseFixed('0.00100001'), paidIn: 'quote' as const };
  const record = await runHours({ ...options, keepCloses: true, simulation: { fees } });
  return {
    daily: buildResult(record).equityCurve,
    candle: buildResult(record, { curve: 'candle' }).equityCurve,
  };
}

describe('the equity curve of every candle', () => {
  it('matches a calculation by hand', async () => {
    const { candle } = await curvesOf({
      strategy: Holds,
      series: [[aSpotPair('BTC', 'USDT'), HOURS]],
    });

    // Bought 5 at 100.07, with a fee of 0.50035 + 0.0000050035.
    const paid = 10_000n * 10n ** 10n - 500_35n * 10n ** 8n - 5_003_550_035n;
    const expected = Array.from({ length: 29 }, (_, index) => {
      const price = 10_000n + BigInt(index + 1) * 7n;
      const scaled = paid + 5n * price * 10n ** 8n;
      return [(index + 2) * HOUR_MS, textOf(scaled)];
    });
    expect(candle).toEqual([[0, '10000'], [HOUR_MS, '10000'], ...expected]);
  });

  it.each([
    ['spot', Holds, [[aSpotPair('BTC', 'USDT'), HOURS]]],
    [
      'several pairs',
      Holds,
      [
        [aSpotPair('BTC', 'USDT'), HOURS],
        [aSpotPair('ETH', 'USDT'), HOURS],
      ],
    ],
    ['contracts', HoldsContracts, [[aContract('BTC', 'USDT'), HOURS]]],
  ] as const)(
    'agrees with the daily curve at common times: %s',
    async (_what, strategy, series) => {
      const { daily, candle } = await curvesOf({ strategy, series });
      const points = new Map(candle);

      expect(daily).toHaveLength(3);
      for (const [time, equity] of daily) expect(points.get(time)).toBe(equity);
      // Exact decimals, without float64 rounding.
      for (const [, equity] of candle) expect(equity).toMatch(/^\d+(\.\d{1,10})?$/);
    },
  );
});

/** A whole number of 10^-10, as text without zeros at its end. */
function textOf(scaled: bigint): string {
  const digits = String(scaled).padStart(11, '0');
  return `${digits.slice(0, -10)}.${digits.slice(-10)}`.replace(/\.?0+$/, '');
}
