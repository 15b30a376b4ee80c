import type { Candle, CandleRows } from '../../domain/index.js';

/**
 * Candles that runs of one market are handed one after the other, made by the first and frozen: a strategy that writes to one fails, and
 * none finds what another wrote. They cost some 220 bytes each, so that only so many are kept; the series that are asked for first have
 * them.
 */
export class SharedCandles {
  readonly #mostCandles: number;
  readonly #bySeries = new Map<CandleRows, readonly Candle[]>();
  #count = 0;

  constructor({ mostCandles }: { readonly mostCandles: number }) {
    this.#mostCandles = mostCandles;
  }

  /**
   * Returns the candles of all rows of a series, which must stay as they are; undefined when there is no room for them.
   *
   * `candleAt` makes the candle of a row.
   */
  of(rows: CandleRows, candleAt: (row: number) => Candle): readonly Candle[] | undefined {
    const known = this.#bySeries.get(rows);
    if (known !== undefined) return known;
    const { length } = rows;
    if (this.#count + length > this.#mostCandles) return undefined;
    this.#count += length;
    const candles = Array.from({ length }, (_, row) => Object.freeze(candleAt(row)));
    this.#bySeries.set(rows, candles);
    return candles;
  }
}
