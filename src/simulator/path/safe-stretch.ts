import type { EpochMs } from '../../domain/index.js';
import type { InstrumentMarket } from '../instrument-market.js';
import type { CandleLookup } from './candle-lookup.js';
import { RowScan } from './row-scan.js';

/** Widths of the ranges to try, as ratios of the price. The widest safe one is used. */
const WIDTHS = [0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.004] as const;

/** A price that matters to an account. */
interface GuardedPrice {
  /** Index of the price in the guard. */
  readonly place: number;
  readonly market: InstrumentMarket;
  /** All stored candles that may move it. */
  readonly sources: readonly CandleLookup[];
  /** Whether it matters now. Called again after each change. */
  matters(): boolean;
}

/** Proves in floats that nothing happens while prices stay within ranges. `true` is certain. */
export interface RangeGuard {
  setRange(place: number, low: number, high: number): void;
  isSafe(): boolean;
}

/** One separate pool of money, with the prices that matter to it. */
interface GuardedMoney {
  readonly guard: RangeGuard;
  /** All prices that may ever matter. */
  readonly prices: readonly GuardedPrice[];
}

/**
 * Proves in advance that whole candles change nothing, so that they may pass without the venue. Around the current prices lies a range in which
 * nothing happens. While candles stay within it, one comparison per candle is enough.
 */
export class SafeStretch {
  readonly #versionOf: () => number;
  readonly #groups: readonly StretchGroup[];
  #version = -1;
  #provenUntil: EpochMs = Number.NEGATIVE_INFINITY;

  /** `versionOf` must change whenever one of the moneys changes. */
  constructor(versionOf: () => number, moneys: readonly GuardedMoney[]) {
    this.#versionOf = versionOf;
    this.#groups = moneys.map((money) => new StretchGroup(money));
  }

  /**
   * Time until which nothing can happen, at most `limit`. The proof covers every candle that opens before. A candle without proof may still change
   * nothing: it needs an exact check.
   */
  provenUntil(limit: EpochMs): EpochMs {
    const version = this.#versionOf();
    if (version !== this.#version) {
      this.#version = version;
      this.#provenUntil = Number.NEGATIVE_INFINITY;
      for (const group of this.#groups) group.restart();
    }
    if (limit > this.#provenUntil) {
      this.#provenUntil = limit;
      for (const group of this.#groups)
        this.#provenUntil = Math.min(this.#provenUntil, group.provenUntil(limit));
    }
    return this.#provenUntil;
  }
}

class StretchGroup {
  readonly #money: GuardedMoney;
  /** Created once, because each order restarts them. */
  readonly #prices: readonly StretchPrice[];
  /** Whether any of the prices matters. */
  #isGuarded = false;
  #hasRange = false;

  constructor(money: GuardedMoney) {
    this.#money = money;
    this.#prices = money.prices.map((price) => new StretchPrice(price));
  }

  restart(): void {
    this.#hasRange = false;
    this.#isGuarded = false;
    for (const price of this.#prices) {
      price.restart();
      this.#isGuarded ||= price.matters;
    }
  }

  provenUntil(limit: EpochMs): EpochMs {
    if (!this.#isGuarded || this.#staysUntil(limit)) return limit;
    // The prices have left the range, or there is none yet: try a new range around the current prices.
    if (this.#takeRange() && this.#staysUntil(limit)) return limit;
    let seen = Number.POSITIVE_INFINITY;
    for (const price of this.#prices) if (price.matters) seen = Math.min(seen, price.seenUntil());
    return seen;
  }

  #staysUntil(time: EpochMs): boolean {
    if (!this.#hasRange) return false;
    for (const price of this.#prices) if (price.matters && !price.staysUntil(time)) return false;
    return true;
  }

  #takeRange(): boolean {
    const { guard } = this.#money;
    this.#hasRange = false;
    for (const width of WIDTHS) {
      for (const price of this.#prices) {
        if (!price.matters) continue;
        price.setRange(width);
        guard.setRange(price.guarded.place, price.low, price.high);
      }
      if (!guard.isSafe()) continue;
      this.#hasRange = true;
      break;
    }
    return this.#hasRange;
  }
}

class StretchPrice {
  readonly guarded: GuardedPrice;
  readonly #scans: readonly RowScan[];
  matters = false;
  low = 0;
  high = 0;

  constructor(guarded: GuardedPrice) {
    this.guarded = guarded;
    this.#scans = guarded.sources.map((candles) => new RowScan(candles));
  }

  /** Forgets which rows were checked. */
  restart(): void {
    this.matters = this.guarded.matters();
    for (const scan of this.#scans) scan.restart();
  }

  /** Sets the range around the open of the first candle that was not checked. */
  setRange(width: number): void {
    const { cursor } = this.guarded.market;
    let low = Number.POSITIVE_INFINITY;
    let high = 0;
    for (const scan of this.#scans) {
      const { rows } = scan.candles;
      const open = rows.open(Math.min(scan.firstRow(cursor), rows.length - 1)) ?? Number.NaN;
      low = Math.min(low, open * (1 - width));
      high = Math.max(high, open * (1 + width));
    }
    this.low = low;
    this.high = high;
  }

  /** Every row that opens before this time has been checked. */
  seenUntil(): EpochMs {
    return Math.min(...this.#scans.map((scan) => scan.seenUntil));
  }

  staysUntil(time: EpochMs): boolean {
    const { low, high } = this;
    const { cursor } = this.guarded.market;
    for (const scan of this.#scans) if (!scan.staysBetween(low, high, cursor, time)) return false;
    return true;
  }
}
