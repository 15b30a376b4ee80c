import {
  fixedFromNumber,
  type Direction,
  type EpochMs,
  type Fixed,
  type Instrument,
} from '../../domain/index.js';
import { SideLedger } from './side-ledger.js';

/** The number that was converted last, and what it is exactly: a price is asked for several times before it changes. */
interface ExactPrice {
  number: number;
  fixed: Fixed;
}

/** What a bot knows of one instrument. */
export interface InstrumentAccount extends Readonly<Record<Direction, SideLedger>> {
  readonly instrument: Instrument;
  readonly exactLast: ExactPrice;
  readonly exactMark: ExactPrice;
  /** Hint that makes conversions of prices on the grid fast. */
  readonly pricePrecision: number;
  lastNumber: number;
  /** Last mark price of a contract. */
  markNumber: number;
  /** When the engine learned the last price; NaN before the first. A float like the others, which is changed in place. */
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

/** Undefined before the first. */
export function lastPrice({
  lastNumber,
  exactLast,
  pricePrecision,
}: InstrumentAccount): Fixed | undefined {
  return Number.isNaN(lastNumber) ? undefined : convert(exactLast, lastNumber, pricePrecision);
}

/** Undefined before the first, and for what has none. */
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
