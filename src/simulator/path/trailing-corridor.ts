import { fixedIntervalMs, type Direction, type EpochMs } from '../../domain/index.js';
import type { InstrumentMarket } from '../instrument-market.js';
import { RowScan } from './row-scan.js';

/** As a ratio of a price: more than floats lose in the computation of a level. */
const LOST = 1e-12;

/** The current state of a level that follows the best sample of the last price at a distance. */
interface TrailingLevel {
  readonly direction: Direction;
  readonly best: number;
  /** The current level. A fixed stop may have brought it nearer. */
  readonly level: number;
  readonly trail: { readonly kind: 'ratio' | 'distance'; readonly amount: number };
  readonly tick: number;
}

/** A candle that came near the best price, or beyond it. */
interface NearCandle {
  readonly openTime: EpochMs;
  readonly closeTime: EpochMs;
  /** The candle's extreme on the better side. */
  readonly better: number;
}

/**
 * The prices of one instrument beside a level that follows the best sample. A candle may pass without a look at its path if it stays away from the
 * level to which its own extreme would move it. In either order of its extremes, such a candle only moves the level. Each corner of its path is a
 * sample, so its extreme is its best sample. Prices are float64, and levels are taken as nearer than they are, by more than floats may lose.
 *
 * Inside, prices of shorts are mirrored: a better price is a larger one.
 */
export class TrailingCorridor {
  readonly #market: InstrumentMarket;
  readonly #scan: RowScan;
  readonly #gridMs: number;
  readonly #lengthMs: number;
  #trailing: TrailingLevel | undefined;
  #sign = 1;
  #tick = 0;
  #slack = 0;
  /** A candle that opened before this time is not skipped: some of its samples may have been taken. */
  #from: EpochMs = Number.NEGATIVE_INFINITY;
  #best = Number.NaN;
  /** A candle between these two needs no check. `#away` is a bound near the level, `#near` a bound near the best price. */
  #away = Number.NaN;
  #near = Number.NaN;
  #nearCandles: NearCandle[] = [];

  /** Undefined if some corners of a path may not be samples. */
  static of(market: InstrumentMarket, gridMs: number): TrailingCorridor | undefined {
    const { interval, finer, isPolled } = market.source;
    const lengthMs = fixedIntervalMs(interval);
    if (lengthMs === undefined || lengthMs % (3 * gridMs) !== 0) return undefined;
    if (finer !== undefined || isPolled === true) return undefined;
    return new TrailingCorridor(market, { gridMs, lengthMs });
  }

  private constructor(
    market: InstrumentMarket,
    { gridMs, lengthMs }: { readonly gridMs: number; readonly lengthMs: number },
  ) {
    this.#market = market;
    this.#scan = new RowScan(market.candles);
    this.#gridMs = gridMs;
    this.#lengthMs = lengthMs;
  }

  /** Follows a level from `from` on. Every sample up to then must have been taken. */
  follow(trailing: TrailingLevel, from: EpochMs): void {
    const { direction, best, trail, tick } = trailing;
    this.#trailing = trailing;
    this.#sign = direction === 'long' ? 1 : -1;
    this.#tick = tick + best * LOST;
    this.#slack = this.#tick * (trail.kind === 'ratio' ? 1 + trail.amount : 1);
    this.#from = from;
    this.#nearCandles = [];
    this.#scan.restart();
    this.#setBest(this.#sign * best);
  }

  #setBest(best: number): void {
    this.#best = best;
    this.#near = best - this.#tick;
    this.#away = this.#levelOf(best + this.#tick) + this.#slack;
  }

  #levelOf(best: number): number {
    const { level, trail } = this.#trailing as TrailingLevel;
    const distance = trail.kind === 'ratio' ? Math.abs(best) * trail.amount : trail.amount;
    return Math.max(this.#sign * level, best - distance);
  }

  /** Time until which no candle can do more than move the level, at most `limit`. It covers every candle that opens before. */
  provenUntil(limit: EpochMs): EpochMs {
    const { cursor } = this.#market;
    while (!this.#staysUntil(limit)) {
      if (!this.#passes(this.#scan.firstRow(cursor))) return this.#scan.seenUntil;
      this.#scan.passRow();
    }
    return limit;
  }

  #staysUntil(limit: EpochMs): boolean {
    const { cursor } = this.#market;
    return this.#sign === 1
      ? this.#scan.staysBetween(this.#away, this.#near, cursor, limit)
      : this.#scan.staysBetween(-this.#near, -this.#away, cursor, limit);
  }

  /** Whether a candle near the best price only moves the level. */
  #passes(row: number): boolean {
    const { rows } = this.#market.candles;
    const openTime = rows.openTime(row);
    if (openTime < this.#from || openTime % this.#gridMs !== 0) return false;
    const [low, high] = [rows.low(row) as number, rows.high(row) as number];
    const [worst, better] = this.#sign === 1 ? [low, high] : [-high, -low];
    const best = Math.max(this.#best, better);
    // Takes the nearer of two levels: one that moves as far as the extreme is beyond the earlier best price (docs/simulation.md, R16), and the level
    // of the extreme itself.
    const moved = this.#levelOf(this.#best + this.#tick) + (best - this.#best);
    const level = Math.max(moved, this.#levelOf(best + this.#tick));
    if (worst <= level + 2 * this.#slack) return false;
    this.#nearCandles.push({ openTime, closeTime: openTime + this.#lengthMs, better });
    this.#setBest(best);
    return true;
  }

  /** The best extreme of the near candles that have closed by `time`; undefined if none has. */
  bestBy(time: EpochMs): number | undefined {
    let best = Number.NEGATIVE_INFINITY;
    for (const { closeTime, better } of this.#nearCandles)
      if (closeTime <= time) best = Math.max(best, better);
    return best === Number.NEGATIVE_INFINITY ? undefined : this.#sign * best;
  }

  /** Whether a near candle is under way. */
  isNearAt(time: EpochMs): boolean {
    return this.#nearCandles.some(({ openTime, closeTime }) => openTime < time && time < closeTime);
  }
}
