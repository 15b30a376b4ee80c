import { CandleStrategy, int, sma, type Candle } from 'evenkeel';

/** Holds a position while the price is above its average. It enters and exits in slices over hours, so that no single price decides. */
export class Twap extends CandleStrategy({
  period: int(2, 2_000, 168, { description: 'candles of the average' }),
  stake: int(5, 100_000, 5_000, { description: 'quote of a whole position' }),
  hours: int(1, 48, 6, { description: 'over which it is entered or left' }),
  slices: int(2, 200, 12, { description: 'orders of which each makes an equal part' }),
}) {
  readonly average = this.indicator(sma(this.parameters.period));

  override onCandle({ close }: Candle): void {
    const { stake, hours, slices } = this.parameters;
    const work = { twap: { over: `${String(hours)}h`, slices } };
    // An entry or exit that is already being worked is not started again.
    if (close > this.average.value) this.enterLong({ notional: String(stake) }, { work });
    else this.exit({ work });
  }
}
