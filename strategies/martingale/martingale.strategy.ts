import { CandleStrategy, decimalFromNumber, int, number, sma } from 'evenkeel';
import type { Candle, Fill } from 'evenkeel';

/** Bets on a rising market, and doubles the stake after each loss. */
export class Martingale extends CandleStrategy(
  {
    stake: int(5, 10_000, 100, { description: 'quote of the first bet' }),
    doublings: int(0, 12, 4, { description: 'losses in a row after which it begins anew' }),
    move: number(0.001, 0.5, 0.02, { description: 'stop and target from the entry, as a ratio' }),
    period: int(2, 200, 24, { description: 'candles of the average to be above' }),
  },
  { state: { losses: 0, entryPrice: null as string | null } },
) {
  readonly average = this.indicator(sma(this.parameters.period));

  override onCandle(candle: Candle): void {
    const { stake, move } = this.parameters;
    if (candle.close <= this.average.value || !this.position.quantity.isZero()) return;
    const ratio = decimalFromNumber(move);
    this.enterLong(
      { notional: decimalFromNumber(stake).times(2 ** this.state.losses) },
      { protection: { stopLoss: { ratio }, takeProfit: { ratio } } },
    );
  }

  override onFill({ action, price }: Fill): void {
    const { entryPrice, losses } = this.state;
    if (action === 'open') this.state.entryPrice = this.position.entryPrice?.toFixed() ?? null;
    else if (entryPrice !== null && this.position.quantity.isZero()) {
      const isLost = price.lt(entryPrice);
      this.state.losses = isLost ? (losses + 1) % (this.parameters.doublings + 1) : 0;
      this.state.entryPrice = null;
    }
  }
}
