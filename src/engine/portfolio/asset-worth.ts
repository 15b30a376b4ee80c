import {
  divideFixed,
  FIXED_ONE,
  multiplyFixed,
  type Asset,
  type Fixed,
} from '../../domain/index.js';
import type { CashBook } from './cash-book.js';
import { lastPrice, type InstrumentAccount } from './instrument-account.js';

type PriceOf = (account: InstrumentAccount) => Fixed | undefined;

/**
 * What assets are worth in the equity currency: the last price of the first instrument that has the asset as base and the equity currency
 * as quote.
 */
export class AssetWorth {
  readonly #cash: CashBook;
  readonly #currency: Asset;
  /** Instruments with the equity currency as base, by quote. */
  readonly #selling = new Map<Asset, InstrumentAccount>();

  constructor(cash: CashBook, accounts: Iterable<InstrumentAccount>, currency: Asset) {
    this.#cash = cash;
    this.#currency = currency;
    for (const account of accounts) {
      const { base, quote } = account.instrument;
      if (base === currency && !this.#selling.has(quote)) this.#selling.set(quote, account);
    }
  }

  /** Worth of one unit, by default at last prices; undefined while no price is known, or if no instrument prices the asset. */
  ofOne(asset: Asset, priceOf: PriceOf = lastPrice): Fixed | undefined {
    if (asset === this.#currency) return FIXED_ONE;
    const account = this.#cash.list.find((candidate) => candidate.asset === asset);
    if (account?.valuation !== undefined) return priceOf(account.valuation);
    // An instrument with the equity currency as base gives the inverse rate, as for the quote of an inverse contract.
    const selling = this.#selling.get(asset);
    const last = selling && priceOf(selling);
    return last === undefined || last === 0n ? undefined : divideFixed(FIXED_ONE, last);
  }

  /** Worth of an amount; 0 while {@link ofOne} is undefined. */
  of(asset: Asset, amount: Fixed): Fixed {
    return asset === this.#currency ? amount : multiplyFixed(amount, this.ofOne(asset) ?? 0n);
  }
}
