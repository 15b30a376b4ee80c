import {
  absFixed,
  FIXED_ONE,
  maxFixed,
  multiplyFixed,
  type DecimalInput,
  type Fixed,
  type InstrumentId,
  type Refusal,
  type ResolvedRules,
  type TargetSize,
} from '../../../domain/index.js';
import { readAmount } from '../../../risk/index.js';
import { isEnding } from '../working/order-questions.js';
import { heldQuantity, isIdle, type PositionSide, type PositionSides } from '../position-side.js';
import { sumRefusal, twiceRefusal } from './target-refusals.js';
import { quantityEntering, quantityLeaving, type UnitWorth } from './under-way.js';

/** The target of one instrument. */
export interface InstrumentTarget {
  readonly instrumentId: InstrumentId;
  readonly sides: PositionSides;
  readonly to: TargetSize;
}

/** The difference between one side of an instrument and its target. */
export interface TargetGap {
  readonly positionSide: PositionSide;
  /** Base or contracts, rounded down; negative for a quantity to sell, 0 if only entries are to be withdrawn. */
  readonly difference: Fixed;
  readonly isToBeLeft: boolean;
  /** Whether entries would lead beyond a target other than 0. */
  readonly isCrowded: boolean;
  readonly isByWeight: boolean;
  /** Value of the difference, or of these entries, in the equity currency, and (`money`) in quote. */
  readonly worth: Fixed;
  readonly money: Fixed;
}

/** Finds an instrument with two targets, or weights on spot that are more than all money. */
export function findTargetProblem(targets: readonly InstrumentTarget[]): Refusal | undefined {
  const found = new Set<InstrumentId>();
  let spotWeights = 0n;
  for (const { instrumentId, sides, to } of targets) {
    if (found.has(instrumentId)) return twiceRefusal(instrumentId);
    found.add(instrumentId);
    if ('weight' in to && sides.long.account.instrument.kind === 'spot')
      spotWeights += readFixed(to.weight);
  }
  return sumRefusal(spotWeights);
}

/** Whether orders are being canceled that change how much is missing: what they still fill is known at their end. */
export function areEnding(targets: readonly InstrumentTarget[]): boolean {
  return targets.some(
    ({ sides: { long, short } }) => long.working.some(isEnding) || short.working.some(isEnding),
  );
}

/** Whether nothing works or waits on a side. */
export function isUntouched(positionSide: PositionSide): boolean {
  const { failedExits, waiting } = positionSide;
  return isIdle(positionSide) && failedExits.length === 0 && waiting === undefined;
}

/** What is wanted of one instrument. */
interface WantedPosition {
  readonly to: TargetSize;
  /** Negative for short. */
  readonly quantity: Fixed;
  readonly rules: ResolvedRules;
  readonly unit: UnitWorth;
  /** A difference that is worth no more is left alone. In the equity currency. */
  readonly tolerated: Fixed;
}

/** Undefined if nothing is missing, or no more than is tolerated. */
export function gapOf(
  positionSide: PositionSide,
  { to, quantity, rules, unit, tolerated }: WantedPosition,
): TargetGap | undefined {
  const held = heldQuantity(positionSide, rules);
  const hasOrders = !isIdle(positionSide);
  const entering = hasOrders ? quantityEntering(positionSide, unit) : 0n;
  const staying = hasOrders ? held - quantityLeaving(positionSide, held, unit) : held;
  const isMeant = positionSide.direction === 'long' ? quantity > 0n : quantity < 0n;
  const target = isMeant ? absFixed(quantity) : 0n;
  const off = target - staying - entering;
  const difference = off < 0n ? -floor(maxFixed(staying - target, 0n), rules) : floor(off, rules);
  const isToBeLeft = target === 0n && off < 0n;
  const isCrowded = target > 0n && off < 0n && entering > 0n;
  // If too little is held to be sold, entries may still be withdrawn: then they are the gap.
  const isOfEntries = isCrowded || (isToBeLeft && difference === 0n && entering > 0n);
  const size = isOfEntries ? off : difference;
  if (size === 0n) return undefined;
  const worth = multiplyFixed(size, unit.inEquity);
  if (absFixed(worth) <= tolerated) return undefined;
  const money = multiplyFixed(size, unit.inQuote);
  const isByWeight = 'weight' in to;
  return { positionSide, difference, isToBeLeft, isCrowded, isByWeight, worth, money };
}

export function targetAmount(to: TargetSize): Fixed {
  if ('quantity' in to) return readFixed(to.quantity);
  return readFixed('notional' in to ? to.notional : to.weight);
}

/** Target quantity in base or contracts, negative for short. */
export function wantedQuantity(
  to: TargetSize,
  equity: Fixed,
  { inQuote, inEquity }: UnitWorth,
): Fixed {
  const amount = targetAmount(to);
  if ('quantity' in to) return amount;
  return 'notional' in to ? (amount * FIXED_ONE) / inQuote : (amount * equity) / inEquity;
}

/** The form of the intent has been checked, so the input is a decimal. */
export function readFixed(input: DecimalInput): Fixed {
  const amount = readAmount(input);
  return typeof amount === 'bigint' ? amount : 0n;
}

function floor(value: Fixed, { step }: ResolvedRules): Fixed {
  return value <= 0n ? 0n : value - (value % step);
}

/** Reduces a gap in proportion to a lower worth. */
export function cutGap(gap: TargetGap, worth: Fixed): TargetGap {
  const share = (worth * FIXED_ONE) / gap.worth;
  const [difference, money] = [gap.difference, gap.money].map((one) => multiplyFixed(one, share));
  return { ...gap, worth, difference: difference ?? 0n, money: money ?? 0n };
}
