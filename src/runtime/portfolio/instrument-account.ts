import {
  fixedFromNumber,
  type Direction,
  type EpochMs,
  type Fixed,
  type Instrument,
} from '../../domain/index.js';
import { SideLedger } from './side-ledger.js';

/** What a bot knows of one instrument. */
export interface InstrumentAccount extends Readonly<Record<Direction, SideLedger>> {
  readonly instrument: Instrument;
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
    pricePrecision,
    lastNumber: Number.NaN,
    markNumber: Number.NaN,
    lastTime: Number.NaN,
    long: new SideLedger('long'),
    short: new SideLedger('short'),
  };
}

/** Undefined before the first. */
export function lastPrice({ lastNumber, pricePrecision }: InstrumentAccount): Fixed | undefined {
  return Number.isNaN(lastNumber) ? undefined : fixedFromNumber(lastNumber, pricePrecision);
}

/** Undefined before the first, and for what has none. */
export function markPrice({ markNumber, pricePrecision }: InstrumentAccount): Fixed | undefined {
  return Number.isNaN(markNumber) ? undefined : fixedFromNumber(markNumber, pricePrecision);
}
