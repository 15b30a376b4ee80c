import { CandleStrategy, decimalFromNumber, ema, int, number, type Candle } from 'evenkeel';

/** Holds coins as the margin of an inverse contract. While the price is below its average, it is short by a part of the coins' value. */
export class CoinHedge extends CandleStrategy({
  averageCandles: int(2, 1_000, 72, { description: 'candles of the exponential average' }),
  marginRatio: number(0, 0.2, 0.005, {
    description: 'how far from the average before it acts, as a ratio',
  }),
  hedged: number(0.1, 1, 0.9, { description: 'part of the worth of the coins that is hedged' }),
  patience: number(0.0001, 0.05, 0.01, {
    description: 'how far below the close the sale may fill, as a ratio',
  }),
}) {
  readonly average = this.indicator(ema(this.parameters.averageCandles));

  override onCandle({ close }: Candle): void {
    const { marginRatio, hedged, patience } = this.parameters;
    if (close < this.average.value * (1 - marginRatio)) {
      // An inverse contract cannot be opened by a MARKET order: an IOC order with a low limit price replaces it.
      this.enterShort(
        { equity: decimalFromNumber(hedged) },
        { limitPrice: decimalFromNumber(close * (1 - patience)), timeInForce: 'IOC' },
      );
    } else if (close > this.average.value * (1 + marginRatio)) {
      this.exit();
    }
  }
}
