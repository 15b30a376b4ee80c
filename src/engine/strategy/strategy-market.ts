import type { Observable } from 'rxjs';
import type {
  Candle,
  DepthReading,
  IndexReading,
  Interval,
  MarkPrice,
  TickerReading,
  TradePrint,
} from '../../domain/index.js';
import type { Market } from '../../strategy/index.js';

/** The market as a strategy sees it: only the streams of a hub. The rest of the hub stays hidden, because it knows future candles. */
export class StrategyMarket implements Market {
  readonly #hub: Market;

  constructor(hub: Market) {
    this.#hub = hub;
  }

  get slices$(): Observable<readonly Candle[]> {
    return this.#hub.slices$;
  }

  candles$(instrument?: string, interval?: Interval): Observable<Candle> {
    return this.#hub.candles$(instrument, interval);
  }

  marks$(instrument?: string): Observable<MarkPrice> {
    return this.#hub.marks$(instrument);
  }

  ticker$(instrument?: string): Observable<TickerReading> {
    return this.#hub.ticker$(instrument);
  }

  depth$(instrument?: string): Observable<DepthReading> {
    return this.#hub.depth$(instrument);
  }

  trades$(instrument?: string): Observable<TradePrint> {
    return this.#hub.trades$(instrument);
  }

  index$(instrument?: string): Observable<IndexReading> {
    return this.#hub.index$(instrument);
  }
}
