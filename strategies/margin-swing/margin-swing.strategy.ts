import {
  CandleStrategy,
  crossedAbove,
  crossedBelow,
  decimalFromNumber,
  int,
  number,
  rsi,
} from 'evenkeel';

/** Buys an oversold market with borrowed money, sells borrowed coins in an overbought market, and exits in the middle. */
export class MarginSwing extends CandleStrategy({
  period: int(2, 100, 14, { description: 'candles of the relative strength index' }),
  oversold: number(1, 49, 30, { description: 'index below which it buys' }),
  overbought: number(51, 99, 70, { description: 'index above which it sells short' }),
  exposure: number(0.1, 4, 1.5, { description: 'value of a position as a multiple of equity' }),
  stopLoss: number(0.001, 0.5, 0.04, { description: 'stop from the entry price, as a ratio' }),
}) {
  readonly strength = this.indicator(rsi(this.parameters.period));

  override onCandle(): void {
    const { oversold, overbought, exposure, stopLoss } = this.parameters;
    const size = { equity: decimalFromNumber(exposure) };
    const protection = { stopLoss: { ratio: decimalFromNumber(stopLoss) } };
    if (crossedBelow(this.strength, oversold)) this.enterLong(size, { protection });
    else if (crossedAbove(this.strength, overbought)) this.enterShort(size, { protection });
    else if (crossedAbove(this.strength, 50)) this.exit({ direction: 'long' });
    else if (crossedBelow(this.strength, 50)) this.exit({ direction: 'short' });
  }
}
