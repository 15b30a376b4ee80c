import {
  atr,
  decimalFromNumber,
  donchian,
  enterLong,
  exit,
  int,
  number,
  protect,
  Strategy,
  type Market,
  type OrderIntent,
  type Protection,
} from 'evenkeel';
import { auditTime, debounceTime, filter, map, merge, throttleTime, type Observable } from 'rxjs';

const HOUR_MS = 3_600_000;

/** Buys closes above the Donchian channel and trails a stop behind them; leaves what stops making new highs. */
export class BreakoutTrail extends Strategy({
  channelCandles: int(5, 500, 48, { description: 'candles of the channel' }),
  rangeCandles: int(2, 200, 24, { description: 'candles of the average true range' }),
  stopRanges: number(0.5, 20, 6, { description: 'average true ranges from best price to stop' }),
  cooldownHours: int(1, 720, 12, { description: 'hours between two entries' }),
  patienceHours: int(1, 720, 48, { description: 'hours without a new high before leaving' }),
  equityFraction: number(0.01, 1, 0.95, { description: 'part of equity per entry' }),
}) {
  readonly channel = this.indicator(donchian(this.parameters.channelCandles));
  readonly range = this.indicator(atr(this.parameters.rangeCandles));

  override intents(market: Market): Observable<OrderIntent> {
    const { cooldownHours, patienceHours, equityFraction } = this.parameters;
    const size = { equity: decimalFromNumber(equityFraction) };
    const candles$ = market.candles$();
    // The channel holds this candle already; `previous` is the channel that it could break out of.
    const breakouts$ = candles$.pipe(filter(({ close }) => close > this.channel.upper.previous));

    const entries$ = breakouts$.pipe(
      throttleTime(cooldownHours * HOUR_MS),
      map(() => enterLong(size, { protection: this.trailing() })),
    );
    const readjustments$ = candles$.pipe(
      auditTime(24 * HOUR_MS),
      filter(() => this.position.quantity.gt(0)),
      map(() => protect(this.trailing())),
    );
    const lapses$ = breakouts$.pipe(
      debounceTime(patienceHours * HOUR_MS),
      map(() => exit({ label: 'no new high' })),
    );
    return merge(entries$, readjustments$, lapses$);
  }

  trailing(): Protection {
    const distance = decimalFromNumber(this.parameters.stopRanges * this.range.value);
    return { trailingStop: { distance } };
  }
}
