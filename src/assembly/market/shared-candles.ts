import type { Candle, CandleRows } from '../../domain/index.js';

/**
 * Candles that successive runs of one market share. The first run makes and freezes them: a strategy that writes to one fails, so no run sees another's
 * changes. Each candle takes some 220 bytes, so their number is limited. Series that are asked for first get the space.
 */
export class SharedCandles {
  readonly #mostCandles: number;
  readonly #bySeries = new Map<CandleRows, readonly Candle[]>();
  #count = 0;

  constructor({ mostCandles }: { readonly mostCandles: number }) {
    this.#mostCandles = mostCandles;
  }

  /**
   * Returns the candles of all rows of a series, whose rows must not change; undefined if there is no space for them.
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
