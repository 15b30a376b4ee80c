import { contractValue, missing, multiplyFixed, present, type Fixed } from '../domain/index.js';
import { FillValuer } from './fill-value.js';
import { TripBook } from './round-trips.js';
import type { GapStart, RunRecord } from './run-record.js';
import { TradeTally, type TradeFigures } from './trade-figures.js';
import { UndecidedFills } from './undecided-fills.js';

/** Money in the equity currency that only the fills, one after the other, can tell. */
export interface TradedMoney {
  /** Σ notional of all fills. */
  readonly traded: Fixed;
  /** Σ notional of those inside undecided candles. */
  readonly undecided: Fixed;
  /** Σ over the gaps of what was held when they began. */
  readonly heldInGaps: Fixed;
}

/** The figures of a run's trades, and the money its fills tell of, in one pass. */
export function followFills(record: RunRecord): TradedMoney & { readonly trades: TradeFigures } {
  const { run, instruments, openingHoldings, carries, fills, undecidedSpans, gaps } = record;
  const book = new TripBook({ time: run.from, holdings: openingHoldings, carries });
  const valuer = new FillValuer(instruments);
  const tally = new TradeTally();
  const hidden = new UndecidedFills(undecidedSpans);
  const { starts } = gaps;
  let traded = 0n;
  let undecided = 0n;
  let heldInGaps = 0n;
  let gap = 0;
  const passGap = (start: GapStart): void => {
    gap += 1;
    heldInGaps += moneyHeld(start, { book, record });
  };
  // By index: fills are made as they are read, and an iterator would take as long as its fill.
  for (let index = 0; index < fills.length; index += 1) {
    const value = valuer.of(present(fills.at(index), 'fill'));
    const { eventTime } = value.fill.record;
    // What fills when the last candle closes is held across the gap.
    for (let next = starts[gap]; next !== undefined && next.time < eventTime; next = starts[gap])
      passGap(next);
    const trip = book.take(value);
    if (trip !== undefined) tally.add(trip);
    traded += value.notional;
    if (hidden.has(value.fill.record)) undecided += value.notional;
  }
  for (let next = starts[gap]; next !== undefined; next = starts[gap]) passGap(next);
  return { trades: tally.figures, traded, undecided, heldInGaps };
}

function moneyHeld(
  { instrumentId, time, price, worth }: GapStart,
  { book, record }: { readonly book: TripBook; readonly record: RunRecord },
): Fixed {
  const instrument =
    record.instruments.find(({ id }) => id === instrumentId) ??
    missing(`instrument ${instrumentId}`);
  const quantity = book.heldAt(instrumentId, time);
  const value =
    instrument.kind === 'futures'
      ? contractValue(instrument, quantity, price)
      : multiplyFixed(quantity, price);
  return multiplyFixed(value, worth);
}
