import type { CashBook } from './cash-book.js';
import type { FuturesBook } from './futures-book.js';
import type { InstrumentAccount } from './instrument-account.js';
import type { PricedEquity } from './priced-equity.js';

/** A part of equity that follows the price of one instrument: `sign × (quantity × price − entry)`. */
export interface EquityLine extends Pick<PricedEquity, 'sign' | 'quantity' | 'entry' | 'isByMark'> {
  readonly account: InstrumentAccount;
  /** Whether it is a position in contracts: a mark takes the place of the last price once it is known. */
  readonly isContract: boolean;
}

/** Equity in float64, cheap enough for every candle; for ratios and charts. */
export class EquityNumbers {
  readonly #cash: CashBook;
  readonly #futures: FuturesBook;
  /** The last answer, reused. Its fields are floats from the start, so that V8 changes them in place. */
  readonly #priced: PricedEquity = {
    unpriced: Number.NaN,
    sign: 1,
    quantity: Number.NaN,
    entry: 0,
    isByMark: false,
  };

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
      equity += side.unrealizedNumber() * (side.cash.valuation?.lastNumber ?? 1);
    }
    return equity;
  }

  /** The parts of {@link equity} that follow a price, and the sum of the others. Undefined if one of them does not follow its price in a line. */
  lines(): { readonly unpriced: number; readonly lines: readonly EquityLine[] } | undefined {
    const { unpriced, priced } = this.#cash.numbers;
    const lines: EquityLine[] = priced.map(({ totalNumber: quantity, valuation: account }) => ({
      ...{ account, quantity, sign: 1, entry: 0 },
      ...{ isByMark: false, isContract: false },
    }));
    for (const side of this.#futures.open) {
      const line = { unpriced: 0, sign: 1, quantity: 0, entry: 0, isByMark: false };
      if (!side.describeInto(line)) return undefined;
      lines.push({ ...line, account: side.account, isContract: true });
    }
    return { unpriced, lines };
  }

  /**
   * The parts of {@link equity} if it follows only the last price or the mark of this instrument; undefined if it follows other prices. The next
   * call overwrites the returned object.
   */
  onlyPricedBy(account: InstrumentAccount): Readonly<PricedEquity> | undefined {
    const { unpriced, priced } = this.#cash.numbers;
    const { open } = this.#futures;
    const equity = this.#priced;
    equity.unpriced = unpriced;
    if (open.length > 0) {
      const [side] = open;
      const isOnly = open.length === 1 && priced.length === 0 && side?.account === account;
      return isOnly && side.describeInto(equity) ? equity : undefined;
    }
    const [held] = priced;
    if (held !== undefined && (held.valuation !== account || priced.length > 1)) return undefined;
    equity.quantity = held?.totalNumber ?? 0;
    equity.sign = 1;
    equity.entry = 0;
    equity.isByMark = false;
    return equity;
  }
}
