import {
  closeTimeOf,
  floorToInterval,
  isSameCandle,
  type Candle,
  type EpochMs,
  type VenueInterval,
} from '../domain/index.js';
import type { PolledCandle } from '../venue/index.js';

/** Largest number of klines that the venue serves. */
export const MOST_CANDLES = 300;
/** Number of delivered candles to remember, for revisions and for late subscribers. */
const REMEMBERED = MOST_CANDLES;

/** News of a series. */
export type CandleNotice =
  /** A closed candle; each once, in order. */
  | { readonly kind: 'candle'; readonly candle: Candle }
  /** A delivered candle has new values now. It is not delivered again. Reported once for each candle. */
  | { readonly kind: 'candleRevised'; readonly before: Candle; readonly after: Candle }
  /** No candles of `[from, to)` will come: the venue has none, or no longer serves them. */
  | { readonly kind: 'hole'; readonly from: EpochMs; readonly to: EpochMs };

interface CandleTrackerOptions {
  readonly interval: VenueInterval;
  /** Open time of the last known candle. */
  readonly after: EpochMs;
  /** How long to wait for a candle that is missing between others, in ms. */
  readonly holePatienceMs: number;
  /** Time after its end when a candle is final even if no later candle has opened, in ms. */
  readonly finalMs: number;
}

/** Turns answers, with any order, duplicates and holes, into closed candles: each once and in order. Pure except for its memory. */
export class CandleTracker {
  readonly #interval: VenueInterval;
  readonly #holePatienceMs: number;
  readonly #finalMs: number;
  readonly #delivered = new Map<EpochMs, Candle>();
  /** Open times of delivered candles that are known to have changed. */
  readonly #revised = new Set<EpochMs>();
  #expected: EpochMs;
  /** Time when the expected candle was first seen to be missing between others. */
  #holeSince: EpochMs | undefined;

  constructor({ interval, after, holePatienceMs, finalMs }: CandleTrackerOptions) {
    this.#interval = interval;
    this.#holePatienceMs = holePatienceMs;
    this.#finalMs = finalMs;
    this.#expected = closeTimeOf(after, interval);
  }

  /** Close time of the next expected candle. */
  get nextClose(): EpochMs {
    return closeTimeOf(this.#expected, this.#interval);
  }

  /** Open time of the next expected candle. */
  get nextOpen(): EpochMs {
    return this.#expected;
  }

  /** Remembered candles that opened after `openTime`. */
  deliveredAfter(openTime: EpochMs): readonly Candle[] {
    return [...this.#delivered.values()].filter((candle) => candle.openTime > openTime);
  }

  /** Number of newest candles to request, so that the expected one is among them. */
  wanted(now: EpochMs): number {
    let count = 2;
    for (
      let open = floorToInterval(now, this.#interval);
      open > this.#expected && count < MOST_CANDLES;
      open = floorToInterval(open - 1, this.#interval)
    )
      count += 1;
    return count;
  }

  /** Takes an answer to a request for the newest `asked` candles, at a time that has passed. */
  take(polled: readonly PolledCandle[], now: EpochMs, asked: number): readonly CandleNotice[] {
    const byOpen = new Map(polled.map((candle) => [candle.openTime, candle]));
    const sorted = [...byOpen.values()].sort((a, b) => a.openTime - b.openTime);
    const newest = sorted.at(-1)?.openTime ?? Number.NEGATIVE_INFINITY;
    const oldest = sorted[0]?.openTime ?? Number.POSITIVE_INFINITY;
    const isReached = oldest <= this.#expected || asked >= MOST_CANDLES;
    const notices: CandleNotice[] = this.#revisions(sorted);
    for (const polledCandle of sorted) {
      const { openTime, closeTime, closed } = polledCandle;
      const isFinal = openTime < newest || (closed && now >= closeTime + this.#finalMs);
      if (openTime < this.#expected || !isFinal) continue;
      if (openTime > this.#expected) {
        if (!isReached || !this.#isGivenUp(now, oldest > this.#expected)) break;
        notices.push({ kind: 'hole', from: this.#expected, to: openTime });
      }
      const candle = withoutState(polledCandle);
      this.#deliver(candle);
      notices.push({ kind: 'candle', candle });
    }
    return notices;
  }

  #isGivenUp(now: EpochMs, isOutOfReach: boolean): boolean {
    this.#holeSince ??= now;
    return isOutOfReach || now - this.#holeSince >= this.#holePatienceMs;
  }

  #deliver(candle: Candle): void {
    this.#delivered.set(candle.openTime, candle);
    this.#expected = candle.closeTime;
    this.#holeSince = undefined;
    if (this.#delivered.size <= REMEMBERED) return;
    const [first] = this.#delivered.keys();
    if (first === undefined) return;
    this.#delivered.delete(first);
    this.#revised.delete(first);
  }

  #revisions(sorted: readonly PolledCandle[]): CandleNotice[] {
    const notices: CandleNotice[] = [];
    for (const polledCandle of sorted) {
      const before = this.#delivered.get(polledCandle.openTime);
      if (before === undefined || isSameCandle(before, polledCandle)) continue;
      const after = withoutState(polledCandle);
      this.#delivered.set(after.openTime, after);
      if (!this.#revised.has(after.openTime))
        notices.push({ kind: 'candleRevised', before, after });
      this.#revised.add(after.openTime);
    }
    return notices;
  }
}

/** A closed candle, without the state at its poll. */
export function withoutState(polled: PolledCandle): Candle {
  const { instrumentId, interval, openTime, closeTime, open, high, low, close, volume } = polled;
  return { instrumentId, interval, openTime, closeTime, open, high, low, close, volume };
}
