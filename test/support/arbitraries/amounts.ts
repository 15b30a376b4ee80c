import fc from 'fast-check';

import { powerOfTen, FIXED_DECIMALS, type Fixed } from '../../../src/domain/index.js';

/** Any amount, of either sign, with up to 18 decimals; whole, tiny and huge ones are common. */
export function amounts(): fc.Arbitrary<Fixed> {
  return fc.oneof(
    fc.bigInt(-(10n ** 36n), 10n ** 36n),
    fc.bigInt(-1_000n, 1_000n),
    fc.bigInt(-1_000_000n, 1_000_000n).map((whole) => whole * powerOfTen(FIXED_DECIMALS)),
  );
}

/** Amounts above 0 on a grid of `decimals` decimals: `min` to `max` steps of it. */
export function stepped(
  decimals: number,
  range: { readonly min: bigint; readonly max: bigint },
): fc.Arbitrary<Fixed> {
  const step = powerOfTen(FIXED_DECIMALS - decimals);
  return fc.bigInt(range).map((steps) => steps * step);
}

/** Decimals of a grid: of a price or a quantity. */
export function precisions(max = FIXED_DECIMALS): fc.Arbitrary<number> {
  return fc.integer({ min: 0, max });
}
