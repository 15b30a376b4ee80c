import type { Asset, EpochMs, Fixed, InstrumentId } from '../../domain/index.js';
import type { InstrumentMarket } from '../instrument-market.js';

/** Undecided candles of one instrument, oldest first: their opens and closes. */
interface UndecidedSpans {
  readonly opens: readonly EpochMs[];
  readonly closes: readonly EpochMs[];
}

/** Candles whose hidden path could have changed the result (DESIGN R16), open ones included. */
export interface UndecidedFigures {
  readonly count: number;
  /** Value of the orders, stops, positions and arrivals that made the candles undecided, by quote. */
  readonly money: ReadonlyMap<Asset, Fixed>;
  readonly spans: ReadonlyMap<InstrumentId, UndecidedSpans>;
}

/** Collects the undecided candles of a run. A candle is checked when it closes. An open candle is checked with each call of `figures`. */
export class UndecidedCandles {
  readonly #closed = new UndecidedList();

  /** Checks a candle that closes. */
  close(market: InstrumentMarket): void {
    if (market.isUndecided) this.#closed.add(market);
  }

  /** The undecided candles that have closed, and those of `markets` that are open. */
  figures(markets: Iterable<InstrumentMarket>): UndecidedFigures {
    const all = this.#closed.copy();
    for (const market of markets) if (market.isOpen && market.isUndecided) all.add(market);
    return all;
  }
}

/** Two plain lists instead of one of objects: in a long run with stops nearly every candle is undecided. */
interface OwnSpans {
  readonly opens: EpochMs[];
  readonly closes: EpochMs[];
}

class UndecidedList implements UndecidedFigures {
  count = 0;
  readonly money = new Map<Asset, Fixed>();
  readonly spans = new Map<InstrumentId, OwnSpans>();

  add(market: InstrumentMarket): void {
    const { id, quote } = market.source.instrument;
    this.count += 1;
    this.money.set(quote, (this.money.get(quote) ?? 0n) + market.moneyInDoubt());
    let spans = this.spans.get(id);
    if (spans === undefined) this.spans.set(id, (spans = { opens: [], closes: [] }));
    spans.opens.push(market.openTime);
    spans.closes.push(market.closeTime);
  }

  copy(): UndecidedList {
    const copied = new UndecidedList();
    copied.count = this.count;
    for (const [quote, money] of this.money) copied.money.set(quote, money);
    for (const [id, { opens, closes }] of this.spans)
      copied.spans.set(id, { opens: [...opens], closes: [...closes] });
    return copied;
  }
}
