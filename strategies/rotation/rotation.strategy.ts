import {
  enterLong,
  exit,
  int,
  number,
  roc,
  Strategy,
  type Candle,
  type InstrumentId,
  type Market,
  type OrderIntent,
} from 'evenkeel';
import { filter, map, merge, mergeMap, withLatestFrom, type Observable } from 'rxjs';

/** Holds the instrument that rose most, or cash if no instrument rose enough. */
export class Rotation extends Strategy(
  {
    momentumCandles: int(2, 2_000, 168, { description: 'candles over which rises are compared' }),
    holdCandles: int(1, 2_000, 72, { description: 'candles between two decisions' }),
    leastRise: number(-100, 100, 0, { description: 'percent that the strongest must have risen' }),
  },
  { instruments: 3 },
) {
  readonly candidates = this.instruments.map(({ instrumentId }) => ({
    instrumentId,
    momentum: this.indicator(roc(this.parameters.momentumCandles), {
      instrument: instrumentId,
      keep: this.parameters.holdCandles,
    }),
  }));

  override intents(market: Market): Observable<OrderIntent> {
    const target$ = market.slices$.pipe(
      filter(() => this.candidates.every(({ momentum }) => momentum.isReady)),
      map(([candle]) => candle && this.strongest(this.candlesSinceDecision(candle))),
    );
    // A sale has to fill before its money can buy, so each fill also triggers the next step.
    return merge(market.slices$, this.fills$).pipe(
      withLatestFrom(target$),
      mergeMap(([, target]) => this.stepsToward(target)),
    );
  }

  /** Decisions come every `holdCandles` candles since 1970, not since the start of the run: so a restart does not move them. */
  candlesSinceDecision({ openTime, closeTime }: Candle): number {
    return (closeTime / (closeTime - openTime)) % this.parameters.holdCandles;
  }

  /** The strongest instrument by the momentum `candlesAgo` candles ago. */
  strongest(candlesAgo: number): InstrumentId | undefined {
    const [best] = this.candidates
      .map(({ instrumentId, momentum }) => ({ instrumentId, rise: momentum.at(-candlesAgo) }))
      .filter(({ rise }) => rise > this.parameters.leastRise)
      .toSorted((a, b) => b.rise - a.rise);
    return best?.instrumentId;
  }

  stepsToward(target: InstrumentId | undefined): readonly OrderIntent[] {
    const held = this.candidates
      .map(({ instrumentId }) => instrumentId)
      .filter((instrument) => this.positionOf(instrument).quantity.gt(0));
    const sales = held
      .filter((instrument) => instrument !== target)
      .map((instrument) => exit({ instrument }));
    if (sales.length > 0 || target === undefined || held.includes(target)) return sales;
    return [enterLong({ equity: '0.95' }, { instrument: target })];
  }
}
