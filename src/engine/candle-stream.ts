import {
  closeTimeOf,
  nominalIntervalMs,
  type Candle,
  type EpochMs,
  type InstrumentId,
  type Interval,
} from '../domain/index.js';
import {
  followersAmong,
  type AnyIndicator,
  type CloseRows,
  type DeliveredRow,
  type Follower,
} from '../strategy/index.js';
import { Channel } from './channel.js';
import type { FollowUp } from './follow-up.js';
import type { InstrumentAccount } from './portfolio/instrument-account.js';

const NONE: readonly Follower['feed'][] = [];
/** Values that indicators have before the first candle of a run, as they have them on any later one: the newest, and the one before it, which crossings read. */
const VALUES_BEFORE = 2;

/** One configured candle stream and who listens to it. */
export class CandleStream {
  readonly instrumentId: InstrumentId;
  readonly interval: Interval;
  readonly indicators: AnyIndicator[] = [];
  /** Those of them that were attached more than once, here or to another stream. */
  sharedIndicators: ReadonlySet<AnyIndicator> = new Set();
  /** Those of them that are given the candle of a row being passed; the others follow the row. */
  fed: readonly AnyIndicator[] = this.indicators;
  /** Whether some follow it, and which was delivered last. */
  #isFollowed = false;
  readonly #delivered: DeliveredRow = { row: -1, isLeft: false };
  /** Those that may follow it, and the others. */
  #followers: readonly Follower['feed'][] = NONE;
  #others: readonly AnyIndicator[] = this.indicators;
  readonly channel: Channel<Candle>;
  /** Candles still to come before the stream is warm. */
  warmupLeft = 0;
  /** How many of these need not come where the start is nearer. */
  warmupSpare = 0;
  /** Where the start ends the warm-up. */
  #start: EpochMs | undefined;

  constructor({ instrumentId, interval }: StreamId, followUp: FollowUp) {
    this.instrumentId = instrumentId;
    this.interval = interval;
    this.channel = new Channel(followUp);
  }

  /**
   * Begins a warm-up of the longest lookback of its indicators, at least `minimum`; with `start`, of what they need to forget where they began and to have a
   * value and the one before it, of which those beyond the longest lookback need not come where no candle follows that closes by then. One that never forgets
   * takes what comes until then.
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

  /** Whether a stream that still waits for candles needs no more after this one: enough for values have come, and the next would close after the start. */
  isWarmWith({ closeTime }: Candle): boolean {
    const start = this.#start;
    if (start === undefined || this.warmupLeft > this.warmupSpare) return false;
    return closeTimeOf(closeTime, this.interval) > start;
  }

  /** How many candles pass at least until it is warm; infinitely many where it is. */
  get candlesUntilWarm(): number {
    if (this.warmupLeft === 0) return Number.POSITIVE_INFINITY;
    return this.warmupSpare > 0 ? Math.max(1, this.warmupLeft - this.warmupSpare) : this.warmupLeft;
  }

  /** Finds out which of its indicators look up what they give for rows that are at hand: those that are given each candle once. */
  findFollowers(): void {
    const followers = followersAmong(
      this.indicators.filter((one) => !this.sharedIndicators.has(one)),
    );
    const following = new Set(followers.map(({ indicator }) => indicator));
    // Filled one by one: what `map` and `filter` return is a list of another kind to the compiler once they are compiled, and every function that
    // reads it with each batch is then compiled anew for both kinds, and slower.
    const feeds: Follower['feed'][] = [];
    for (const { feed } of followers) feeds.push(feed);
    const others: AnyIndicator[] = [];
    for (const indicator of this.indicators) if (!following.has(indicator)) others.push(indicator);
    this.#followers = feeds;
    this.#others = others;
  }

  /** Begins with so many rows, to be passed one after the other. */
  beginRows(rows: CloseRows, count: number): void {
    let isKnown = this.#followers.length > 0;
    for (const feed of this.#followers)
      isKnown = isKnown && feed.begin(rows, count, this.#delivered);
    this.#isFollowed = isKnown;
    this.#delivered.isLeft = false;
    this.fed = isKnown ? this.#others : this.indicators;
  }

  /**
   * Whether rows it has begun with mean nothing to it but that its indicators {@link follow}. Stays so up to the last of them, unless somebody
   * subscribes or the engine fails.
   */
  get isOnlyFollowed(): boolean {
    return this.fed.length === 0 && this.warmupLeft === 0 && !this.channel.isObserved;
  }

  /** Brings the indicators to a row it has begun with. */
  feed(row: number, candle: Candle): void {
    const { fed } = this;
    if (this.#isFollowed) this.follow(row, candle);
    for (let index = 0; index < fed.length; index += 1) (fed[index] as AnyIndicator).update(candle);
  }

  /** Brings those indicators to a row that follow it. */
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
  /** How many are enough where no more come before the start: the longest lookback. */
  readonly least: number;
  /** Those of its indicators that go on from their own values, with what they need. */
  readonly recursive: readonly RecursiveIndicator[];
  /** Whether one of them is a sum of all candles from the first on: it is right only where all that were told before are told again. */
  readonly neverForgets: boolean;
}

/** An indicator that goes on from its own values. */
export interface RecursiveIndicator extends Pick<
  Required<AnyIndicator>,
  'lookback' | 'convergence'
> {
  /** For people. */
  readonly name: string;
}

/** How the warm-up of all streams is begun. */
export interface WarmupTerms {
  /** Candles that each stream hears at least. */
  readonly minimum: number;
  /** Where the start ends a warm-up. @defaultValue it ends with the longest lookback */
  readonly start?: EpochMs | undefined;
  /** What an indicator is called in texts; undefined where it has no name of its own. @defaultValue none has */
  readonly nameOf?: ((indicator: AnyIndicator) => string | undefined) | undefined;
}

/** Of an indicator that no field of the strategy holds. */
function nameByClass({ constructor, lookback }: AnyIndicator): string {
  return `${constructor.name} with a lookback of ${String(lookback)}`;
}

/** Names a candle stream. */
export interface StreamId {
  readonly instrumentId: InstrumentId;
  readonly interval: Interval;
}

/** A stream whose candles are delivered without being looked up, and what the bot knows of its instrument. */
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
