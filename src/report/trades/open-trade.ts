import {
  divideHalfEven,
  FIXED_ONE,
  formatFixed,
  type Fixed,
  type Instrument,
} from '../../domain/index.js';
import { isInverse, type FillValue } from '../fill-value.js';
import type { ResultFill, Trade } from '../result-schema.js';

/** A fill with its index in the result and its entry there. */
export interface PlacedFill {
  readonly place: number;
  readonly entry: ResultFill;
  readonly value: FillValue;
}

/** Fills of one end of a trade (entry or exit), added one by one. */
class TradeEnd {
  // Starts with one element: V8 reserves room for many more when an empty list grows.
  readonly fills: number[];
  readonly #first: PlacedFill;
  #last: ResultFill;
  #isOnePrice = true;
  /** Quantity of the fills. A fee in base is not deducted. */
  #traded: Fixed;
  /** Σ price × quantity, not rounded; for inverse contracts Σ quantity ÷ price. Undefined with one fill, whose price is the average. */
  #worth: bigint | undefined;
  /** Quantity that entered or left the position. */
  #quantity: Fixed;

  constructor(fill: PlacedFill) {
    this.fills = [fill.place];
    this.#first = fill;
    this.#last = fill.entry;
    this.#traded = fill.value.fill.record.quantity;
    this.#quantity = fill.value.quantity;
  }

  add({ place, entry, value }: PlacedFill): void {
    const { price, quantity } = value.fill.record;
    const first = this.#first.value;
    this.fills.push(place);
    this.#last = entry;
    if (first.fill.record.price !== price) this.#isOnePrice = false;
    this.#traded += quantity;
    this.#worth = (this.#worth ?? worthOf(first)) + worthOf(value);
    this.#quantity += value.quantity;
  }

  /** The entry of a trade in the form of a result. Time, label and cause are those of the first fill. */
  asEntry(isInverse: boolean): Trade['entry'] {
    return this.#as(this.#first.entry, isInverse);
  }

  /** The exit of a trade in the form of a result. Time, label and cause are those of the last fill. */
  asExit(isInverse: boolean): Trade['entry'] {
    return this.#as(this.#last, isInverse);
  }

  #as(fill: ResultFill, isInverse: boolean): Trade['entry'] {
    const { time, label, cause } = fill;
    // A single fill already has these texts.
    const isSingle = this.fills.length === 1;
    const price = isSingle ? fill.price : formatFixed(this.#averagePrice(isInverse));
    const isWhole = isSingle && this.#quantity === this.#traded;
    const quantity = isWhole ? fill.quantity : formatFixed(this.#quantity);
    return { time, price, quantity, fills: this.fills, label, cause };
  }

  /** If all fills have one price, that price is the average, without rounding. */
  #averagePrice(isInverse: boolean): Fixed {
    const worth = this.#worth;
    if (this.#isOnePrice || worth === undefined || worth === 0n)
      return this.#first.value.fill.record.price;
    return isInverse
      ? divideHalfEven(this.#traded * FIXED_ONE, worth)
      : divideHalfEven(worth, this.#traded);
  }
}

function worthOf({ fill: { record }, isInverse }: FillValue): bigint {
  return isInverse
    ? divideHalfEven(record.quantity * FIXED_ONE, record.price)
    : record.quantity * record.price;
}

/** Figures of an open trade that its fills and candles give, apart from its profit. */
export class OpenTrade {
  readonly instrument: Instrument;
  readonly isInverse: boolean;
  // Starts with the first fill: see `TradeEnd`.
  #intents: number[] | undefined;
  /** Index of the trade, in the order in which trades began. */
  readonly place: number;
  /** Whether the position was held when the run began. */
  readonly isOld: boolean;
  /** Fills that opened the position. Undefined if all of it was held when the run began. */
  entry: TradeEnd | undefined;
  exit: TradeEnd | undefined;
  /** Time of the last change of the holding. */
  since: number;
  /** Worth of all opened quantity, in the equity currency; undefined if it is not known. */
  opened: Fixed | undefined = 0n;
  arrival: Fixed | undefined;
  /** Undefined as soon as one of its prices is not known. */
  shortfall: Fixed | undefined = 0n;
  /** Units of the equity currency per unit of quote, at the last fill. */
  quoteRate: Fixed = FIXED_ONE;
  mae: Fixed = 0n;
  mfe: Fixed = 0n;

  constructor(start: {
    readonly instrument: Instrument;
    readonly place: number;
    readonly time: number;
    readonly isOld: boolean;
  }) {
    this.instrument = start.instrument;
    this.isInverse = isInverse(start.instrument);
    this.place = start.place;
    this.since = start.time;
    this.isOld = start.isOld;
  }

  /** Takes a fill of this trade. Returns whether the fill is the first that opens the position. */
  take(fill: PlacedFill): boolean {
    const { entry, exit } = this;
    const { intent } = fill.entry;
    if (this.#intents === undefined) this.#intents = intent === null ? undefined : [intent];
    else if (intent !== null && this.#intents.at(-1) !== intent) this.#intents.push(intent);
    if (fill.value.fill.record.action === 'open') {
      if (entry === undefined) this.entry = new TradeEnd(fill);
      else entry.add(fill);
      return entry === undefined;
    }
    if (exit === undefined) this.exit = new TradeEnd(fill);
    else exit.add(fill);
    return false;
  }

  /** Intents that the fills served, each once. */
  get intents(): number[] {
    const intents = this.#intents ?? [];
    // Two neighbors always differ, so a list of two has no duplicate.
    return intents.length <= 2 ? intents : [...new Set(intents)];
  }

  /** Updates MAE and MFE with a profit before costs that the trade had at some time. */
  see(profit: Fixed): void {
    if (profit < this.mae) this.mae = profit;
    if (profit > this.mfe) this.mfe = profit;
  }
}
