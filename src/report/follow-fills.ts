import {
  contractValue,
  missing,
  multiplyFixed,
  present,
  type Asset,
  type EpochMs,
  type Fixed,
  type Instrument,
} from '../domain/index.js';
import { FillValuer, type FillValue } from './fill-value.js';
import { TripBook, type RoundTrip } from './round-trips.js';
import type { FillEffect, GapStart, RunRecord } from './run-record.js';
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
  readonly otherFees: readonly OtherFee[];
}

/** Fees in an asset that is neither base nor quote of what was traded. */
export interface OtherFee {
  readonly asset: Asset;
  readonly amount: Fixed;
  /** In the equity currency, at the last prices of the fills: part of all fees. Undefined where nothing values the asset. */
  readonly value: Fixed | undefined;
}

/** The figures of a run's trades, and the money its fills tell of. */
export interface FollowedFills extends TradedMoney {
  readonly trades: TradeFigures;
  /** Longest time from the first fill of a trade to its last, or to the end of the run while it is open; milliseconds, 0 without a trade. */
  readonly longestHoldMs: number;
}

/** What the fills of a run tell together, in one pass. `see`: is shown each of them. @defaultValue nobody looks */
export function followFills(
  record: RunRecord,
  see: (fill: FillEffect) => void = () => undefined,
): FollowedFills {
  const { instruments, fills } = record;
  const book = openBook(record);
  const valuer = new FillValuer(instruments);
  const totals = new FillTotals(record, book);
  // By index: fills are made as they are read, and an iterator would take as long as its fill.
  for (let index = 0; index < fills.length; index += 1) {
    const value = valuer.of(present(fills.at(index), 'fill'));
    totals.passTo(value.fill.record.eventTime);
    totals.add(value, book.take(value));
    see(value.fill);
  }
  return totals.finish();
}

/** {@link followFills}, one fill after the other, for who goes through them for more. `book`: the one that takes them. */
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

  /** Before the book takes what fills at a time. */
  passTo(time: EpochMs): void {
    this.#watch.passTo(time, this.#book);
  }

  /** After the book took a fill. `trip`: the trade that it ended. */
  add(value: FillValue, trip: RoundTrip | undefined): void {
    if (trip !== undefined) {
      this.#tally.add(trip);
      this.#longestHoldMs = Math.max(this.#longestHoldMs, trip.closeTime - trip.openTime);
    }
    if (value.isOtherFee && value.fill.record.feeAsset !== this.#equityCurrency)
      addOtherFee(this.#others, value);
    this.#traded += value.notional;
    if (this.#hidden.has(value.fill.record)) this.#undecided += value.notional;
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

/** What of a record says what was held at a time. */
export type HoldingRecord = Pick<
  RunRecord,
  'instruments' | 'openingHoldings' | 'financings' | 'fills'
> & { readonly run: Pick<RunRecord['run'], 'from'> };

/** What was held of an instrument when its candles broke off, long and short together. */
export interface HeldAtBreak {
  /** Base, or contracts. */
  readonly quantity: Fixed;
  /** Worth at the last close, in the equity currency. */
  readonly money: Fixed;
}

/** What was held when candles broke off, one by one; `starts` in the order of their times. */
export function heldAtBreaks(
  record: HoldingRecord,
  starts: readonly GapStart[],
): readonly HeldAtBreak[] {
  const { instruments, fills } = record;
  const book = openBook(record);
  const valuer = new FillValuer(instruments);
  const watch = new HoldingWatch(starts, instruments);
  for (let index = 0; index < fills.length && watch.held.length < starts.length; index += 1) {
    const value = valuer.of(present(fills.at(index), 'fill'));
    watch.passTo(value.fill.record.eventTime, book);
    book.take(value);
  }
  watch.passTo(Number.POSITIVE_INFINITY, book);
  return watch.held;
}

/** The book that pairs the fills of a run into trades, before the first of them. */
export function openBook({ run, openingHoldings, financings }: HoldingRecord): TripBook {
  return new TripBook({ time: run.from, holdings: openingHoldings, financings });
}

/** Looks at what is held when candles break off, as fills pass. */
class HoldingWatch {
  readonly held: HeldAtBreak[] = [];
  readonly #starts: readonly GapStart[];
  readonly #instruments: readonly Instrument[];

  constructor(starts: readonly GapStart[], instruments: readonly Instrument[]) {
    this.#starts = starts;
    this.#instruments = instruments;
  }

  /** Before what fills at a time is taken. What fills as the last candle closes is held when the candles break off. */
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
    const value =
      instrument.kind === 'futures'
        ? contractValue(instrument, quantity, price)
        : multiplyFixed(quantity, price);
    return { quantity, money: multiplyFixed(value, worth) };
  }
}
