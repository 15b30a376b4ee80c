import {
  divideHalfEven,
  FIXED_ONE,
  formatFixed,
  type Fixed,
  type Instrument,
} from '../../domain/index.js';
import type { FillValue } from '../fill-value.js';
import type { ResultFill, Trade } from '../result-schema.js';

/** A fill with its place in the result, and as the result has it. */
export interface PlacedFill {
  readonly place: number;
  readonly entry: ResultFill;
  readonly value: FillValue;
}

/** Fills of one end of a trade, entry or exit, as they come. */
export class TradeEnd {
  // Begun with one: a list that is empty first keeps room for many.
  readonly fills: number[];
  readonly #first: PlacedFill;
  #last: ResultFill;
  #isOnePrice = true;
  /** Of the fills, a fee in base not taken off. */
  #traded: Fixed;
  /** Σ price × quantity, not rounded; of inverse contracts Σ quantity ÷ price. Undefined of one fill, whose price is the average. */
  #worth: bigint | undefined;
  /** What entered or left the position. */
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

  /** As a trade has its entry: time, label and cause are of the first fill. */
  asEntry(isInverse: boolean): Trade['entry'] {
    return this.#as(this.#first.entry, isInverse);
  }

  /** As a trade has its exit: time, label and cause are of the last fill. */
  asExit(isInverse: boolean): Trade['entry'] {
    return this.#as(this.#last, isInverse);
  }

  #as(fill: ResultFill, isInverse: boolean): Trade['entry'] {
    const { time, label, cause } = fill;
    // The texts of a single fill are known.
    const isSingle = this.fills.length === 1;
    const price = isSingle ? fill.price : formatFixed(this.#averagePrice(isInverse));
    const isWhole = isSingle && this.#quantity === this.#traded;
    const quantity = isWhole ? fill.quantity : formatFixed(this.#quantity);
    return { time, price, quantity, fills: this.fills, label, cause };
  }

  /** What was traded at one price has that, whatever was rounded. */
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

/** What of a trade under way its fills and candles tell beside its profit. */
export class OpenTrade {
  readonly instrument: Instrument;
  readonly isInverse: boolean;
  // Begun with the first fill: see `TradeEnd`.
  #intents: number[] | undefined;
  /** In the order in which trades began. */
  readonly place: number;
  /** Held when the run began. */
  readonly isOld: boolean;
  /** What was bought for it; undefined where all was held when the run began. */
  entry: TradeEnd | undefined;
  exit: TradeEnd | undefined;
  /** Since when what is held is the same. */
  since: number;
  /** Worth of what was opened, in the equity currency; undefined where it is not known. */
  opened: Fixed | undefined = 0n;
  arrival: Fixed | undefined;
  /** Undefined once a price that it needs is not known. */
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

  /** Takes a fill that opens or closes it. Returns whether it is the first that opens. */
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

  /** What its fills served, each once. */
  get intents(): number[] {
    const intents = this.#intents ?? [];
    // Two are not the same, or the second would not be here.
    return intents.length <= 2 ? intents : [...new Set(intents)];
  }

  /** Notes what the trade would have brought, before costs. */
  see(profit: Fixed): void {
    if (profit < this.mae) this.mae = profit;
    if (profit > this.mfe) this.mfe = profit;
  }
}

/** Whether what a contract is worth in quote stays, and its worth in base falls as the price rises. */
export function isInverse(instrument: Instrument): boolean {
  return instrument.kind === 'futures' && instrument.contract === 'inverse';
}
