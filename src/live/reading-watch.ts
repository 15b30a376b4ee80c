import { distinctUntilChanged, filter, map, Subscription, type Observable } from 'rxjs';
import {
  DEPTH_LEVELS,
  fixedToNumber,
  type DepthReading,
  type EpochMs,
  type Fixed,
  type IndexReading,
  type MarketReading,
  type ReadingStream,
  type TickerReading,
  type TradesReading,
} from '../domain/index.js';
import type { MarketFeed, StreamStatus } from '../feed/index.js';
import type {
  DepthLevel,
  DepthSnapshot,
  ContractIndex,
  PublicTrade,
  Ticker,
} from '../venue/index.js';

/** A reading that nobody has been told of: its time is when the engine learns of it. */
type Untold<R> = R extends MarketReading ? Omit<R, 'time'> : never;

export interface ReadingWatchOptions {
  readonly feed: Pick<MarketFeed, 'ticker' | 'depth' | 'trades' | 'mark'>;
  /** The venue's time. */
  readonly now: () => EpochMs;
  /** What the strategy listens to now. */
  readonly wanted: () => readonly ReadingStream[];
  readonly onReading: (make: (time: EpochMs) => MarketReading) => void;
  /** How a stream is; undefined once nobody listens to it. */
  readonly onStatus: (stream: ReadingStream, status: StreamStatus | undefined) => void;
  /** A stream has ended for good. */
  readonly onFailure: (error: unknown) => void;
}

/** Polls what the strategy listens to beside candles, as long as it does, and tells what has changed. */
export class ReadingWatch {
  readonly #options: ReadingWatchOptions;
  readonly #watched = new Map<string, Subscription>();

  constructor(options: ReadingWatchOptions) {
    this.#options = options;
  }

  /** Begins and ends polls so that what is wanted is polled; to be called after each event. */
  follow(): void {
    const wanted = this.#options.wanted();
    if (wanted.length === 0 && this.#watched.size === 0) return;
    const names = new Set(wanted.map(nameOf));
    for (const [name, subscription] of this.#watched) {
      if (names.has(name)) continue;
      this.#watched.delete(name);
      subscription.unsubscribe();
    }
    for (const stream of wanted)
      if (!this.#watched.has(nameOf(stream)))
        this.#watched.set(nameOf(stream), this.#watch(stream));
  }

  stop(): void {
    for (const subscription of this.#watched.values()) subscription.unsubscribe();
    this.#watched.clear();
  }

  #watch(stream: ReadingStream): Subscription {
    const { onReading, onStatus, onFailure } = this.#options;
    const { untold$, status$ } = this.#read(stream);
    const watching = new Subscription();
    // Left first: that a poll has ended says nothing about how its stream is.
    watching.add(
      status$.subscribe({
        next: (status) => {
          onStatus(stream, status);
        },
        error: onFailure,
      }),
    );
    watching.add(
      untold$.subscribe({
        next: (untold) => {
          onReading((time) => ({ ...untold, time }));
        },
        error: onFailure,
      }),
    );
    watching.add(() => {
      onStatus(stream, undefined);
    });
    return watching;
  }

  #read({ kind, instrumentId }: ReadingStream): {
    readonly untold$: Observable<Untold<MarketReading>>;
    readonly status$: Observable<StreamStatus>;
  } {
    const { feed, now } = this.#options;
    switch (kind) {
      case 'ticker': {
        const { values$, status$ } = feed.ticker(instrumentId);
        return { untold$: changesOf(values$.pipe(map(tickerOf))), status$ };
      }
      case 'depth': {
        const { values$, status$ } = feed.depth(instrumentId);
        return { untold$: changesOf(values$.pipe(map(depthOf))), status$ };
      }
      case 'index': {
        const { values$, status$ } = feed.mark(instrumentId);
        return { untold$: changesOf(values$.pipe(map(indexOf))), status$ };
      }
      case 'trades': {
        const since = now();
        const { values$, status$ } = feed.trades(instrumentId);
        const untold$ = values$.pipe(
          // What was traded before anybody listened is no news.
          map((trades) => trades.filter(({ time }) => time >= since)),
          filter((trades) => trades.length > 0),
          map((trades) => tradesOf({ instrumentId, trades })),
        );
        return { untold$, status$ };
      }
    }
  }
}

function nameOf({ kind, instrumentId }: ReadingStream): string {
  return `${kind} ${instrumentId}`;
}

/** The same figures again are no news. */
function changesOf<T>(values$: Observable<T>): Observable<T> {
  return values$.pipe(distinctUntilChanged((a, b) => JSON.stringify(a) === JSON.stringify(b)));
}

function tickerOf({ instrumentId, ...figures }: Ticker): Untold<TickerReading> {
  const { last, high, low, volume, open, bestBid, bestAsk } = figures;
  return {
    kind: 'ticker',
    instrumentId,
    last: fixedToNumber(last),
    high: fixedToNumber(high),
    low: fixedToNumber(low),
    volume: fixedToNumber(volume),
    ...known({ open, bestBid, bestAsk }),
  };
}

function depthOf({ instrumentId, bids, asks }: DepthSnapshot): Untold<DepthReading> {
  return { kind: 'depth', instrumentId, bids: levelsOf(bids), asks: levelsOf(asks) };
}

function levelsOf(levels: readonly DepthLevel[]): DepthReading['bids'] {
  return levels.slice(0, DEPTH_LEVELS).map(({ price, quantity }) => ({
    price: fixedToNumber(price),
    quantity: fixedToNumber(quantity),
  }));
}

function tradesOf({
  instrumentId,
  trades,
}: Pick<TradesReading, 'instrumentId'> & {
  readonly trades: readonly PublicTrade[];
}): Untold<TradesReading> {
  return {
    kind: 'trades',
    instrumentId,
    trades: trades.map(({ time, price, quantity, takerSide }) => ({
      instrumentId,
      time,
      price: fixedToNumber(price),
      quantity: fixedToNumber(quantity),
      takerSide,
    })),
  };
}

export function indexOf({ instrumentId, ...prices }: ContractIndex): Untold<IndexReading> {
  const { markPrice, indexPrice, fundingRate, nextFundingRate } = prices;
  return {
    kind: 'index',
    instrumentId,
    markPrice: fixedToNumber(markPrice),
    indexPrice: fixedToNumber(indexPrice),
    ...known({ fundingRate, nextFundingRate }),
  };
}

/** Left out where they are not told: what is read back from a journal has no empty members either. */
function known<K extends string>(
  amounts: Readonly<Record<K, Fixed | undefined>>,
): Partial<Record<K, number>> {
  const told: Partial<Record<K, number>> = {};
  for (const name of Object.keys(amounts) as K[]) {
    const amount = amounts[name];
    if (amount !== undefined) told[name] = fixedToNumber(amount);
  }
  return told;
}
