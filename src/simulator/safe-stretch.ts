import type { Asset, EpochMs } from '../domain/index.js';
import type { FuturesAccount } from './futures-account.js';
import type { HeldContract } from './liquidation-watch.js';
import type { MarkFeed } from './mark-feed.js';
import type { StoredCandles } from './stored-candles.js';

/** Widths of the ranges that are tried, as ratios of the price: the widest that is safe is kept. */
const WIDTHS = [0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.004];

/** One stored series, read row by row, with the range that its prices must not leave. */
interface Lane {
  readonly candles: StoredCandles;
  /** First row that was not looked at. */
  row: number;
}

/**
 * Proves ahead that whole candles cannot liquidate, so that they may pass without the venue: around the prices of now lies a range in which
 * nothing is liquidated; as long as candles stay within it, one comparison each is enough.
 */
export class SafeStretch {
  readonly #account: FuturesAccount;
  readonly #groups: readonly StretchGroup[];
  #version = -1;
  #provenUntil: EpochMs = Number.NEGATIVE_INFINITY;

  constructor(account: FuturesAccount, byAsset: ReadonlyMap<Asset, readonly HeldContract[]>) {
    this.#account = account;
    this.#groups = [...byAsset].map(([asset, held]) => new StretchGroup(account, asset, held));
  }

  /** Whether nothing can be liquidated before `time`. It errs on one side: what it denies is to be looked at exactly. */
  isSafeUntil(time: EpochMs): boolean {
    const { version } = this.#account;
    if (version !== this.#version) {
      this.#version = version;
      this.#provenUntil = Number.NEGATIVE_INFINITY;
      for (const group of this.#groups) group.restart();
    }
    if (time <= this.#provenUntil) return true;
    for (const group of this.#groups) if (!group.isSafeUntil(time)) return false;
    this.#provenUntil = time;
    return true;
  }
}

/** The contracts of one margin asset. */
class StretchGroup {
  readonly #account: FuturesAccount;
  readonly #asset: Asset;
  readonly #all: readonly HeldContract[];
  #contracts: readonly StretchContract[] = [];
  #hasRange = false;

  constructor(account: FuturesAccount, asset: Asset, held: readonly HeldContract[]) {
    this.#account = account;
    this.#asset = asset;
    this.#all = held;
  }

  restart(): void {
    const { ledger } = this.#account;
    this.#hasRange = false;
    this.#contracts = this.#all
      .filter(
        ({ instrumentId }) =>
          ledger.held(instrumentId, 'long') > 0n || ledger.held(instrumentId, 'short') > 0n,
      )
      .map(({ instrumentId, feed }) => new StretchContract(ledger.placeOf(instrumentId), feed));
  }

  isSafeUntil(time: EpochMs): boolean {
    if (this.#contracts.length === 0) return true;
    if (this.#staysUntil(time)) return true;
    // The prices have left the range, or there is none yet: another around where they are now.
    return this.#takeRange() && this.#staysUntil(time);
  }

  #staysUntil(time: EpochMs): boolean {
    if (!this.#hasRange) return false;
    for (const contract of this.#contracts) if (!contract.staysUntil(time)) return false;
    return true;
  }

  #takeRange(): boolean {
    const guard = this.#account.ledger.guard(this.#asset);
    this.#hasRange = WIDTHS.some((width) => {
      for (const contract of this.#contracts) {
        contract.setRange(width);
        guard.setRange(contract.place, contract.low, contract.high);
      }
      return guard.isSafe();
    });
    return this.#hasRange;
  }
}

class StretchContract {
  readonly place: number;
  readonly #feed: MarkFeed;
  readonly #lanes: readonly Lane[];
  low = 0;
  high = 0;

  constructor(place: number, feed: MarkFeed) {
    this.place = place;
    this.#feed = feed;
    this.#lanes = feed.sources.map((candles) => ({ candles, row: -1 }));
  }

  /** Around the open of the first candle that was not looked at. */
  setRange(width: number): void {
    let [low, high] = [Number.POSITIVE_INFINITY, 0];
    for (const lane of this.#lanes) {
      const { candles } = lane;
      const row = Math.min(this.#firstRow(lane), candles.columns.open.length - 1);
      const open = candles.columns.open[row] ?? Number.NaN;
      low = Math.min(low, open * (1 - width));
      high = Math.max(high, open * (1 + width));
    }
    this.low = low;
    this.high = high;
  }

  staysUntil(time: EpochMs): boolean {
    const { low, high } = this;
    for (const lane of this.#lanes) {
      const { openTime, low: lows, high: highs } = lane.candles.columns;
      let row = this.#firstRow(lane);
      while (row < openTime.length && (openTime[row] as number) < time) {
        if (!((lows[row] as number) > low && (highs[row] as number) < high)) {
          lane.row = row;
          return false;
        }
        row += 1;
      }
      lane.row = row;
    }
    return true;
  }

  /** First row that was not looked at, and is not over where the tape stands. */
  #firstRow(lane: Lane): number {
    const { cursor } = this.#feed.tape;
    const { openTime } = lane.candles.columns;
    if (lane.row < 0) lane.row = Math.max(0, lane.candles.rowAt(cursor));
    while ((openTime[lane.row + 1] ?? Number.POSITIVE_INFINITY) <= cursor) lane.row += 1;
    return lane.row;
  }
}
