import { formatFixed, type FuturesInstrument } from '../../domain/index.js';
import type { Listing } from '../../venue/index.js';

type Tested =
  | { readonly kind: 'spot' | 'margin' }
  | Pick<FuturesInstrument, 'kind' | 'contract' | 'multiplier'>;

/**
 * Returns the differences between a contract of a bot and the venue's record of it. With another kind or another face value, all amounts of money that
 * the bot computes are wrong.
 */
export function contractDifferences(tested: Tested, listing: Listing): readonly string[] {
  if (tested.kind !== 'futures' || listing.kind !== 'futures') return [];
  const { contract, multiplier } = tested;
  const differences: string[] = [];
  if (contract !== listing.contract)
    differences.push(`tested as ${contract}, is ${listing.contract}`);
  if (multiplier !== listing.multiplier)
    differences.push(
      `tested with a multiplier of ${formatFixed(multiplier)}, has ${formatFixed(listing.multiplier)}`,
    );
  return differences;
}
