import { multiplyFixed, type Fixed } from '../amounts/fixed.js';
import { InvariantError } from '../errors.js';
import type { Instrument } from '../instruments/instrument.js';
import type { FillRecord } from './fill.js';

/**
 * A fill's fee if it is in base; undefined if it is in quote.
 *
 * @throws {InvariantError} `E_FEE_ASSET` if it is in neither.
 */
export function feeInBase(
  { fee, feeAsset }: Pick<FillRecord, 'fee' | 'feeAsset'>,
  instrument: Instrument,
): Fixed | undefined {
  if (feeAsset === instrument.quote) return undefined;
  if (feeAsset === instrument.base) return fee;
  throw new InvariantError(
    'E_FEE_ASSET',
    `expected a fee of ${instrument.id} in ${instrument.base} or ${instrument.quote}, received ${feeAsset}`,
  );
}

/**
 * A fill's fee in quote. A fee in base is converted at the fill's price.
 *
 * @throws {InvariantError} as {@link feeInBase}.
 */
export function feeWorth(
  fill: Pick<FillRecord, 'fee' | 'feeAsset' | 'price'>,
  instrument: Instrument,
): Fixed {
  const inBase = feeInBase(fill, instrument);
  return inBase === undefined ? fill.fee : multiplyFixed(inBase, fill.price);
}
