import {
  closeTimeOf,
  nominalIntervalMs,
  type Candle,
  type EpochMs,
  type InstrumentId,
  type Interval,
} from '../../domain/index.js';
import {
  followersAmong,
  updatesOf,
  type AnyIndicator,
  type CloseRows,
  type DeliveredRow,
  type Follower,
  type Updated,
} from '../../strategy/index.js';
import type { FollowUp } from '../intents/follow-up.js';
import type { InstrumentAccount } from '../portfolio/instrument-account.js';
import { Channel } from './channel.js';

const NONE: readonly Follower['feed'][] = [];
/** How many values indicators have before the first candle of a run, as on any later candle: the newest, and the one before it, which crossings read. */
const VALUES_BEFORE = 2;

/** One configured candle stream, with its indicators and subscribers. */
export class CandleStream {
  readonly instrumentId: InstrumentId;
  readonly interval: Interval;
  readonly indicators: AnyIndicator[] = [];
  /** Indicators that were attached more than once, here or to another stream. */
  sharedIndicators: ReadonlySet<AnyIndicator> = new Set();
  /** Indicators that receive the candle of a passed row; the others follow the row. */
  fed: readonly Updated[] = this.indicators;
  /** Whether some indicators follow rows, and which row was delivered last. */
  #isFollowed = false;
  readonly #delivered: DeliveredRow = { row: -1, isLeft: false };
  /** The row after the last one that has begun. */
  #begunEnd = 0;
  /** Feeds of the indicators that may follow rows; how the other indicators are updated, and how all are. */
  #followers: readonly Follower['feed'][] = NONE;
  #others: readonly Updated[] = this.indicators;
  #all: readonly Updated[] = this.indicators;
  readonly channel: Channel<Candle>;
  /** Candles still to come before the stream is warm. */
  warmupLeft = 0;
  /** How many of these need not come if the start comes first. */
  warmupSpare = 0;
  /** The start, which ends the warm-up; undefined if only the number of candles ends it. */
  #start: EpochMs | undefined;

  constructor({ instrumentId, interval }: StreamId, followUp: FollowUp) {
    this.instrumentId = instrumentId;
    this.interval = interval;
    this.channel = new Channel(followUp);
  }

  /**
   * Begins a warm-up of the longest lookback of the indicators, at least `minimum` candles. With `start`, it lasts until the indicators have forgotten
   * where they began and have two values. Candles beyond the longest lookback are not needed if no further candle closes by the start. An indicator that
   * never forgets takes all candles up to the start.
   */
  beginWarmup({ minimum, start, nameOf = nameByClass }: WarmupTerms): StreamWarmup {
    const { instrumentId, interval, indicators } = this;
    let least = minimum;
    let wanted = minimum;
    let neverForgets = false;
    const recursive: RecursiveIndicator[] = [];
    for (const indicator of indicators) {
      const { lookback, convergence = 0 } = indicator;
      least = Math.max(least, lookback);
      if (Number.isFinite(convergence))
        wanted = Math.max(wanted, lookback + convergence + VALUES_BEFORE);
      else neverForgets = true;
      if (convergence > 0)
        recursive.push({
          name: nameOf(indicator) ?? nameByClass(indicator),
          lookback,
          convergence,
        });
    }
    const candles = start === undefined ? least : Math.max(least, wanted);
    this.#start = start;
    this.warmupLeft = neverForgets && start !== undefined ? Number.MAX_SAFE_INTEGER : candles;
    this.warmupSpare = this.warmupLeft - least;
    return { instrumentId, interval, candles, least, recursive, neverForgets };
  }

  /** Whether a waiting stream needs no more candles after this one: enough have come for values, and the next would close after the start. */
  isWarmWith({ closeTime }: Candle): boolean {
    const start = this.#start;
    if (start === undefined || this.warmupLeft > this.warmupSpare) return false;
    return closeTimeOf(closeTime, this.interval) > start;
  }

  /** Least number of candles until the stream is warm; Infinity if it is warm. */
  get candlesUntilWarm(): number {
    if (this.warmupLeft === 0) return Number.POSITIVE_INFINITY;
    return this.warmupSpare > 0 ? Math.max(1, this.warmupLeft - this.warmupSpare) : this.warmupLeft;
  }

  /** Finds the indicators that can look up their values by row: only those that receive each candle once. */
  findFollowers(): void {
    const followers = followersAmong(
      this.indicators.filter((one) => !this.sharedIndicators.has(one)),
    );
    const following = new Set(followers.map(({ indicator }) => indicator));
    // Filled one by one: once `map` and `filter` are compiled, V8 gives their lists another kind. Every function that reads such a list with each batch
    // would then be compiled again for both kinds, and be slower.
    const feeds: Follower['feed'][] = [];
    for (const { feed } of followers) feeds.push(feed);
    const others: Updated[] = [];
    const all: Updated[] = [];
    for (const indicator of this.indicators) {
      const updated = updatesOf(indicator);
      all.push(updated);
      if (!following.has(indicator)) others.push(updated);
    }
    this.#followers = feeds;
    this.#others = others;
    this.#all = all;
    this.#begunEnd = 0;
  }

  /** Begins `count` rows, to be passed one after the other. */
  beginRows(rows: CloseRows, count: number): void {
    const { first } = rows;
    const { row, isLeft } = this.#delivered;
    // The rest of a batch that ended early: its rows have begun already.
    if (this.#isFollowed && !isLeft && first === row + 1 && first + count <= this.#begunEnd) return;
    this.#begunEnd = first + count;
    let isKnown = this.#followers.length > 0;
    for (const feed of this.#followers)
      isKnown = isKnown && feed.begin(rows, count, this.#delivered);
    this.#isFollowed = isKnown;
    this.#delivered.isLeft = false;
    this.fed = isKnown ? this.#others : this.#all;
  }

  /**
   * Whether the rows that have begun need nothing but that indicators {@link follow} them. Stays so up to the last row, unless somebody subscribes
   * or the engine fails.
   */
  get isOnlyFollowed(): boolean {
    return this.fed.length === 0 && this.warmupLeft === 0 && !this.channel.isObserved;
  }

  /** Updates all indicators to a row that has begun. */
  feed(row: number, candle: Candle): void {
    const { fed } = this;
    if (this.#isFollowed) this.follow(row, candle);
    for (let index = 0; index < fed.length; index += 1) (fed[index] as Updated).update(candle);
  }

  /** Updates the indicators that follow rows. */
  follow(row: number, candle: Candle): void {
    const delivered = this.#delivered;
    delivered.row = row;
    if (delivered.isLeft) this.#giveThose(candle);
  }

  #giveThose(candle: Candle): void {
    for (const feed of this.#followers) feed.takeUnlessShown(candle);
  }
}

/** How many candles a stream delivers before intents count. */
export interface StreamWarmup extends StreamId {
  readonly candles: number;
  /** How many are enough if no more come before the start: the longest lookback, or the minimum. */
  readonly least: number;
  /** Its recursive indicators, with the candles that they need. */
  readonly recursive: readonly RecursiveIndicator[];
  /** Whether an indicator sums all candles from the first on: it is right only if all earlier candles are delivered again. */
  readonly neverForgets: boolean;
}

/** An indicator that computes its values from its own earlier values. */
interface RecursiveIndicator extends Pick<Required<AnyIndicator>, 'lookback' | 'convergence'> {
  /** For display. */
  readonly name: string;
}

/** How the warm-up of all streams is begun. */
export interface WarmupTerms {
  /** Least number of candles that each stream delivers. */
  readonly minimum: number;
  /** The start, which ends a warm-up. @defaultValue a warm-up ends with the longest lookback */
  readonly start?: EpochMs | undefined;
  /** The name of an indicator in texts; undefined if it has no name of its own. @defaultValue none has */
  readonly nameOf?: ((indicator: AnyIndicator) => string | undefined) | undefined;
}

/** The name of an indicator that no field of the strategy holds. */
function nameByClass({ constructor, lookback }: AnyIndicator): string {
  return `${constructor.name} with a lookback of ${String(lookback)}`;
}

/** Names a candle stream. */
export interface StreamId {
  readonly instrumentId: InstrumentId;
  readonly interval: Interval;
}

/** A stream with the account of its instrument, so that its candles are delivered without a look-up. */
export interface StreamRoute {
  readonly stream: CandleStream;
  readonly account: InstrumentAccount;
}

/** Order of the candles of one slice: longest interval first, then the order of the config (DESIGN R1). */
export function compareStreams(
  a: { readonly interval: Interval; readonly configIndex: number },
  b: { readonly interval: Interval; readonly configIndex: number },
): number {
  return (
    nominalIntervalMs(b.interval) - nominalIntervalMs(a.interval) || a.configIndex - b.configIndex
  );
}
