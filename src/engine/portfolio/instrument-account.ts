import {
  fixedFromNumber,
  type Direction,
  type EpochMs,
  type Fixed,
  type Instrument,
} from '../../domain/index.js';
import { SideLedger } from './side-ledger.js';

/** The last converted number and its exact value, kept because a price is read several times before it changes. */
interface ExactPrice {
  number: number;
  fixed: Fixed;
}

/** Prices and both sides of one instrument. */
export interface InstrumentAccount extends Readonly<Record<Direction, SideLedger>> {
  readonly instrument: Instrument;
  readonly exactLast: ExactPrice;
  readonly exactMark: ExactPrice;
  /** Hint that makes conversions of prices on the grid fast. */
  readonly pricePrecision: number;
  lastNumber: number;
  /** Last mark price of a contract. */
  markNumber: number;
  /** When the engine learned the last price; NaN before the first price. A float like the others, so that V8 changes it in place. */
  lastTime: EpochMs;
}

export function createInstrumentAccount(
  instrument: Instrument,
  pricePrecision: number,
): InstrumentAccount {
  return {
    instrument,
    exactLast: { number: Number.NaN, fixed: 0n },
    exactMark: { number: Number.NaN, fixed: 0n },
    pricePrecision,
    lastNumber: Number.NaN,
    markNumber: Number.NaN,
    lastTime: Number.NaN,
    long: new SideLedger('long'),
    short: new SideLedger('short'),
  };
}

/** Undefined before the first price. */
export function lastPrice({
  lastNumber,
  exactLast,
  pricePrecision,
}: InstrumentAccount): Fixed | undefined {
  return Number.isNaN(lastNumber) ? undefined : convert(exactLast, lastNumber, pricePrecision);
}

/** Undefined before the first mark, and for instruments without marks. */
export function markPrice({
  markNumber,
  exactMark,
  pricePrecision,
}: InstrumentAccount): Fixed | undefined {
  return Number.isNaN(markNumber) ? undefined : convert(exactMark, markNumber, pricePrecision);
}

function convert(known: ExactPrice, price: number, pricePrecision: number): Fixed {
  if (known.number !== price) {
    known.number = price;
    known.fixed = fixedFromNumber(price, pricePrecision);
  }
  return known.fixed;
}
