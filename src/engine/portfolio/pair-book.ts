import {
  multiplyFixed,
  type Fixed,
  type FillRecord,
  type Instrument,
  type MarginInstrument,
  type SpotInstrument,
} from '../../domain/index.js';
import type { CashAccount, CashBook } from './cash-book.js';
import type { SideLedger } from './side-ledger.js';

/** The money of a spot or margin pair. Every fill moves base and quote. */
class PairBook {
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
   * Books a fill: base against quote, and the side that it opens or closes. A fee in base makes a purchase smaller: less is held, or less
   * debt is repaid. A purchase beyond the debt stays in the balance, like dust. `value`: price × quantity.
   */
  post(
    ledger: SideLedger,
    fill: FillRecord,
    step: Fixed,
    value = multiplyFixed(fill.price, fill.quantity),
  ): void {
    const { quantity, fee, feeAsset } = fill;
    const { kind, base, quote } = this.instrument;
    const isPurchase = fill.side === 'buy';
    const baseFee = feeAsset === base ? fee : 0n;
    const quoteFee = feeAsset === quote ? fee : 0n;
    // The fee is combined with the traded amount, so that each account is written once.
    const moved = isPurchase ? quantity - baseFee : quantity + baseFee;
    const paid = isPurchase ? value + quoteFee : value - quoteFee;
    if (isPurchase) this.#cash.exchange(this.#quote, paid, this.#base, moved);
    else this.#cash.exchange(this.#base, moved, this.#quote, paid);
    if (feeAsset === quote) this.#cash.note(this.#quote, 'fees', fee);
    else if (feeAsset === base) this.#cash.note(this.#base, 'fees', fee);
    else if (fee !== 0n) this.#cash.chargeFee(kind, feeAsset, fee);
    if (isPurchase === (ledger.direction === 'long')) ledger.open({ quantity, value }, moved);
    else ledger.close({ quantity, value }, moved, step);
  }
}

/** The books of all pairs that have been traded. */
export class PairBooks {
  readonly #cash: CashBook;
  readonly #books = new Map<Instrument, PairBook>();
  /** The book of the last fill. */
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

/** Net base and quote that the fills of a side should have brought, without fees and interest. */
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
