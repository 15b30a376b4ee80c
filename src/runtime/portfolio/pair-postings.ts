import {
  addFixed,
  multiplyFixed,
  subtractFixed,
  type Direction,
  type FillRecord,
  type Fixed,
  type MarginInstrument,
  type SpotInstrument,
} from '../../domain/index.js';
import type { CashBook } from './cash-book.js';
import type { SideLedger } from './side-ledger.js';

/** One side of a pair whose base and quote are traded as such: spot, or spot with borrowed assets. */
export interface PairSide {
  readonly instrument: SpotInstrument | MarginInstrument;
  readonly ledger: SideLedger;
}

/**
 * Books a fill of a spot or margin pair: base against quote, and the side it opens or closes. A fee in base makes a purchase smaller:
 * less is held, or less of what is owed is given back. What is bought beyond what was owed stays in the balance as dust does.
 */
export function postPairFill(
  cash: CashBook,
  { instrument, ledger }: PairSide,
  fill: FillRecord,
  step: Fixed,
): void {
  const { kind, base, quote } = instrument;
  const { quantity, side, fee, feeAsset } = fill;
  const traded = { quantity, value: multiplyFixed(fill.price, quantity) };
  const baseFee = feeAsset === base ? fee : 0n;
  const isPurchase = side === 'buy';
  cash.post(kind, quote, isPurchase ? -traded.value : traded.value);
  cash.post(kind, base, isPurchase ? quantity : -quantity);
  const moved = isPurchase ? subtractFixed(quantity, baseFee) : addFixed(quantity, baseFee);
  if (isPurchase === (ledger.direction === 'long')) ledger.open(traded, moved);
  else ledger.close(traded, moved, step);
  if (fee !== 0n) cash.charge(kind, feeAsset, 'fees', fee);
}

/** What the fills of a side should have left of base and quote, apart from fees and interest. */
export function expectedFlows({ direction, opened, closed }: SideLedger): {
  readonly base: Fixed;
  readonly quote: Fixed;
} {
  const sign = signOf(direction);
  return {
    base: sign * (opened.quantity - closed.quantity),
    quote: sign * (closed.value - opened.value),
  };
}

function signOf(direction: Direction): bigint {
  return direction === 'long' ? 1n : -1n;
}
