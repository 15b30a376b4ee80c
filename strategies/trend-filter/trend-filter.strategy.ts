import { CandleStrategy, crossedAbove, crossedBelow, ema, int, sma, type Candle } from 'evenkeel';

/** Trades crossings of two averages of the first interval, but only while the second interval trends upward. */
export class TrendFilter extends CandleStrategy(
  {
    fast: int(2, 1_000, 120, { description: 'candles of the fast average' }),
    slow: int(3, 5_000, 480, { description: 'candles of the slow average' }),
    trend: int(2, 500, 24, { description: 'candles of the average on the second interval' }),
  },
  { intervals: 2 },
) {
  readonly trendInterval = this.instruments[0]?.intervals[1];
  readonly fast = this.indicator(ema(this.parameters.fast));
  readonly slow = this.indicator(ema(this.parameters.slow));
  readonly trend = this.indicator(sma(this.parameters.trend), { interval: this.trendInterval });

  override onCandle({ interval, close }: Candle): void {
    const isUp = close > this.trend.value;
    // If both intervals close at one time, the longer one comes first: the averages of the shorter one are a candle behind here.
    if (interval === this.trendInterval) {
      if (!isUp) this.exit({ label: 'trend turned' });
    } else if (crossedBelow(this.fast, this.slow)) {
      this.exit({ label: 'signal turned' });
    } else if (isUp && crossedAbove(this.fast, this.slow)) {
      this.enterLong({ equity: '0.95' });
    }
  }
}
