import {
  Decimal,
  FIXED_ONE,
  fixedFromDecimal,
  maxFixed,
  minFixed,
  type Fixed,
  type QuantityUnit,
} from '../../../domain/index.js';
import { readPart } from '../../../risk/index.js';
import { isLeavingOrder, isLeavingNoMore } from '../working/order-questions.js';
import type { ExitJob, PositionSide, Remainder } from '../position-side.js';

/** Worth of one unit of base, or of one contract. */
export interface UnitWorth {
  readonly inQuote: Fixed;
  readonly inEquity: Fixed;
}

/** Quantity that working entries, and rests of entries that are still to be sent, may still add. */
export function quantityEntering(positionSide: PositionSide, unit: UnitWorth): Fixed {
  let quantity = unsent(positionSide, isOfEntry, unit);
  for (const { request, remaining } of positionSide.working.all)
    if (request.action === 'open') quantity += inUnits(remaining, request.unit, unit);
  return quantity;
}

/**
 * Quantity that exits will take away: those that work, wait, or are still to be sent. A take-profit takes nothing away: it guards what stays. An exit that
 * waits may wait for the quantity of one that is being canceled, so both count once.
 */
export function quantityLeaving(positionSide: PositionSide, held: Fixed, unit: UnitWorth): Fixed {
  const { working, exitJobs } = positionSide;
  let waiting = 0n;
  for (const job of exitJobs) waiting += partOf(job, held);
  const ending = working.remaining(isLeavingNoMore);
  const leaving = working.remaining(isLeavingOrder) + unsent(positionSide, isOfExit, unit);
  return minFixed(leaving + maxFixed(waiting - ending, 0n), held);
}

function partOf({ intent: { size } }: ExitJob, held: Fixed): Fixed {
  const part = size === undefined ? held : (readPart(size, held) ?? 0n);
  return typeof part === 'bigint'
    ? part
    : fixedFromDecimal(part.toDecimalPlaces(18, Decimal.ROUND_DOWN));
}

const isOfEntry = ({ role }: Remainder): boolean => role === 'entry';
const isOfExit = (rest: Remainder): boolean => !isOfEntry(rest);

/** Remaining quantities that are sent later. */
function unsent(
  { remainders }: PositionSide,
  isMeant: (rest: Remainder) => boolean,
  unit: UnitWorth,
): Fixed {
  let quantity = 0n;
  for (const rest of remainders.values())
    if (isMeant(rest)) quantity += inUnits(rest.quantity, rest.unit, unit);
  return quantity;
}

/** An amount of an order in base or contracts. */
function inUnits(amount: Fixed, of: QuantityUnit, { inQuote }: UnitWorth): Fixed {
  return of === 'quote' ? (amount * FIXED_ONE) / inQuote : amount;
}
