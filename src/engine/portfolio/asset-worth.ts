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
  /** Instruments that sell the equity currency, by what it is sold for. */
  readonly #selling = new Map<Asset, InstrumentAccount>();

  constructor(cash: CashBook, accounts: Iterable<InstrumentAccount>, currency: Asset) {
    this.#cash = cash;
    this.#currency = currency;
    for (const account of accounts) {
      const { base, quote } = account.instrument;
      if (base === currency && !this.#selling.has(quote)) this.#selling.set(quote, account);
    }
  }

  /** Of one unit, at last prices or others; undefined while no price is known, or nothing prices it. */
  ofOne(asset: Asset, priceOf: PriceOf = lastPrice): Fixed | undefined {
    if (asset === this.#currency) return FIXED_ONE;
    const account = this.#cash.list.find((candidate) => candidate.asset === asset);
    if (account?.valuation !== undefined) return priceOf(account.valuation);
    // What the equity currency costs in this asset says it the other way round, as for the quote of an inverse contract.
    const selling = this.#selling.get(asset);
    const last = selling && priceOf(selling);
    return last === undefined || last === 0n ? undefined : divideFixed(FIXED_ONE, last);
  }

  /** Of an amount; 0 while its asset has no worth. */
  of(asset: Asset, amount: Fixed): Fixed {
    return asset === this.#currency ? amount : multiplyFixed(amount, this.ofOne(asset) ?? 0n);
  }
}
