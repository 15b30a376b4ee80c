import {
  DAY_MS,
  divideFixed,
  fixedFromNumber,
  maxFixed,
  MINUTE_MS,
  takerPrice,
  type EpochMs,
  type Fixed,
  type FundingRateKnown,
  type InstrumentId,
  type Interval,
  type ResolvedRules,
} from '../../domain/index.js';
import type {
  DepthSnapshot,
  ContractIndex,
  PolledCandle,
  PublicTrade,
  Ticker,
} from '../../venue/index.js';
import { FundingSchedule } from '../futures/funding-schedule.js';
import type { MarketSource } from '../market-source.js';
import type { SlippageModel } from '../models/slippage.js';
import { CandleLookup } from '../path/candle-lookup.js';
import {
  nearestOrder,
  publishedPrice,
  type PathCandle,
  type ExtremeOrder,
  type PathPrice,
} from '../path/candle-path.js';
import { KlineView, type KlineQuery } from './kline-view.js';
import { markAt } from './mark-view.js';
import { PublishedCandles } from './published-candles.js';
import { RowWindow } from './row-window.js';
import { makeDepth } from './synthetic-depth.js';

/** The most levels per side that the venue shows. Source: exchange interface, depth. */
const MAX_LEVELS = 100;

export interface MarketViewOptions {
  readonly source: MarketSource;
  /** Rules in force at a time. While undefined, nothing is shown. */
  readonly rulesAt: (time: EpochMs) => ResolvedRules | undefined;
  /** Half the spread as a ratio of the price. */
  readonly halfSpread: Fixed;
  readonly slippage: SlippageModel;
  /** Whole number that seeds all draws. */
  readonly seed: number;
  /** Which extreme a candle visits first. @defaultValue the one nearer the open */
  readonly order?: (shape: PathCandle, instrumentId: InstrumentId) => ExtremeOrder;
  /** Which funding rate is shown. @defaultValue current */
  readonly fundingRateKnown?: FundingRateKnown | undefined;
  /** How long after its instant a mark is shown, in ms. A delayed mark ignores candles that opened at that instant. @defaultValue 0 */
  readonly markDelayMs?: number;
  /**
   * Whether the candles that open at an instant have opened at the time of the query. If not, the candle before has just closed, and nothing of the
   * next one is known (DESIGN R1: updates of an instant come before the candles that open at it). @defaultValue always true
   */
  readonly hasOpened?: (time: EpochMs) => boolean;
}

/** An instrument at an instant: its rules and its candle. */
interface Moment {
  readonly rules: ResolvedRules;
  readonly row: number;
  readonly last: Fixed;
  /** The last price before it is rounded to the tick. */
  readonly path: PathPrice;
}

export interface DepthQuery {
  /** Per side. @defaultValue 100 */
  readonly levels?: number | undefined;
  /** Volume of the open candle that orders may still take. Undefined means no limit: the book then shows the volume per minute of the candle before. */
  readonly volumeLeft?: Fixed | undefined;
}

/**
 * The public market of one instrument: the answers of a venue at an instant, as a pure function of the stored candles, the seed and the instant.
 * Earlier queries do not change an answer. Caches only make queries at rising instants fast.
 *
 * All answers of one instant agree. The last price is the close of the open candle. It lies between best bid and best ask, and on the path that
 * orders fill on. Of the open candle, only the part up to the instant is known. Answers are undefined before the first candle.
 */
export class MarketView {
  readonly #options: MarketViewOptions;
  readonly #candles: PublishedCandles;
  readonly #marks: CandleLookup | undefined;
  readonly #funding: FundingSchedule | undefined;
  readonly #day: RowWindow;
  readonly #klines = new Map<Interval, KlineView>();

  constructor(options: MarketViewOptions) {
    this.#options = options;
    const { source, seed, order = nearestOrder } = options;
    const candles = new PublishedCandles({
      source,
      seed,
      order: (shape) => order(shape, source.instrument.id),
      gridAt: (time) => options.rulesAt(time) ?? { tick: 1n, step: 1n },
    });
    this.#candles = candles;
    this.#marks = source.mark && new CandleLookup(source.mark, source.pricePrecision);
    this.#funding = source.funding && new FundingSchedule(source.funding);
    const { high, low } = source.rows.whole();
    this.#day = new RowWindow({ high, low, volumeOf: (row) => candles.volumeOf(row) });
  }

  /** The last price on the tick. */
  lastAt(time: EpochMs): Fixed | undefined {
    return this.#momentAt(time)?.last;
  }

  /** The book, made by {@link makeDepth}. Empty while no candle is open, because nothing would fill. */
  depthAt(
    time: EpochMs,
    { levels = MAX_LEVELS, volumeLeft }: DepthQuery = {},
  ): DepthSnapshot | undefined {
    const moment = this.#momentAt(time);
    if (moment === undefined) return undefined;
    const { rules, row, path } = moment;
    const isOpen = this.#candles.isOpenAt(row, time);
    const book = makeDepth({
      path,
      rules,
      costOf: (quantity) => this.#costOf(quantity, row),
      volume: isOpen ? (volumeLeft ?? this.#unlimitedVolume(row, rules)) : 0n,
      levels: Math.min(levels, MAX_LEVELS),
    });
    return { instrumentId: this.#options.source.instrument.id, ...book, time };
  }

  /** Half spread and slippage of a taker in a candle, as a ratio of the price (DESIGN R4). */
  #costOf(quantity: Fixed, row: number): Fixed {
    const { halfSpread, slippage } = this.#options;
    return halfSpread + slippage.ratio(quantity, { volume: () => this.#candles.volumeOf(row) });
  }

  /**
   * Volume to show if nothing limits it. The open candle's volume is not known yet, so this is the volume per minute of the candle before, at least
   * one step.
   */
  #unlimitedVolume(row: number, { step }: ResolvedRules): Fixed {
    return maxFixed(row === 0 ? 0n : this.#minuteVolume(row - 1), step);
  }

  #minuteVolume(row: number): Fixed {
    const length = this.#candles.stored.closeTime(row) - this.#candles.stored.openTime(row);
    return this.#candles.volumeOf(row) / BigInt(length / MINUTE_MS);
  }

  /**
   * Figures of the last 24 hours: of the candles that opened within them, and of the open one so far. `open` is the open of the first. Without any
   * candle, all prices are the last price and the volume is 0. Best bid and ask are the prices that a taker of one step would get if there were
   * volume.
   */
  tickerAt(time: EpochMs): Ticker | undefined {
    const moment = this.#momentAt(time);
    if (moment === undefined) return undefined;
    const { row, last, rules, path } = moment;
    const { rows, instrument } = this.#candles.source;
    const isOpen = this.#candles.isOpenAt(row, time);
    const end = isOpen ? row : row + 1;
    const first = Math.min(rows.rowAt(time - DAY_MS) + 1, end);
    const day = this.#day.measure(first, end);
    const current = isOpen ? this.#candles.soFar(row, time) : undefined;
    const exact = (price: number | undefined): Fixed =>
      price === undefined || !Number.isFinite(price)
        ? last
        : fixedFromNumber(price, rules.pricePrecision);
    const open = exact(first <= row ? rows.open(first) : undefined);
    const cost = this.#costOf(rules.step, row);
    return {
      instrumentId: instrument.id,
      time,
      last,
      open,
      high: exact(Math.max(day.high, current?.high ?? -Infinity)),
      low: exact(Math.min(day.low, current?.low ?? Infinity)),
      volume: day.volume + (current?.volume ?? 0n),
      bestBid: takerPrice('sell', path, { cost, tick: rules.tick }),
      bestAsk: takerPrice('buy', path, { cost, tick: rules.tick }),
      change: divideFixed(last - open, open),
    };
  }

  /** The latest public trades, oldest first. The trades of a closed candle sum up to its volume. */
  tradesAt(time: EpochMs, limit: number): readonly PublicTrade[] | undefined {
    const moment = this.#momentAt(time);
    if (moment === undefined) return undefined;
    const instrumentId = this.#candles.source.instrument.id;
    const trades: PublicTrade[] = [];
    for (let { row } = moment; row >= 0 && trades.length < limit; row -= 1) {
      const prints = this.#candles.printsOf(row).listBy(time);
      for (let index = prints.length - 1; index >= 0 && trades.length < limit; index -= 1) {
        const print = prints[index];
        if (print !== undefined) trades.push({ instrumentId, ...print });
      }
    }
    return trades.reverse();
  }

  /**
   * Candles in rising time. The last may be open and then holds only what has happened so far.
   *
   * @throws {DomainError} `E_RESAMPLE_INTERVAL` when the stored candles cannot make this interval.
   */
  klinesAt(
    interval: Interval,
    time: EpochMs,
    query: KlineQuery,
  ): readonly PolledCandle[] | undefined {
    let view = this.#klines.get(interval);
    if (view === undefined) {
      view = new KlineView(this.#candles, interval);
      this.#klines.set(interval, view);
    }
    return this.#momentAt(time) && view.at(time, query, this.#hasOpened(time));
  }

  /** Mark and index of a contract. The mark is {@link markAt}, or the last price if that is undefined. No index is stored, so the index is the mark. */
  markAt(time: EpochMs): ContractIndex | undefined {
    const moment = this.#momentAt(time);
    if (moment === undefined) return undefined;
    const { source, fundingRateKnown = 'current' } = this.#options;
    const markPrice = this.#storedMark(time) ?? moment.last;
    return {
      instrumentId: source.instrument.id,
      markPrice,
      indexPrice: markPrice,
      fundingRate: this.#funding?.shownAt(time, fundingRateKnown),
      nextFundingRate: undefined,
      time,
    };
  }

  #storedMark(time: EpochMs): Fixed | undefined {
    if (this.#marks === undefined) return undefined;
    const { markDelayMs = 0 } = this.#options;
    const shown = time - markDelayMs;
    const hasOpened = markDelayMs === 0 && this.#hasOpened(time);
    const row = this.#candles.rowSeenAt(shown, hasOpened);
    if (row < 0) return undefined;
    return markAt(this.#marks, shown, { lastPath: this.#candles.pathOf(row), hasOpened });
  }

  /** Close time of the candle that is open at `time`, or of the next candle if none is open. Infinity after the last. */
  nextClose(time: EpochMs): EpochMs {
    const { stored } = this.#candles;
    const row = stored.rowAt(time);
    if (row >= 0 && stored.closeTime(row) > time) return stored.closeTime(row);
    const isLast = row + 1 >= stored.rows.length;
    return isLast ? Number.POSITIVE_INFINITY : stored.closeTime(row + 1);
  }

  #momentAt(time: EpochMs): Moment | undefined {
    const rules = this.#options.rulesAt(time);
    const row = this.#candles.rowPricedAt(time, this.#hasOpened(time));
    if (rules === undefined || row < 0) return undefined;
    const path = this.#candles.priceAt(row, time);
    return { rules, row, last: publishedPrice(path, rules.tick), path };
  }

  #hasOpened(time: EpochMs): boolean {
    return this.#options.hasOpened?.(time) ?? true;
  }
}
