import { CandleStrategy, crossedAbove, crossedBelow, int, sma } from 'evenkeel';

export class SmaCrossover extends CandleStrategy({ fast: int(2, 200, 10), slow: int(3, 400, 30) }) {
  readonly fast = this.indicator(sma(this.parameters.fast));
  readonly slow = this.indicator(sma(this.parameters.slow));

  override onCandle(): void {
    this.plot('fast', this.fast.value);
    this.plot('slow', this.slow.value);
    if (crossedAbove(this.fast, this.slow)) this.enterLong({ equity: '0.95' });
    else if (crossedBelow(this.fast, this.slow)) this.exit();
  }
}
