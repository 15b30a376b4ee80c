import type { EpochMs } from '../domain/index.js';
import type { InstrumentMarket } from './instrument-market.js';
import { RowScan } from './row-scan.js';
import type { CandleLookup } from './candle-lookup.js';

/** Widths of the ranges that are tried, as ratios of the price: the widest that is safe is kept. */
const WIDTHS = [0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.004] as const;

/** A price that matters to an account. */
export interface GuardedPrice {
  /** Under which the guard knows it. */
  readonly place: number;
  readonly market: InstrumentMarket;
  /** All stored candles that may move it. */
  readonly sources: readonly CandleLookup[];
  /** Whether it matters now; asked anew after each change. */
  matters(): boolean;
}

/** Proves in floats that nothing happens while prices stay within ranges: never wrong when it says so. */
export interface RangeGuard {
  setRange(place: number, low: number, high: number): void;
  isSafe(): boolean;
}

/** Money that stands for itself, with the prices that matter to it. */
export interface GuardedMoney {
  readonly guard: RangeGuard;
  /** All that may ever matter. */
  readonly prices: readonly GuardedPrice[];
}

/**
 * Proves ahead that whole candles change nothing, so that they may pass without the venue: around the prices of now lies a range in which
 * nothing happens; as long as candles stay within it, one comparison each is enough.
 */
export class SafeStretch {
  readonly #versionOf: () => number;
  readonly #groups: readonly StretchGroup[];
  #version = -1;
  #provenUntil: EpochMs = Number.NEGATIVE_INFINITY;

  /** `versionOf` changes whenever one of the moneys does. */
  constructor(versionOf: () => number, moneys: readonly GuardedMoney[]) {
    this.#versionOf = versionOf;
    this.#groups = moneys.map((money) => new StretchGroup(money));
  }

  /**
   * Up to when nothing can happen, `limit` at most: it is proved for every candle that opens before. It errs on one side: what it does not
   * prove is to be looked at exactly.
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
  /** Made once: with each order they begin anew. */
  readonly #prices: readonly StretchPrice[];
  /** Whether any of them matters. */
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
    // The prices have left the range, or there is none yet: another around where they are now.
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

  /** As if nothing had been looked at. */
  restart(): void {
    this.matters = this.guarded.matters();
    for (const scan of this.#scans) scan.restart();
  }

  /** Around the open of the first candle that was not looked at. */
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

  /** Every row that opens before has been looked at. */
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
