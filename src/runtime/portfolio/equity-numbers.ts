import type { CashBook } from './cash-book.js';
import type { FuturesBook } from './futures-book.js';
import type { InstrumentAccount } from './instrument-account.js';

/** Equity in float64, cheap enough for every candle; for ratios and charts. */
export class EquityNumbers {
  readonly #cash: CashBook;
  readonly #futures: FuturesBook;

  constructor(cash: CashBook, futures: FuturesBook) {
    this.#cash = cash;
    this.#futures = futures;
  }

  /** Cash and positions of all accounts. */
  equity(): number {
    const { unpriced, priced } = this.#cash.numbers;
    let equity = unpriced;
    for (const { totalNumber, valuation } of priced) equity += totalNumber * valuation.lastNumber;
    for (const side of this.#futures.open) {
      const { valuation } = this.#cash.get('futures', side.instrument.marginAsset);
      equity += side.unrealizedNumber() * (valuation?.lastNumber ?? 1);
    }
    return equity;
  }

  /** Whether {@link equity} follows any price, so that it changes although nothing is booked. */
  get isPriced(): boolean {
    return this.#futures.open.length > 0 || this.#cash.numbers.priced.length > 0;
  }

  /**
   * What {@link equity} is made of where it follows the last price of this instrument alone: `unpriced + quantity × last`. Undefined
   * where it follows another, or none.
   */
  onlyPricedBy(
    account: InstrumentAccount,
  ): { readonly unpriced: number; readonly quantity: number } | undefined {
    const { unpriced, priced } = this.#cash.numbers;
    const [held] = priced;
    if (held?.valuation !== account || priced.length > 1 || this.#futures.open.length > 0)
      return undefined;
    return { unpriced, quantity: held.totalNumber };
  }
}
