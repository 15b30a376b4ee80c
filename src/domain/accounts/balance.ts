import type { Decimal } from '../amounts/decimal.js';
import { decimalFromFixed, type Fixed } from '../amounts/fixed.js';
import type { Asset, ProductKind } from '../instruments/instrument.js';

/** One asset of an account: `free` can be used, `locked` is held by working orders. */
export class Balance {
  readonly asset: Asset;
  readonly exact: { readonly free: Fixed; readonly locked: Fixed };

  constructor(asset: Asset, exact: { readonly free: Fixed; readonly locked: Fixed }) {
    this.asset = asset;
    this.exact = exact;
  }

  get free(): Decimal {
    return decimalFromFixed(this.exact.free);
  }

  get locked(): Decimal {
    return decimalFromFixed(this.exact.locked);
  }

  get total(): Decimal {
    return decimalFromFixed(this.exact.free + this.exact.locked);
  }
}

/**
 * Amounts by account and asset: the venue keeps spot, margin and futures apart. An account that is absent is empty.
 *
 * @example `{ spot: new Map([['USDT', parseFixed('10000')]]) }`
 */
export type AccountBalances = Readonly<Partial<Record<ProductKind, ReadonlyMap<Asset, Fixed>>>>;
