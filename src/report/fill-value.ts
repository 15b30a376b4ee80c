import {
  convertFixed,
  directionOf,
  feeInBase,
  feeWorth,
  multiplyFixed,
  missing,
  shareFixed,
  type Direction,
  type Fixed,
  type FillRecord,
  type Instrument,
} from '../domain/index.js';
import type { RunFill } from './run-record.js';

/** A fill as it changes a position, with its money in the equity currency where it says so. */
export interface FillValue {
  readonly fill: RunFill;
  readonly direction: Direction;
  /** What enters or leaves the position: base less a fee paid in base, or contracts. */
  readonly quantity: Fixed;
  /** Worth of that quantity at the fill: in quote; inverse contracts in base. */
  readonly value: Fixed;
  /** Whether a close may take more than is held: what buys back a loan, fee in base, is rounded up, and the surplus is owned. */
  readonly mayExceed: boolean;
  /** Whether `value` falls as the price rises. */
  readonly isInverse: boolean;
  /** Units of the equity currency per unit of `value`, at the fill. */
  readonly valueRate: Fixed;
  /** Price × quantity in the equity currency, the fee not taken off. */
  readonly notional: Fixed;
  /** In the equity currency; a fee in base is valued at the fill's price. */
  readonly fee: Fixed;
}

/**
 * Values the fills of a run, in their order.
 *
 * A spot or margin buy that pays its fee in base brings quantity − fee into the position, a sell takes quantity + fee out of it; the
 * fee itself is a cost at the fill's price, so that nothing is counted twice.
 * @throws {InvariantError} `E_FEE_ASSET` when the fee is in neither base nor quote, `E_MISSING` for an instrument that is not in the list.
 */
export function* valueFills(
  fills: Iterable<RunFill>,
  instruments: readonly Instrument[],
): Generator<FillValue, void, undefined> {
  const byId = new Map(instruments.map((instrument) => [instrument.id, instrument]));
  for (const fill of fills) {
    const { instrumentId } = fill.record;
    yield valueFill(fill, byId.get(instrumentId) ?? missing(`instrument ${instrumentId}`));
  }
}

function valueFill(fill: RunFill, instrument: Instrument): FillValue {
  const { record, quoteRate } = fill;
  const paidInBase = feeInBase(record, instrument);
  const feeInQuote = feeWorth(record, instrument);
  const notional = quoteNotional(record, instrument);
  const isFuture = instrument.kind === 'futures';
  const isInverse = isFuture && instrument.contract === 'inverse';
  // What a buy pays in base never arrives, what a sell pays in base leaves as well. Contracts are whole either way.
  const isReduced = paidInBase !== undefined && !isFuture;
  const sign = record.side === 'buy' ? -1n : 1n;
  const value = isReduced ? notional + sign * feeInQuote : notional;
  return {
    fill,
    direction: directionOf(record),
    quantity: isReduced ? record.quantity + sign * paidInBase : record.quantity,
    value: isInverse ? shareFixed(record.quantity, instrument.multiplier, record.price) : value,
    mayExceed: instrument.kind === 'margin',
    isInverse,
    valueRate: isInverse ? multiplyFixed(record.price, quoteRate) : quoteRate,
    notional: convertFixed(notional, quoteRate),
    fee: convertFixed(feeInQuote, quoteRate),
  };
}

function quoteNotional({ price, quantity }: FillRecord, instrument: Instrument): Fixed {
  if (instrument.kind !== 'futures') return multiplyFixed(quantity, price);
  const face = multiplyFixed(quantity, instrument.multiplier);
  return instrument.contract === 'inverse' ? face : multiplyFixed(face, price);
}
