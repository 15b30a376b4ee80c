import {
  addFixed,
  multiplyFixed,
  subtractFixed,
  type Fixed,
  type FillRecord,
  type Instrument,
  type MarginInstrument,
  type SpotInstrument,
} from '../../domain/index.js';
import type { CashAccount, CashBook } from './cash-book.js';
import type { SideLedger } from './side-ledger.js';

/** The money of a pair whose base and quote are traded as such: spot, or spot with borrowed assets. Every fill moves both. */
export class PairBook {
  readonly instrument: SpotInstrument | MarginInstrument;
  readonly #cash: CashBook;
  readonly #base: CashAccount;
  readonly #quote: CashAccount;

  constructor(cash: CashBook, instrument: SpotInstrument | MarginInstrument) {
    const { kind, base, quote } = instrument;
    this.#cash = cash;
    this.instrument = instrument;
    this.#base = cash.get(kind, base);
    this.#quote = cash.get(kind, quote);
  }

  /**
   * Books a fill: base against quote, and the side it opens or closes. A fee in base makes a purchase smaller: less is held, or less of
   * what is owed is given back. What is bought beyond what was owed stays in the balance as dust does.
   */
  post(ledger: SideLedger, fill: FillRecord, step: Fixed): void {
    const { quantity, fee, feeAsset } = fill;
    const { base } = this.instrument;
    const traded = { quantity, value: multiplyFixed(fill.price, quantity) };
    const baseFee = feeAsset === base ? fee : 0n;
    const isPurchase = fill.side === 'buy';
    if (isPurchase) this.#cash.exchange(this.#quote, traded.value, this.#base, quantity);
    else this.#cash.exchange(this.#base, quantity, this.#quote, traded.value);
    const moved = isPurchase ? subtractFixed(quantity, baseFee) : addFixed(quantity, baseFee);
    if (isPurchase === (ledger.direction === 'long')) ledger.open(traded, moved);
    else ledger.close(traded, moved, step);
    if (fee !== 0n) this.#cash.charge(this.#accountOf(feeAsset), 'fees', fee);
  }

  #accountOf(asset: string): CashAccount {
    const { kind, base, quote } = this.instrument;
    if (asset === quote) return this.#quote;
    return asset === base ? this.#base : this.#cash.get(kind, asset);
  }
}

/** The books of all pairs that have been traded. */
export class PairBooks {
  readonly #cash: CashBook;
  readonly #books = new Map<Instrument, PairBook>();
  /** That of the last fill. */
  #latest: PairBook | undefined;

  constructor(cash: CashBook) {
    this.#cash = cash;
  }

  of(instrument: SpotInstrument | MarginInstrument): PairBook {
    if (this.#latest?.instrument !== instrument)
      this.#latest = this.#books.get(instrument) ?? this.#open(instrument);
    return this.#latest;
  }

  #open(instrument: SpotInstrument | MarginInstrument): PairBook {
    const book = new PairBook(this.#cash, instrument);
    this.#books.set(instrument, book);
    return book;
  }
}

/** What the fills of a side should have left of base and quote, apart from fees and interest. */
export function expectedFlows({ direction, opened, closed }: SideLedger): {
  readonly base: Fixed;
  readonly quote: Fixed;
} {
  const sign = direction === 'long' ? 1n : -1n;
  return {
    base: sign * (opened.quantity - closed.quantity),
    quote: sign * (closed.value - opened.value),
  };
}
