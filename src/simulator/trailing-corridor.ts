import { fixedIntervalMs, type Direction, type EpochMs } from '../domain/index.js';
import type { InstrumentMarket } from './instrument-market.js';
import { RowScan } from './row-scan.js';

/** Of a price: more than floats lose on the way to a level. */
const LOST = 1e-12;

/** A level that follows the best sample of last at a distance, as it stands. */
export interface TrailingLevel {
  readonly direction: Direction;
  readonly best: number;
  /** Where it is now, which a fixed stop may have brought nearer. */
  readonly level: number;
  readonly trail: { readonly kind: 'ratio' | 'distance'; readonly amount: number };
  readonly tick: number;
}

/** A candle that came near the best price, or beyond it. */
interface NearCandle {
  readonly openTime: EpochMs;
  readonly closeTime: EpochMs;
  /** Its extreme on the better side. */
  readonly better: number;
}

/**
 * The prices of one instrument beside a level that follows the best sample: candles that do not come to where their own extreme would bring it
 * may pass without a look at their path, for in whichever order they go they move the level and do no more. Each corner of such a candle is a
 * sample, so that its extreme is its best one. Prices are float64, and levels are taken to be nearer than they are by more than that may lose.
 *
 * Inside, prices of shorts are mirrored: what is better is more.
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
  /** Of a candle under way samples may have been taken before. */
  #from: EpochMs = Number.NEGATIVE_INFINITY;
  #best = Number.NaN;
  /** What a candle has to stay away from in order not to be looked at: the level, and the best price. */
  #away = Number.NaN;
  #near = Number.NaN;
  #nearCandles: NearCandle[] = [];

  /** Undefined where not every corner of a path is a sample. */
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

  /** Follows a level from `from` on: every sample up to then has been taken. */
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

  /** Up to when no candle can do more than move the level, `limit` at most: it is known of every candle that opens before. */
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

  /** Whether a candle that comes near does no more than move the level. */
  #passes(row: number): boolean {
    const { rows } = this.#market.candles;
    const openTime = rows.openTime(row);
    if (openTime < this.#from || openTime % this.#gridMs !== 0) return false;
    const [low, high] = [rows.low(row) as number, rows.high(row) as number];
    const [worst, better] = this.#sign === 1 ? [low, high] : [-high, -low];
    const best = Math.max(this.#best, better);
    // As far as its extreme could move the level, and farther: as far as the extreme is from the best price before (docs/simulation.md, R16).
    const moved = this.#levelOf(this.#best + this.#tick) + (best - this.#best);
    const level = Math.max(moved, this.#levelOf(best + this.#tick));
    if (worst <= level + 2 * this.#slack) return false;
    this.#nearCandles.push({ openTime, closeTime: openTime + this.#lengthMs, better });
    this.#setBest(best);
    return true;
  }

  /** The best price of what has closed by `time` of the candles that came near; undefined where none has. */
  bestBy(time: EpochMs): number | undefined {
    let best = Number.NEGATIVE_INFINITY;
    for (const { closeTime, better } of this.#nearCandles)
      if (closeTime <= time) best = Math.max(best, better);
    return best === Number.NEGATIVE_INFINITY ? undefined : this.#sign * best;
  }

  /** Whether a candle that comes near is under way. */
  isNearAt(time: EpochMs): boolean {
    return this.#nearCandles.some(({ openTime, closeTime }) => openTime < time && time < closeTime);
  }
}
