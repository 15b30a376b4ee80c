import {
  enterLong,
  exit,
  int,
  number,
  roc,
  Strategy,
  type InstrumentId,
  type Market,
  type OrderIntent,
} from 'evenkeel';
import { filter, map, merge, mergeMap, throttleTime, withLatestFrom, type Observable } from 'rxjs';

const HOUR_MS = 3_600_000;

/** Holds whichever instrument rose most, or cash when none rose enough. */
export class Rotation extends Strategy(
  {
    momentumCandles: int(2, 2_000, 168, { description: 'candles over which rises are compared' }),
    holdHours: int(1, 2_000, 72, { description: 'hours between two decisions' }),
    leastRise: number(-100, 100, 0, { description: 'percent that the strongest must have risen' }),
  },
  { instruments: 3 },
) {
  readonly candidates = this.instruments.map(({ instrumentId }) => ({
    instrumentId,
    momentum: this.indicator(roc(this.parameters.momentumCandles), { instrument: instrumentId }),
  }));

  override intents(market: Market): Observable<OrderIntent> {
    const target$ = market.slices$.pipe(
      filter(() => this.candidates.every(({ momentum }) => momentum.isReady)),
      throttleTime(this.parameters.holdHours * HOUR_MS),
      map(() => this.strongest()),
    );
    // A sale has to be filled before its money can buy, so each fill asks for the next step as well.
    return merge(market.slices$, this.fills$).pipe(
      withLatestFrom(target$),
      mergeMap(([, target]) => this.stepsToward(target)),
    );
  }

  strongest(): InstrumentId | undefined {
    const [best] = this.candidates
      .filter(({ momentum }) => momentum.value > this.parameters.leastRise)
      .toSorted((a, b) => b.momentum.value - a.momentum.value);
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
