import { CandleStrategy, crossedAbove, crossedBelow, decimalFromNumber } from 'evenkeel';
import { ema, int, isFinalStatus, number, type Order } from 'evenkeel';

/** Enters when the fast average comes above the slow one, and exits in three parts at three prices, with a stop for the rest. */
export class ScaleOut extends CandleStrategy({
  fast: int(2, 500, 12, { description: 'candles of the fast average' }),
  slow: int(3, 2_000, 48, { description: 'candles of the slow average' }),
  stop: number(0.001, 0.5, 0.03, { description: 'from the entry, as a ratio' }),
  target: number(0.001, 0.5, 0.02, { description: 'from the entry to the first part, as a ratio' }),
}) {
  readonly fast = this.indicator(ema(this.parameters.fast));
  readonly slow = this.indicator(ema(this.parameters.slow));

  override onCandle(): void {
    const stopLoss = { ratio: decimalFromNumber(this.parameters.stop) };
    if (crossedAbove(this.fast, this.slow))
      this.enterLong({ equity: '0.9' }, { protection: { stopLoss } });
    else if (crossedBelow(this.fast, this.slow)) this.exit({ label: 'trend turned' });
  }

  override onOrder({ action, status, averagePrice }: Order): void {
    if (action !== 'open' || !isFinalStatus(status) || averagePrice === undefined) return;
    for (const part of [1, 2, 3]) {
      const limitPrice = averagePrice.times(decimalFromNumber(1 + part * this.parameters.target));
      // A little more than a third: the last part is cut to the quantity that the others leave.
      this.exit({ share: '0.34', limitPrice, label: `part ${String(part)}` });
    }
  }
}
