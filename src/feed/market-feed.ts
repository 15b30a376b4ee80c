import { filter, map, ReplaySubject, share, tap, type Observable } from 'rxjs';
import {
  splitInstrumentId,
  type EpochMs,
  type InstrumentId,
  type ProductKind,
  type VenueInterval,
} from '../domain/index.js';
import type {
  DepthSnapshot,
  Listings,
  MarketDataSource,
  ContractIndex,
  PublicTrade,
  Ticker,
} from '../venue/index.js';
import { CANDLE_PLAN, PolledCandles, type CandlePlan } from './polled-candles.js';
import type { CandleNotice } from './candle-tracker.js';
import type { FeedTime } from './feed-time.js';
import { delayToGrid, poll } from './poll.js';
import { AGAIN_MS, SharedReadings, type ReadOptions } from './shared-readings.js';
import { StreamMonitor, type StreamStatus } from './stream-monitor.js';
import { newTradesOf } from './trade-overlap.js';

/** Milliseconds between polls of each kind. */
interface MarketPlan {
  readonly tickerMs: number;
  /** Tickers of contracts, which share one scarce limit with all other futures calls. */
  readonly contractTickerMs: number;
  readonly depthMs: number;
  readonly tradesMs: number;
  readonly markMs: number;
  readonly candles: CandlePlan;
  /** Delay between the polls of two candle streams after one close. */
  readonly staggerMs: number;
}

export const MARKET_PLAN: MarketPlan = {
  tickerMs: 1_000,
  contractTickerMs: 2_000,
  depthMs: 2_000,
  tradesMs: 2_000,
  markMs: 2_000,
  candles: CANDLE_PLAN,
  staggerMs: 25,
};

/** A polled stream is stale after this many of its periods. */
const FRESH_PERIODS = 3;
/** Number of public trades to request, and to remember in order to recognize new ones. */
const TRADES = 1_000;
/** Fraction of a period between two phases: the golden ratio spreads any number of polls evenly. */
const PHASE_STEP = 0.618_033_988_749_895;

/** Milliseconds between polls of an instrument's ticker. @defaultValue the default plan */
export function tickerPeriodMs(
  instrumentId: InstrumentId,
  { tickerMs, contractTickerMs }: Pick<MarketPlan, 'tickerMs' | 'contractTickerMs'> = MARKET_PLAN,
): number {
  return splitInstrumentId(instrumentId).kind === 'futures' ? contractTickerMs : tickerMs;
}

/** A stream of values, and its state. */
export interface Watched<T> {
  /**
   * Hot; replays the latest value while it is fresh; never completes; errors when calls fail for good; scheduler: the time given.
   * The first subscriber starts the polling, the last one ends it.
   */
  readonly values$: Observable<T>;
  /** Hot; replays 1; never completes; never errors. */
  readonly status$: Observable<StreamStatus>;
}

interface MarketFeedOptions {
  readonly source: MarketDataSource;
  readonly time: FeedTime;
  readonly plan?: Partial<MarketPlan>;
}

/** Market data of one venue, polled once for all strategies and bots. The source keeps the limits: its calls wait for their turn. */
export class MarketFeed {
  readonly #source: MarketDataSource;
  readonly #time: FeedTime;
  readonly #plan: MarketPlan;
  readonly #watched = new Map<string, unknown>();
  readonly #marks: SharedReadings<InstrumentId, ContractIndex>;
  readonly #tickers: SharedReadings<InstrumentId, Ticker>;
  readonly #listings: SharedReadings<ProductKind, Listings>;
  #streams = 0;

  constructor({ source, time, plan }: MarketFeedOptions) {
    this.#source = source;
    this.#time = time;
    this.#plan = { ...MARKET_PLAN, ...plan };
    this.#marks = new SharedReadings(time, (id, signal) => source.markPrice(id, { signal }));
    this.#listings = new SharedReadings(time, (product, signal) =>
      source.listings(product, { signal }),
    );
    // These readings sample stops, so they do not wait for candles.
    this.#tickers = new SharedReadings(
      time,
      (id, signal, onTurn) =>
        source.ticker(id, { signal, priority: 'stops', isAskedAgain: true, onTurn }),
      { againAfterMs: AGAIN_MS },
    );
  }

  /** Closed candles, revisions and holes, after the candle that opened at `after`. */
  candles(
    instrumentId: InstrumentId,
    interval: VenueInterval,
    after?: EpochMs,
  ): Watched<CandleNotice> {
    const stream = this.#once(`candles ${instrumentId} ${interval}`, () => {
      const { candles: plan, staggerMs } = this.#plan;
      const stagger = this.#streams * staggerMs;
      this.#streams += 1;
      const { source, time } = { source: this.#source, time: this.#time };
      return new PolledCandles({ source, time, instrumentId, interval, staggerMs: stagger, plan });
    });
    return { values$: stream.watch(after), status$: stream.status$ };
  }

  ticker(instrumentId: InstrumentId): Watched<Ticker> {
    const periodMs = tickerPeriodMs(instrumentId, this.#plan);
    // If a stop is sampled, its reading serves here too: two readings in each period would exceed the limit of contracts.
    const read = (signal: AbortSignal): Promise<Ticker> => {
      const since = this.#time.now() - periodMs;
      return this.#tickers.has(instrumentId, since)
        ? this.#tickers.read(instrumentId, { since, signal })
        : this.#source.ticker(instrumentId, { signal });
    };
    return this.#once(`ticker ${instrumentId}`, () => this.#watch(periodMs, read));
  }

  depth(instrumentId: InstrumentId): Watched<DepthSnapshot> {
    return this.#once(`depth ${instrumentId}`, () =>
      this.#watch(this.#plan.depthMs, (signal) => this.#source.depth(instrumentId, { signal })),
    );
  }

  /** Mark price, index and funding rates. Futures only. */
  mark(instrumentId: InstrumentId): Watched<ContractIndex> {
    return this.#once(`mark ${instrumentId}`, () =>
      this.#watch(this.#plan.markMs, (signal) => this.#source.markPrice(instrumentId, { signal })),
    );
  }

  /** Reads one mark, from `since` or later. Readers of the same mark share the call. @throws errors of the source; the signal's reason. */
  readMark(instrumentId: InstrumentId, options: ReadOptions): Promise<ContractIndex> {
    return this.#marks.read(instrumentId, options);
  }

  /**
   * Reads the listings of a product, from `since` or later. Readers of the same listings share the call. @throws errors of the source; the signal's
   * reason.
   */
  readListings(product: ProductKind, options: ReadOptions): Promise<Listings> {
    return this.#listings.read(product, options);
  }

  /** Reads one ticker, from `since` or later. Readers of the same ticker share the call. @throws errors of the source; the signal's reason. */
  readTicker(instrumentId: InstrumentId, options: ReadOptions): Promise<Ticker> {
    return this.#tickers.read(instrumentId, options);
  }

  /** New public trades, each once. If two answers do not overlap, trades may be missing: the state is `gap` until they overlap again. */
  trades(instrumentId: InstrumentId): Watched<readonly PublicTrade[]> {
    return this.#once(`trades ${instrumentId}`, () => {
      let seen: readonly PublicTrade[] = [];
      const monitor = new StreamMonitor(this.#time);
      const recent = this.#watch(
        this.#plan.tradesMs,
        (signal) => this.#source.trades(instrumentId, { limit: TRADES, signal }),
        monitor,
      );
      const values$ = recent.values$.pipe(
        map((list) => {
          const { trades, hasGap } = newTradesOf(seen, list);
          monitor.gap(hasGap);
          seen = [...seen, ...trades].slice(-TRADES);
          return trades;
        }),
        filter((trades) => trades.length > 0),
        share(),
      );
      return { values$, status$: recent.status$ };
    });
  }

  #watch<T>(
    periodMs: number,
    call: (signal: AbortSignal) => Promise<T>,
    monitor = new StreamMonitor(this.#time),
  ): Watched<T> {
    const phaseMs = Math.floor(((this.#streams * PHASE_STEP) % 1) * periodMs);
    this.#streams += 1;
    const time = this.#time;
    const freshMs = FRESH_PERIODS * periodMs;
    const values$ = poll({
      time,
      call,
      delayAfter: () => delayToGrid(time.now(), periodMs, phaseMs),
      retryMs: periodMs,
    }).pipe(
      tap((outcome) => {
        if (outcome.kind === 'answer') monitor.fresh(outcome.at + freshMs);
        else monitor.failed(outcome.error, outcome.failures);
      }),
      tap({ finalize: () => monitor.stop() }),
      share({ connector: () => new ReplaySubject(1) }),
      filter((outcome) => outcome.kind === 'answer'),
      // Only a value replayed to a late subscriber can be old.
      filter(({ at }) => time.now() - at <= freshMs),
      map(({ value }) => value),
    );
    return { values$, status$: monitor.status$ };
  }

  #once<W>(key: string, make: () => W): W {
    const known = this.#watched.get(key) as W | undefined;
    if (known !== undefined) return known;
    const made = make();
    this.#watched.set(key, made);
    return made;
  }
}
