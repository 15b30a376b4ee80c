import {
  divideFixed,
  maxFixed,
  multiplyFixed,
  type Asset,
  type Fixed,
} from '../../domain/index.js';
import type { Portfolio } from './portfolio.js';

/** Changes of a margin account that its portfolio has not booked yet, and the worth of one asset. */
interface MarginOutlook {
  /** Changes of assets. @defaultValue none */
  readonly flows?: ReadonlyMap<Asset, Fixed>;
  /** One asset with its worth in the equity currency, used instead of last. @defaultValue all assets are valued at last */
  readonly priced?: { readonly asset: Asset; readonly worth: Fixed } | undefined;
}

/**
 * Assets ÷ debt of the margin account by our own books, at last; undefined without debt. An asset without a price counts 0.
 *
 * Owned and owed amounts of the same asset are netted here. The level at the venue is then nearer to 1.
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
