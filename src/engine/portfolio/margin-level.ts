import {
  divideFixed,
  maxFixed,
  multiplyFixed,
  type Asset,
  type Fixed,
} from '../../domain/index.js';
import type { Portfolio } from './portfolio.js';

/** What happened to a margin account that its portfolio was not told of yet, and at which price. */
export interface MarginOutlook {
  /** Changes of assets. @defaultValue none */
  readonly flows?: ReadonlyMap<Asset, Fixed>;
  /** An asset that is not valued at last, and its worth in the equity currency. @defaultValue all are */
  readonly priced?: { readonly asset: Asset; readonly worth: Fixed } | undefined;
}

/**
 * Assets ÷ debt of the margin account by our own books, at last; undefined without debt. An asset that nothing prices counts nothing.
 *
 * What is owned and owed of one asset at once counts as what is left of it: the level of the venue is then nearer to 1.
 */
export function marginLevel(
  portfolio: Pick<Portfolio, 'balances' | 'valueOf'>,
  { flows, priced }: MarginOutlook = {},
): Fixed | undefined {
  let [assets, debt] = [0n, 0n];
  for (const [asset, total] of portfolio.balances().margin ?? []) {
    const net = total + (flows?.get(asset) ?? 0n);
    if (net === 0n) continue;
    const worth = (amount: Fixed): Fixed =>
      priced?.asset === asset
        ? multiplyFixed(amount, priced.worth)
        : portfolio.valueOf(asset, amount);
    assets += worth(maxFixed(net, 0n));
    debt += worth(maxFixed(-net, 0n));
  }
  return debt === 0n ? undefined : divideFixed(assets, debt);
}
