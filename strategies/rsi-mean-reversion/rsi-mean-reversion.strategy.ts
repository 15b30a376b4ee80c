import {
  CandleStrategy,
  crossedBelow,
  decimalFromNumber,
  int,
  number,
  rsi,
  type Candle,
} from 'evenkeel';

const HOUR_MS = 3_600_000;

/** Rests a buy below an oversold market, with a stop and a target for the position. */
export class RsiMeanReversion extends CandleStrategy({
  period: int(2, 100, 14, { description: 'candles of the relative strength index' }),
  oversold: number(1, 50, 30, { description: 'index below which a market is oversold' }),
  discount: number(0, 0.1, 0.004, { description: 'limit price below the close, as a ratio' }),
  stopLoss: number(0.001, 0.5, 0.03, { description: 'stop below the entry price, as a ratio' }),
  takeProfit: number(0.001, 1, 0.03, { description: 'target above the entry price, as a ratio' }),
  goodForHours: int(1, 168, 6, { description: 'hours that an entry may wait for its price' }),
  equityFraction: number(0.01, 1, 0.5, { description: 'part of equity per entry' }),
}) {
  readonly strength = this.indicator(rsi(this.parameters.period));

  override onCandle(candle: Candle): void {
    const { oversold, discount, stopLoss, takeProfit, goodForHours, equityFraction } =
      this.parameters;
    if (!crossedBelow(this.strength, oversold)) return;
    this.enterLong(
      { equity: decimalFromNumber(equityFraction) },
      {
        limitPrice: decimalFromNumber(candle.close * (1 - discount)),
        goodForMs: goodForHours * HOUR_MS,
        protection: {
          stopLoss: { ratio: decimalFromNumber(stopLoss) },
          takeProfit: { ratio: decimalFromNumber(takeProfit) },
        },
      },
    );
  }
}
