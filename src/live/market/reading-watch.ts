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
} from '../../domain/index.js';
import type { MarketFeed, StreamStatus } from '../../feed/index.js';
import type {
  DepthLevel,
  DepthSnapshot,
  ContractIndex,
  PublicTrade,
  Ticker,
} from '../../venue/index.js';

/** A reading that is not reported yet. Its time will be the time at which the engine gets it. */
type Untold<R> = R extends MarketReading ? Omit<R, 'time'> : never;

interface ReadingWatchOptions {
  readonly feed: Pick<MarketFeed, 'ticker' | 'depth' | 'trades' | 'mark'>;
  /** The venue's time. */
  readonly now: () => EpochMs;
  /** The streams that the strategy listens to now. */
  readonly wanted: () => readonly ReadingStream[];
  readonly onReading: (make: (time: EpochMs) => MarketReading) => void;
  /** Takes the state of a stream; undefined when no strategy listens any more. */
  readonly onStatus: (stream: ReadingStream, status: StreamStatus | undefined) => void;
  /** A stream has ended for good. */
  readonly onFailure: (error: unknown) => void;
}

/** Polls streams other than candles while the strategy listens to them, and reports changes. */
export class ReadingWatch {
  readonly #options: ReadingWatchOptions;
  readonly #watched = new Map<string, Subscription>();

  constructor(options: ReadingWatchOptions) {
    this.#options = options;
  }

  /** Begins and ends polls to match the wanted streams. To be called after each event. */
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
    // Added first, so removed first: the end of a poll says nothing about the state of its stream.
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
          // Trades before the strategy listened are not reported.
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

/** Drops unchanged values. */
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

/** Leaves out unknown amounts: a reading that comes back from a journal has no empty members either. */
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
