import { divideHalfEven, FIXED_ONE, formatFixed, type Fixed } from '../../domain/index.js';
import type { FillValue } from '../fill-value.js';
import type { ResultFill, Trade } from '../result-schema.js';

/** Fills of one end of a trade, entry or exit, as they come. */
export class TradeEnd {
  readonly fills: number[] = [];
  #first: ResultFill | undefined;
  #last: ResultFill | undefined;
  #price: Fixed = 0n;
  #isOnePrice = true;
  /** Of the fills, a fee in base not taken off. */
  #traded: Fixed = 0n;
  /** Σ price × quantity, not rounded; of inverse contracts Σ quantity ÷ price. */
  #worth = 0n;
  /** What entered or left the position. */
  quantity: Fixed = 0n;

  add(
    place: number,
    { fill: { record }, quantity, isInverse }: FillValue,
    entry: ResultFill,
  ): void {
    this.fills.push(place);
    if (this.#first === undefined) this.#price = record.price;
    else if (this.#price !== record.price) this.#isOnePrice = false;
    this.#first ??= entry;
    this.#last = entry;
    this.quantity += quantity;
    this.#traded += record.quantity;
    this.#worth += isInverse
      ? divideHalfEven(record.quantity * FIXED_ONE, record.price)
      : record.quantity * record.price;
  }

  /** As a trade has its entry: time, label and cause are of the first fill. */
  asEntry(isInverse: boolean): Trade['entry'] | undefined {
    return this.#first && this.#as(this.#first, isInverse);
  }

  /** As a trade has its exit: time, label and cause are of the last fill. */
  asExit(isInverse: boolean): Trade['entry'] | undefined {
    return this.#last && this.#as(this.#last, isInverse);
  }

  #as(fill: ResultFill, isInverse: boolean): Trade['entry'] {
    const { time, label, cause } = fill;
    // The texts of a single fill are known.
    const isSingle = this.fills.length === 1;
    const price = isSingle ? fill.price : formatFixed(this.#averagePrice(isInverse));
    const isWhole = isSingle && this.quantity === this.#traded;
    const quantity = isWhole ? fill.quantity : formatFixed(this.quantity);
    return { time, price, quantity, fills: this.fills, label, cause };
  }

  /** What was traded at one price has that, whatever was rounded. */
  #averagePrice(isInverse: boolean): Fixed {
    if (this.#isOnePrice || this.#worth === 0n) return this.#price;
    return isInverse
      ? divideHalfEven(this.#traded * FIXED_ONE, this.#worth)
      : divideHalfEven(this.#worth, this.#traded);
  }
}

/** What of a trade under way its fills and candles tell beside its profit. */
export class OpenTrade {
  readonly entry = new TradeEnd();
  readonly exit = new TradeEnd();
  readonly intents = new Set<number>();
  /** In the order in which trades began. */
  readonly place: number;
  /** Held when the run began. */
  readonly isOld: boolean;
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

  constructor(start: { readonly place: number; readonly time: number; readonly isOld: boolean }) {
    this.place = start.place;
    this.since = start.time;
    this.isOld = start.isOld;
  }

  /** Notes what the trade would have brought, before costs. */
  see(profit: Fixed): void {
    if (profit < this.mae) this.mae = profit;
    if (profit > this.mfe) this.mfe = profit;
  }
}
