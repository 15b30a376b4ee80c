import {
  atr,
  decimalFromNumber,
  donchian,
  enterLong,
  exit,
  Indicator,
  int,
  number,
  protect,
  Strategy,
  type Candle,
  type EpochMs,
  type Fill,
  type Market,
  type OrderIntent,
  type Protection,
} from 'evenkeel';
import { filter, map, merge, Observable } from 'rxjs';

const HOUR_MS = 3_600_000;

/** Candles since the last close above the channel of the candles before it, up to a limit. It depends only on candles, so it is right after any restart. */
class CandlesSinceBreakout extends Indicator {
  readonly lookback: number;
  override readonly convergence: number;
  readonly #channel: ReturnType<typeof donchian>;
  #count: number;

  constructor(channelCandles: number, limit: number) {
    super();
    this.#channel = donchian(channelCandles);
    this.lookback = channelCandles;
    this.convergence = limit;
    this.#count = limit;
  }

  protected override next(candle: Candle): number {
    this.#channel.update(candle);
    const top = this.#channel.upper.previous;
    this.#count = candle.close > top ? 0 : Math.min(this.#count + 1, this.convergence);
    return Number.isNaN(top) ? Number.NaN : this.#count;
  }
}

/** Buys a close above the Donchian channel, with a trailing stop. Exits a position that makes no new highs. */
export class BreakoutTrail extends Strategy(
  {
    channelCandles: int(5, 500, 48, { description: 'candles of the channel' }),
    rangeCandles: int(2, 200, 24, { description: 'candles of the average true range' }),
    stopRanges: number(0.5, 20, 6, { description: 'average true ranges from best price to stop' }),
    cooldownHours: int(1, 720, 12, { description: 'hours after a trade before the next entry' }),
    patienceCandles: int(1, 720, 48, { description: 'candles without a new high before leaving' }),
    equityFraction: number(0.01, 1, 0.95, { description: 'part of equity per entry' }),
  },
  { state: { tradedAt: 0 } },
) {
  readonly range = this.indicator(atr(this.parameters.rangeCandles));
  readonly sinceBreakout = this.indicator(
    new CandlesSinceBreakout(this.parameters.channelCandles, this.parameters.patienceCandles),
  );

  override intents(market: Market): Observable<OrderIntent> {
    const { cooldownHours, patienceCandles, equityFraction } = this.parameters;
    const size = { equity: decimalFromNumber(equityFraction) };
    const candles$ = market.candles$();
    const days$ = new Observable<EpochMs>((day) =>
      this.every('@daily 00:01', () => {
        day.next(this.now);
      }),
    );

    const entries$ = candles$.pipe(
      filter(() => this.sinceBreakout.value === 0),
      filter(({ closeTime }) => closeTime - this.state.tradedAt >= cooldownHours * HOUR_MS),
      map(() => enterLong(size, { protection: this.trailing() })),
    );
    const readjustments$ = days$.pipe(
      filter(() => this.position.quantity.gt(0)),
      map(() => protect(this.trailing())),
    );
    const lapses$ = candles$.pipe(
      filter(() => this.sinceBreakout.value >= patienceCandles && this.position.quantity.gt(0)),
      map(() => exit({ label: 'no new high' })),
    );
    return merge(entries$, readjustments$, lapses$);
  }

  override onFill({ eventTime }: Fill): void {
    this.state.tradedAt = eventTime;
  }

  trailing(): Protection {
    const distance = decimalFromNumber(this.parameters.stopRanges * this.range.value);
    return { trailingStop: { distance } };
  }
}
