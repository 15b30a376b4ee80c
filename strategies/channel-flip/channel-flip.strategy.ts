import {
  atr,
  CandleStrategy,
  decimalFromNumber,
  donchian,
  int,
  number,
  type Candle,
  type Protection,
} from 'evenkeel';

/** Long above the Donchian channel, short below it, with a trailing stop. */
export class ChannelFlip extends CandleStrategy({
  channelCandles: int(5, 500, 24, { description: 'candles of the channel' }),
  rangeCandles: int(2, 200, 14, { description: 'candles of the average true range' }),
  stopRanges: number(0, 20, 3, {
    description: 'average true ranges from best price to stop; 0: no stop',
  }),
  exposure: number(0.01, 5, 1, { description: 'value of a position as a multiple of equity' }),
}) {
  readonly channel = this.indicator(donchian(this.parameters.channelCandles));
  readonly range = this.indicator(atr(this.parameters.rangeCandles));

  override onCandle({ close }: Candle): void {
    const size = { equity: decimalFromNumber(this.parameters.exposure) };
    // The channel includes this candle already; `previous` is the channel before it.
    if (close > this.channel.upper.previous) {
      this.exit({ direction: 'short' });
      this.enterLong(size, this.guard());
    } else if (close < this.channel.lower.previous) {
      this.exit({ direction: 'long' });
      this.enterShort(size, this.guard());
    }
  }

  guard(): { readonly protection?: Protection } {
    const { stopRanges } = this.parameters;
    if (stopRanges === 0) return {};
    const distance = decimalFromNumber(stopRanges * this.range.value);
    return { protection: { trailingStop: { distance } } };
  }
}
