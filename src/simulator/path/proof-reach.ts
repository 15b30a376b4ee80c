import { nominalIntervalMs, type EpochMs } from '../../domain/index.js';
import type { StoredSeries } from './candle-lookup.js';

type StoredCandles = Pick<StoredSeries, 'interval'>;

/** In candles. A proof stops at the first candle that matters, so what it has read is lost only if the levels change before that. */
const FIRST = 64;
const MOST = 1_440;

/**
 * How far ahead candles are proved at once to change nothing. The distance doubles with each proof. Once something has made the proofs invalid, it begins
 * with twice as many candles as they were valid for, because the next ones are likely to be valid for about as long.
 */
export class ProofReach {
  readonly #candleMs: number;
  /** Distance of the first proof after {@link restart}, and of the next proof. */
  #first = FIRST;
  #candles = FIRST;
  /** Time of the last {@link restart}. */
  #since: EpochMs | undefined;

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

  /**
   * Call when proofs have become invalid. Half of the last beginning counts as well, because a trade ends with several orders within a few candles. All
   * calls within one candle count once.
   */
  restart(now: EpochMs): void {
    const candleMs = this.#candleMs;
    const passed = Math.floor((now - (this.#since ?? now - candleMs)) / candleMs);
    if (passed >= 1) {
      this.#first = Math.min(Math.max(FIRST, 2 * passed, Math.ceil(this.#first / 2)), MOST);
      this.#since = now;
    }
    this.#candles = this.#first;
  }
}
