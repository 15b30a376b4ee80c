import { MINUTE_MS, type Asset } from '../../../src/domain/index.js';
import { isHighNearer, pathTicks, THIRD } from '../naive/naive-path.js';
import type { VenueCandle } from '../spot-venue.js';

/** Owned and owed amount of an asset in 10^-18, and the candles whose prices, multiplied, value it. */
export interface NaiveHolding {
  readonly asset: Asset;
  readonly owned: bigint;
  readonly owed: bigint;
  readonly route: readonly VenueCandle[];
}

/** The instants of a minute at which a path has corners. */
const CORNERS = [0, THIRD, 2 * THIRD, MINUTE_MS] as const;

/** Parts of a price: the path is a whole number of ticks ÷ {@link THIRD}. */
const PARTS = THIRD * 100;
const MOST_PAIRS = 3;

/**
 * The margin level of an account within one minute, looked at in every millisecond (docs/simulation.md, R13). It is an exact fraction: assets and debts are
 * sums of whole numbers of one unit. Numbers decide only where they are far from doubt.
 */
export class NaiveLevel {
  readonly #holdings: readonly (Omit<NaiveHolding, 'route'> & {
    /** The path of each candle of the route, by millisecond. */
    readonly paths: readonly Float64Array[];
  })[];

  constructor(holdings: readonly NaiveHolding[]) {
    const paths = new Map<VenueCandle, Float64Array>();
    for (const candle of holdings.flatMap(({ route }) => route)) {
      if (!paths.has(candle)) paths.set(candle, pathOf(candle));
    }
    this.#holdings = holdings.map(({ route, ...holding }) => ({
      ...holding,
      paths: route.flatMap((candle) => paths.get(candle) ?? []),
    }));
  }

  /** The first millisecond, `from` or later, at which the level is at or below `percent`. */
  firstAt(percent: bigint, from: number): number | undefined {
    const about = this.#about(percent);
    for (let ms = from; ms <= MINUTE_MS; ms += 1) {
      const { sum, size } = about(ms);
      if (Math.abs(sum) > 1e-9 * size ? sum < 0 : this.isAt(percent, ms)) return ms;
    }
    return undefined;
  }

  /** Assets less `percent` of the debts by millisecond, about, and the size of what is added up. In hundredths of 10^-18. */
  #about(percent: bigint): (ms: number) => { readonly sum: number; readonly size: number } {
    const weights = this.#holdings.map(({ owned, owed, paths }) => ({
      weight: Number(100n * owned - percent * owed),
      paths,
    }));
    return (ms) => {
      let [sum, size] = [0, 0];
      for (const { weight, paths } of weights) {
        let value = weight;
        for (const path of paths) value *= (path[ms] ?? Number.NaN) / PARTS;
        sum += value;
        size += Math.abs(value);
      }
      return { sum, size };
    };
  }

  /** About how much more the assets are worth than `percent` of the debts, at least: at the corners of the paths, and anywhere. Units of the currency. */
  leastExcess(percent: bigint): { readonly atCorners: number; readonly anywhere: number } {
    const about = this.#about(percent);
    const units = (ms: number): number => about(ms).sum / 1e20;
    let anywhere = Number.POSITIVE_INFINITY;
    for (let ms = 0; ms <= MINUTE_MS; ms += 500) anywhere = Math.min(anywhere, units(ms));
    return { atCorners: Math.min(...CORNERS.map(units)), anywhere };
  }

  /** Whether the level is at or below `percent` at a millisecond of the minute, exactly. */
  isAt(percent: bigint, ms: number): boolean {
    let sum = 0n;
    for (const { owned, owed, paths } of this.#holdings) {
      let price = BigInt(PARTS) ** BigInt(MOST_PAIRS - paths.length);
      for (const path of paths) price *= BigInt(path[ms] ?? Number.NaN);
      sum += (100n * owned - percent * owed) * price;
    }
    return sum <= 0n;
  }

  /** Whether the level is at or below `percent` at a corner of a path. */
  isAtCorner(percent: bigint): boolean {
    return CORNERS.some((ms) => this.isAt(percent, ms));
  }
}

function pathOf(candle: VenueCandle): Float64Array {
  const path = new Float64Array(MINUTE_MS + 1);
  const corners = CORNERS.map((ms) => pathTicks(candle.path, isHighNearer(candle), ms));
  for (let ms = 0; ms <= MINUTE_MS; ms += 1) {
    const piece = Math.min(2, Math.floor(ms / THIRD));
    const [from, to] = [corners[piece] ?? 0, corners[piece + 1] ?? 0];
    // Corners are whole multiples of the third, so this is exact.
    path[ms] = from + ((to - from) / THIRD) * (ms - piece * THIRD);
  }
  return path;
}
