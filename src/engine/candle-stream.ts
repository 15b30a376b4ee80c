import type { Candle, InstrumentId, Interval } from '../domain/index.js';
import {
  followersAmong,
  type AnyIndicator,
  type CloseRows,
  type Follower,
} from '../strategy/index.js';
import { Channel } from './channel.js';
import type { InstrumentAccount } from './portfolio/instrument-account.js';

const NONE: readonly Follower['feed'][] = [];

/** One configured candle stream and who listens to it. */
export class CandleStream {
  readonly instrumentId: InstrumentId;
  readonly interval: Interval;
  readonly indicators: AnyIndicator[] = [];
  /** Feeds of those of them that are shown a row being passed, and those that are given its candle. */
  shown: readonly Follower['feed'][] = NONE;
  fed: readonly AnyIndicator[] = this.indicators;
  /** Those that may show it, and the others. */
  #followers: readonly Follower['feed'][] = NONE;
  #others: readonly AnyIndicator[] = this.indicators;
  readonly channel = new Channel<Candle>();
  /** Candles still to come before the stream is warm. */
  warmupLeft = 0;

  constructor(instrumentId: InstrumentId, interval: Interval) {
    this.instrumentId = instrumentId;
    this.interval = interval;
  }

  /** Finds out which of its indicators look up what they give for rows that are at hand. */
  findFollowers(): void {
    const followers = followersAmong(this.indicators);
    const following = new Set(followers.map(({ indicator }) => indicator));
    this.#followers = followers.map(({ feed }) => feed);
    this.#others = this.indicators.filter((indicator) => !following.has(indicator));
  }

  /** Begins with so many rows, to be passed one after the other. */
  beginRows(rows: CloseRows, count: number): void {
    let isKnown = true;
    for (const feed of this.#followers) isKnown = isKnown && feed.begin(rows, count);
    this.shown = isKnown ? this.#followers : NONE;
    this.fed = isKnown ? this.#others : this.indicators;
  }

  /** Shows the indicators a row it has begun with, or gives them its candle. */
  feed(row: number, candle: Candle): void {
    const { shown, fed } = this;
    for (let index = 0; index < shown.length; index += 1)
      (shown[index] as Follower['feed']).show(row, candle);
    for (let index = 0; index < fed.length; index += 1) (fed[index] as AnyIndicator).update(candle);
  }
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
