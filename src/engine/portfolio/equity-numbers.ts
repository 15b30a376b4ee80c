import type { CashBook } from './cash-book.js';
import type { FuturesBook } from './futures-book.js';
import type { InstrumentAccount } from './instrument-account.js';

/** Equity as `unpriced + quantity × last price`. */
export interface PricedEquity {
  readonly unpriced: number;
  /** 0 where equity follows no price. */
  readonly quantity: number;
}

/** Equity in float64, cheap enough for every candle; for ratios and charts. */
export class EquityNumbers {
  readonly #cash: CashBook;
  readonly #futures: FuturesBook;
  /** What was answered last: numbers from the start, so that they are changed in place. */
  readonly #priced = { unpriced: Number.NaN, quantity: Number.NaN };

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

  /**
   * What {@link equity} is made of where it follows no price but the last of this instrument; undefined where it follows another. The answer
   * serves again for the next.
   */
  onlyPricedBy(account: InstrumentAccount): PricedEquity | undefined {
    if (this.#futures.open.length > 0) return undefined;
    const { unpriced, priced } = this.#cash.numbers;
    const [held] = priced;
    const isPriced = held === undefined || (held.valuation === account && priced.length === 1);
    if (!isPriced) return undefined;
    const equity = this.#priced;
    equity.unpriced = unpriced;
    equity.quantity = held?.totalNumber ?? 0;
    return equity;
  }
}
