import { describe, expect, it } from 'vitest';

import { formatFixed, parseFixed } from '../../src/domain/index.js';
import { CandleStrategy } from '../../src/strategy/index.js';
import { aMarginPair, runHours } from '../support/hourly-run.js';

/** Sells 1 short with the first candle, and buys it back at 99. */
class Short extends CandleStrategy({}) {
  #asked = false;

  override onCandle(): void {
    if (this.#asked) return;
    this.#asked = true;
    this.enterShort({ notional: '100' }, { protection: { takeProfit: { price: '99' } } });
  }
}

/** The maker's fee is a tenth of the taker's, for which the buy-back is made larger. */
const runShort = (paidIn: 'received' | 'quote') =>
  runHours({
    strategy: Short,
    series: [[aMarginPair('ETH', 'USDT'), { 0: 100, 1: 100, 2: [100, 100, 98, 98], 3: 98 }]],
    simulation: {
      fees: { maker: parseFixed('0.001'), taker: parseFixed('0.01'), paidIn },
    },
  });

describe('a short on margin whose buy-back brought more than its debt', () => {
  it('leaves base that no position holds, and the result says so', async () => {
    const { finalBalances, warnings } = await runShort('received');

    const left = formatFixed(finalBalances.margin?.get('ETH') ?? 0n);
    // The debt of 1, and its interest, divided by 0.99 and rounded up to the step; a thousandth of that is the fee of the maker.
    expect(Number(left)).toBeCloseTo(0.0091, 4);
    expect(warnings).toContain(
      `margin: ${left} ETH is owned beyond all positions, because buy-backs of shorts brought more than their debt; no exit sells it`,
    );
  });

  it('leaves none where fees are paid in quote', async () => {
    const { warnings } = await runShort('quote');

    expect(warnings.join()).not.toContain('beyond all positions');
  });

  it('is not confused with base that the account had from the start', async () => {
    class Idle extends CandleStrategy({}) {
      override onCandle(): void {
        // Holds what it began with.
      }
    }

    const { warnings } = await runHours({
      strategy: Idle,
      series: [[aMarginPair('ETH', 'USDT'), { 0: 100, 1: 100, 2: 100 }]],
      simulation: {
        balances: {
          margin: new Map([
            ['USDT', parseFixed('1000')],
            ['ETH', parseFixed('2')],
          ]),
        },
      },
    });

    expect(warnings.join()).not.toContain('beyond all positions');
  });
});
