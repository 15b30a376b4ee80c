import type { Candle } from '../../../src/domain/index.js';
import { Indicator } from '../../../src/strategy/index.js';
import type { ReachMarket } from './markets.js';

/** An object that leads to later data, as a strategy might hold it. */
export interface Plant {
  readonly name: string;
  create(market: ReachMarket, candle: Candle): unknown;
}

/** A number known only after the candle. */
function laterThan({ numbers }: ReachMarket, { closeTime }: Candle): number {
  const later = numbers.find(
    ({ knownAt, value }) => knownAt > closeTime && !Number.isInteger(value),
  );
  return later?.value ?? Number.NaN;
}

/** Prices of the whole run, by row of the only series. */
function pricesOf({ numbers }: ReachMarket): Float64Array {
  return Float64Array.from(
    numbers.filter((_, at) => at % 6 === 4),
    ({ value }) => value,
  );
}

/** Shows the stored value of any row. */
class Shows extends Indicator {
  readonly lookback = 0;
  readonly #values: Float64Array;
  #row = -1;

  constructor(values: Float64Array) {
    super();
    this.#values = values;
  }

  override get value(): number {
    return this.#values[this.#row] ?? Number.NaN;
  }

  showRow(row: number): void {
    this.#row = row;
  }

  protected override next(): number {
    return 0;
  }
}

class WithGetter {
  readonly #later: number;

  constructor(later: number) {
    this.#later = later;
  }

  get next(): { readonly close: string } {
    return { close: `close ${String(this.#later)}` };
  }
}

/** A plant of the later number, wrapped by `wrap`. */
const of = (name: string, wrap: (later: number, candle: Candle) => unknown): Plant => ({
  name,
  create: (market, candle) => wrap(laterThan(market, candle), candle),
});

export const PLANTS: readonly Plant[] = [
  of('a public array of values', (later) => ({ future: [1, later] })),
  of('a candle with the next one', (later, candle) => ({ ...candle, next: { close: later } })),
  { name: 'a method that shows any row', create: (market) => new Shows(pricesOf(market)) },
  {
    name: 'a function that knows rows',
    create: (market) => {
      const prices = pricesOf(market);
      return (row: number) => prices[row];
    },
  },
  {
    name: 'a view on a whole column',
    create: (market) => pricesOf(market).subarray(0, 1),
  },
  of('a property named by a symbol', (later) => ({ [Symbol('later')]: later })),
  of('a hidden property', (later) => Object.defineProperty({}, 'later', { value: later })),
  of('a getter of a class', (later) => new WithGetter(later)),
  of('a static member of a class', (later) => {
    class Holder {
      static later = later;
      readonly own = 0;
    }
    return new Holder();
  }),
  of('a map', (later) => new Map([[later, 'later']])),
  of(
    'a set in a map',
    (later) => new Map([['later', new Set([BigInt(Math.round(later * 100)) * 10n ** 16n])]]),
  ),
  of(
    'a weak map by something else that is held',
    (later, candle) => new WeakMap([[candle, later]]),
  ),
  of('a weak reference', (later) => new WeakRef({ later })),
  of('a generator', (later) => ({
    *rows() {
      yield 1;
      yield later;
    },
  })),
];
