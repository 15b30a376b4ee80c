import {
  missing,
  multiplyFixed,
  present,
  type Asset,
  type EpochMs,
  type Fixed,
  type Instrument,
} from '../../domain/index.js';
import { FillValuer, worthAt, type FillValue } from './fill-value.js';
import { TripBook, type RoundTrip } from './round-trips.js';
import type { FillEffect, GapStart, RunRecord } from '../run-record.js';
import { TradeTally, type TradeFigures } from './trade-figures.js';
import { UndecidedFills } from './undecided-fills.js';

/** Money in the equity currency that follows only from the fills in their order. */
export interface TradedMoney {
  /** Σ notional of all fills. */
  readonly traded: Fixed;
  /** Σ notional of the fills inside undecided candles. */
  readonly undecided: Fixed;
  /** Σ over the gaps of the worth held when the gap began. */
  readonly heldInGaps: Fixed;
  readonly otherFees: readonly OtherFee[];
}

/** Fees in an asset that is neither base nor quote of the traded instrument. */
export interface OtherFee {
  readonly asset: Asset;
  readonly amount: Fixed;
  /** In the equity currency, at the last prices before the fills: a part of all fees. Undefined if no instrument values the asset. */
  readonly value: Fixed | undefined;
}

/** Figures of a run's trades, and the money that follows from its fills. */
export interface FollowedFills extends TradedMoney {
  readonly trades: TradeFigures;
  /** Longest time from the first fill of a trade to its last, or to the end of the run if it is still open; milliseconds, 0 without a trade. */
  readonly longestHoldMs: number;
}

/** Figures from one pass over the fills of a run. `see`: is called with each fill. @defaultValue no callback */
export function followFills(
  record: RunRecord,
  see: (fill: FillEffect) => void = () => undefined,
): FollowedFills {
  const { fills } = record;
  const book = openBook(record);
  const valuer = new FillValuer(record);
  const totals = new FillTotals(record, book);
  // By index: fills are made as they are read, and an iterator would take as long as the fill itself.
  for (let index = 0; index < fills.length; index += 1) {
    const value = valuer.of(present(fills.at(index), 'fill'));
    totals.passTo(value.fill.record.eventTime);
    totals.add(value, book.take(value));
    if (value.payer !== undefined) totals.count(book.payFee(value));
    see(value.fill);
  }
  return totals.finish();
}

/** {@link followFills} step by step, for callers that read the fills for other figures too. `book`: the book that takes the same fills. */
export class FillTotals {
  readonly #equityCurrency: Asset;
  readonly #end: EpochMs;
  readonly #book: TripBook;
  readonly #hidden: UndecidedFills;
  readonly #watch: HoldingWatch;
  readonly #tally = new TradeTally();
  readonly #others = new Map<Asset, OtherFee>();
  #traded: Fixed = 0n;
  #undecided: Fixed = 0n;
  #longestHoldMs = 0;

  constructor(record: RunRecord, book: TripBook) {
    this.#equityCurrency = record.equityCurrency;
    this.#end = record.run.to;
    this.#book = book;
    this.#hidden = new UndecidedFills(record.undecidedSpans);
    this.#watch = new HoldingWatch(record.gaps.starts, record.instruments);
  }

  /** To be called before the book takes the fills of `time`. */
  passTo(time: EpochMs): void {
    this.#watch.passTo(time, this.#book);
  }

  /** To be called after the book took a fill. `trip`: the trade that the fill ended. */
  add(value: FillValue, trip: RoundTrip | undefined): void {
    if (trip !== undefined) this.count(trip);
    if (value.isOtherFee && value.fill.record.feeAsset !== this.#equityCurrency)
      addOtherFee(this.#others, value);
    this.#traded += value.notional;
    if (this.#hidden.has(value.fill.record)) this.#undecided += value.notional;
  }

  /** To be called after the book took the fee of a fill, too. `trip`: the trade that this ended. */
  count(trip: RoundTrip | undefined): void {
    if (trip === undefined) return;
    this.#tally.add(trip);
    this.#longestHoldMs = Math.max(this.#longestHoldMs, trip.closeTime - trip.openTime);
  }

  finish(): FollowedFills {
    this.#watch.passTo(Number.POSITIVE_INFINITY, this.#book);
    const openSince = this.#book.openSince ?? this.#end;
    return {
      trades: this.#tally.figures,
      longestHoldMs: Math.max(this.#longestHoldMs, this.#end - openSince),
      traded: this.#traded,
      undecided: this.#undecided,
      heldInGaps: this.#watch.held.reduce((sum, { money }) => sum + money, 0n),
      otherFees: [...this.#others.values()],
    };
  }
}

function addOtherFee(others: Map<Asset, OtherFee>, { fill, fee }: FillValue): void {
  const { feeAsset: asset, fee: amount } = fill.record;
  const known = others.get(asset);
  const value = fill.feeRate === undefined ? known?.value : (known?.value ?? 0n) + fee;
  others.set(asset, { asset, amount: (known?.amount ?? 0n) + amount, value });
}

/** The part of a record that determines the holdings at a time. */
export type HoldingRecord = Pick<
  RunRecord,
  'instruments' | 'equityCurrency' | 'openingHoldings' | 'financings' | 'fills'
> & { readonly run: Pick<RunRecord['run'], 'from'> };

/** Holding of an instrument when its candles broke off, long and short together. */
interface HeldAtBreak {
  /** Base, or contracts. */
  readonly quantity: Fixed;
  /** Worth at the last close, in the equity currency. */
  readonly money: Fixed;
}

/** Holdings when candles broke off, one per start. `starts` must be in order of time. */
export function heldAtBreaks(
  record: HoldingRecord,
  starts: readonly GapStart[],
): readonly HeldAtBreak[] {
  const { instruments, fills } = record;
  const book = openBook(record);
  const valuer = new FillValuer(record);
  const watch = new HoldingWatch(starts, instruments);
  for (let index = 0; index < fills.length && watch.held.length < starts.length; index += 1) {
    const value = valuer.of(present(fills.at(index), 'fill'));
    watch.passTo(value.fill.record.eventTime, book);
    book.take(value);
    if (value.payer !== undefined) book.payFee(value);
  }
  watch.passTo(Number.POSITIVE_INFINITY, book);
  return watch.held;
}

/** The book that pairs the fills of a run into trades, before the first fill. */
export function openBook({ run, openingHoldings, financings }: HoldingRecord): TripBook {
  return new TripBook({ time: run.from, holdings: openingHoldings, financings });
}

/** Records the holding at each break of candles while fills pass. */
class HoldingWatch {
  readonly held: HeldAtBreak[] = [];
  readonly #starts: readonly GapStart[];
  readonly #instruments: readonly Instrument[];

  constructor(starts: readonly GapStart[], instruments: readonly Instrument[]) {
    this.#starts = starts;
    this.#instruments = instruments;
  }

  /** To be called before the fills of `time` are taken. A fill at the last close counts as held when the candles break off. */
  passTo(time: EpochMs, book: TripBook): void {
    for (
      let start = this.#starts[this.held.length];
      start !== undefined && start.time < time;
      start = this.#starts[this.held.length]
    )
      this.held.push(this.#look(start, book));
  }

  #look({ instrumentId, time, price, worth }: GapStart, book: TripBook): HeldAtBreak {
    const instrument =
      this.#instruments.find(({ id }) => id === instrumentId) ??
      missing(`instrument ${instrumentId}`);
    const quantity = book.heldAt(instrumentId, time);
    return { quantity, money: multiplyFixed(worthAt(instrument, quantity, price), worth) };
  }
}
