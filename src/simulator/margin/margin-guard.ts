import type { RangeGuard } from '../path/safe-stretch.js';

/** Relative width of the band in which floats are not trusted: a million times their error. */
const DOUBT = 1e-9;

/** Weight of an asset, in any unit, in the sum that must stay above 0. The product of the prices of the pairs at `places` values it; the currency has no pairs. */
interface WeightedAsset {
  readonly weight: bigint;
  readonly places: readonly number[];
}

/** Proves that the sum of weight × price over some assets stays above 0 while the prices of the pairs stay within ranges. */
export class MarginGuard implements RangeGuard {
  readonly #low: Float64Array;
  readonly #high: Float64Array;
  #weights: readonly { readonly weight: number; readonly places: readonly number[] }[] = [];

  /** @param pairs number of pairs. */
  constructor(pairs: number) {
    this.#low = new Float64Array(pairs);
    this.#high = new Float64Array(pairs).fill(Number.POSITIVE_INFINITY);
  }

  setWeights(assets: readonly WeightedAsset[]): void {
    this.#weights = assets.map(({ weight, places }) => ({ weight: Number(weight), places }));
  }

  setRange(place: number, low: number, high: number): void {
    this.#low[place] = low;
    this.#high[place] = high;
  }

  isSafe(): boolean {
    let least = 0;
    let doubt = 0;
    for (const { weight, places } of this.#weights) {
      const bounds = weight > 0 ? this.#low : this.#high;
      let value = weight;
      for (const place of places) value *= bounds[place] ?? Number.NaN;
      least += value;
      doubt += Math.abs(value) * DOUBT;
    }
    return least > doubt;
  }
}
