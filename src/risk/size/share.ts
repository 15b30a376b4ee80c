import {
  FIXED_DECIMALS,
  FIXED_ONE,
  type DecimalInput,
  type ExitSize,
  type Fixed,
} from '../../domain/index.js';
import { floorAmount, isPositive, readAmount, type Amount } from './amount.js';
import { floorPositive } from './money.js';
import { createRefusal, describeInput, type Refused } from '../refusal.js';
import type { SizedAmount } from './sizing.js';
import type { OrderTerms } from '../terms.js';

/** The part of a position that an exit asks for, before rounding to the grid; undefined if it cannot be read. */
export function readPart(size: ExitSize, held: Fixed): Amount | undefined {
  if ('quantity' in size) return readAmount(size.quantity);
  const share = readShare(size.share);
  return share === undefined ? undefined : shareOf(held, share);
}

/** A share of a position, rounded down to the step (0 if it is less than one step). */
export function readSharedQuantity(
  { rules }: OrderTerms,
  input: DecimalInput,
  whole: Fixed,
): SizedAmount | Refused {
  const share = readShare(input);
  if (share === undefined) return refuseShare(input, 'share of the position', '0.5');
  return { value: floorPositive(shareOf(whole, share), rules.step), change: undefined };
}

function shareOf(whole: Fixed, share: Fixed): Fixed {
  return (whole * share) / FIXED_ONE;
}

/** A ratio above 0 and at most 1; undefined for any other input. */
export function readShare(input: DecimalInput): Fixed | undefined {
  const asked = readAmount(input);
  if (asked === undefined || !isPositive(asked)) return undefined;
  const isWithin = typeof asked === 'bigint' ? asked <= FIXED_ONE : asked.lte(1);
  return isWithin ? floorAmount(asked, FIXED_DECIMALS, 1n) : undefined;
}

export function refuseShare(input: unknown, unit: string, example: string): Refused {
  const received = describeInput(input);
  return createRefusal({
    check: 'invalid-size',
    limit: '> 0 and <= 1',
    actual: received,
    unit,
    text: `expected a ${unit} above 0 and at most 1 as decimal text such as "${example}", received ${received}`,
  });
}
