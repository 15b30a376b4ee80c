import { CandleStrategy, crossedAbove, crossedBelow, decimalFromNumber } from 'evenkeel';
import { ema, int, number } from 'evenkeel';

/** Follows a trend with LIMIT orders: a bid chases the last price, and an ask that does not fill in time becomes a MARKET order. */
export class Chase extends CandleStrategy({
  fast: int(2, 500, 24, { description: 'candles of the fast average' }),
  slow: int(3, 2_000, 96, { description: 'candles of the slow average' }),
  bound: number(1, 500, 30, { description: 'basis points that a bid follows at most' }),
  stop: number(0.001, 0.5, 0.05, { description: 'from the entry, as a ratio' }),
}) {
  readonly fast = this.indicator(ema(this.parameters.fast));
  readonly slow = this.indicator(ema(this.parameters.slow));

  override onCandle(): void {
    const { bound, stop } = this.parameters;
    const stopLoss = { ratio: decimalFromNumber(stop) };
    if (crossedAbove(this.fast, this.slow)) {
      const work = { chase: { every: '10s', maxBps: decimalFromNumber(bound) } };
      const terms = { work, expireAfter: '30min', protection: { stopLoss }, label: 'trend up' };
      this.enterLong({ equity: '0.9' }, terms);
    } else if (crossedBelow(this.fast, this.slow)) {
      const work = { limitFor: '5min', then: 'market' } as const;
      this.exit({ work, cancelEntries: true, label: 'trend down' });
    }
  }
}
