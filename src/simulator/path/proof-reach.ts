import { nominalIntervalMs } from '../../domain/index.js';
import type { StoredSeries } from './candle-lookup.js';

type StoredCandles = Pick<StoredSeries, 'interval'>;

/** In candles. A proof stops at the first candle that matters, so what it has read is lost only if the levels change before that. */
const FIRST = 64;
const MOST = 1_440;

/** How far ahead candles are proved at once to change nothing. The distance doubles with each proof, until something makes earlier proofs invalid. */
export class ProofReach {
  readonly #candleMs: number;
  #candles = FIRST;

  /** Its unit is the shortest of the stored candles. */
  constructor(markets: readonly (StoredCandles & { readonly mark?: StoredCandles | undefined })[]) {
    const lengths = markets.flatMap(({ interval, mark }) =>
      [interval, ...(mark === undefined ? [] : [mark.interval])].map(nominalIntervalMs),
    );
    this.#candleMs = Math.min(...lengths);
  }

  /** In ms. */
  get length(): number {
    return this.#candles * this.#candleMs;
  }

  grow(): void {
    this.#candles = Math.min(2 * this.#candles, MOST);
  }

  restart(): void {
    this.#candles = FIRST;
  }
}
