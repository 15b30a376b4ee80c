import {
  Decimal,
  decimalFromFixed,
  directionOf,
  type EpochMs,
  type FeeRates,
  type FillRecord,
  type Fixed,
  type FuturesInstrument,
  type Instrument,
  type ProductKind,
} from '../../../src/domain/index.js';
import type { VenueUpdate } from '../../../src/venue/index.js';

type Funding = Extract<VenueUpdate, { readonly kind: 'funding' }>;

/** Enough digits that only {@link posted} rounds. */
const Exact = Decimal.clone({ precision: 120, rounding: Decimal.ROUND_HALF_EVEN });
type Exact = Decimal;

const exact = (value: Fixed): Exact => new Exact(decimalFromFixed(value));
const posted = (value: Exact): Exact => value.toDecimalPlaces(18, Exact.ROUND_HALF_EVEN);
const ZERO = new Exact(0);

/** A position: contracts, and the sum of their opening values. */
interface Held {
  readonly quantity: Exact;
  readonly entryValue: Exact;
}

export interface BookTerms {
  readonly instruments: readonly Instrument[];
  readonly balances: Readonly<Partial<Record<ProductKind, ReadonlyMap<string, Fixed>>>>;
  readonly ratesAt: (instrument: Instrument, time: EpochMs) => FeeRates;
  /** Fee rate of liquidations. */
  readonly maxFeeRate: Fixed;
}

/**
 * The money of all accounts in plain decimal.js, from nothing but fills, funding, interest and terms. Fees, results of closes and funding are worked
 * out anew by docs/simulation.md, R8, R11, R12 and R15, and compared.
 */
export class RecomputedBooks {
  readonly #differences: string[] = [];
  /** Closes without a fee whose counterpart has not come: own long and short are netted in pairs. */
  readonly #unpaired = new Set<string>();
  readonly #terms: BookTerms;
  readonly #money = new Map<string, Exact>();
  readonly #held = new Map<string, Held>();
  /** Fills of contracts, for what was held at a boundary. */
  readonly #trades: { readonly side: string; readonly time: EpochMs; readonly change: Exact }[] =
    [];

  constructor(terms: BookTerms) {
    this.#terms = terms;
    for (const [account, assets] of Object.entries(terms.balances))
      for (const [asset, amount] of assets) this.#add(`${account} ${asset}`, exact(amount));
  }

  /** What differs, a line each. */
  get differences(): readonly string[] {
    return [...this.#differences, ...[...this.#unpaired].map((one) => `no fee: ${one}`)];
  }

  /** Total of an asset on an account, like `futures USDT`. */
  money(key: string): Exact {
    return this.#money.get(key) ?? ZERO;
  }

  #add(key: string, amount: Exact): void {
    this.#money.set(key, this.money(key).plus(amount));
  }

  #expect(what: string, told: Exact, own: Exact): void {
    if (!told.eq(own)) this.#differences.push(`${what}: ${told.toFixed()}, not ${own.toFixed()}`);
  }

  take(update: VenueUpdate): void {
    if (update.kind === 'fill') this.#fill(update.fill, this.#rateOf(update.fill));
    else if (update.kind === 'funding') this.#fund(update);
    else if (update.kind === 'interest')
      this.#add(`margin ${update.asset}`, exact(update.amount).neg());
    else if (update.kind === 'forced-fill') {
      const { fill, insurance } = update;
      const instrument = this.#instrument(fill.instrumentId);
      const isFree = update.cause === 'liquidation' && fill.fee === 0n;
      if (isFree) this.#pair(fill);
      const { maxFeeRate } = this.#terms;
      const rate = update.cause === 'liquidation' ? maxFeeRate : this.#rateOf(fill);
      this.#fill(fill, isFree ? 0n : rate);
      const isContract = instrument.kind === 'futures';
      const asset = isContract ? instrument.marginAsset : instrument.quote;
      this.#add(`${instrument.kind} ${asset}`, exact(insurance));
    }
  }

  #pair({ instrumentId, eventTime, price, quantity }: FillRecord): void {
    const key = [instrumentId, eventTime, price, quantity].map(String).join(' ');
    if (!this.#unpaired.delete(key)) this.#unpaired.add(key);
  }

  #instrument(id: string): Instrument {
    const found = this.#terms.instruments.find((each) => each.id === id);
    if (found === undefined) throw new Error(`expected ${id} among the instruments`);
    return found;
  }

  #rateOf({ instrumentId, liquidity, eventTime }: FillRecord): Fixed {
    return this.#terms.ratesAt(this.#instrument(instrumentId), eventTime)[liquidity];
  }

  #fill(fill: FillRecord, rate: Fixed): void {
    const instrument = this.#instrument(fill.instrumentId);
    if (instrument.kind === 'futures') this.#trade(fill, instrument, exact(rate));
    else this.#exchange(fill, instrument, exact(rate));
  }

  /** A fill on a pair. */
  #exchange(fill: FillRecord, { id, kind, base, quote }: Instrument, rate: Exact): void {
    const [price, quantity] = [exact(fill.price), exact(fill.quantity)];
    const isBuy = fill.side === 'buy';
    const { paidIn } = this.#terms.ratesAt(this.#instrument(id), fill.eventTime);
    const inBase = isBuy && paidIn === 'received';
    const value = price.times(quantity);
    this.#expect(`fee of ${id}`, exact(fill.fee), posted((inBase ? quantity : value).times(rate)));
    this.#add(`${kind} ${base}`, isBuy ? quantity : quantity.neg());
    this.#add(`${kind} ${quote}`, isBuy ? value.neg() : value);
    this.#add(`${kind} ${inBase ? base : quote}`, exact(fill.fee).neg());
  }

  /** A fill of a contract. */
  #trade(fill: FillRecord, instrument: FuturesInstrument, rate: Exact): void {
    const quantity = exact(fill.quantity);
    const value = valueOf(instrument, quantity, exact(fill.price));
    this.#expect(`fee of ${instrument.id}`, exact(fill.fee), posted(value.times(rate)));
    const side = `${instrument.id} ${directionOf(fill)}`;
    const held = this.#held.get(side) ?? { quantity: ZERO, entryValue: ZERO };
    const change = fill.action === 'open' ? quantity : quantity.neg();
    let entry = posted(value);
    if (fill.action === 'close') {
      const isAll = quantity.eq(held.quantity);
      const left = held.entryValue.times(quantity).div(held.quantity);
      entry = (isAll ? held.entryValue : posted(left)).neg();
      const gain = posted(value).plus(entry);
      const rises = (instrument.contract === 'linear') === side.endsWith('long');
      this.#add(`futures ${instrument.marginAsset}`, rises ? gain : gain.neg());
    }
    this.#add(`futures ${instrument.marginAsset}`, exact(fill.fee).neg());
    this.#held.set(side, {
      quantity: held.quantity.plus(change),
      entryValue: held.entryValue.plus(entry),
    });
    this.#trades.push({ side, time: fill.eventTime, change });
  }

  /** A fill at the very boundary counts if it was on the path, which the fill does not show: one of both must be right. */
  #fund({ instrumentId, direction, asset, amount, rate, markPrice, eventTime }: Funding): void {
    const instrument = this.#instrument(instrumentId);
    if (instrument.kind !== 'futures') throw new Error(`expected a contract, not ${instrumentId}`);
    const dues = [eventTime - 1, eventTime].map((until) => {
      const quantity = this.#trades
        .filter(({ side, time }) => side === `${instrumentId} ${direction}` && time <= until)
        .reduce((sum, { change }) => sum.plus(change), ZERO);
      const due = posted(valueOf(instrument, quantity, exact(markPrice)).times(exact(rate)));
      return direction === 'long' ? due.neg() : due;
    });
    const told = exact(amount);
    const own = dues.find((due) => due.eq(told)) ?? dues[0] ?? ZERO;
    this.#expect(`funding of ${instrumentId}`, told, own);
    this.#add(`futures ${asset}`, told);
  }
}

/** Value of contracts in the margin asset, not rounded. */
function valueOf(
  { contract, multiplier }: FuturesInstrument,
  quantity: Exact,
  price: Exact,
): Exact {
  const size = quantity.times(exact(multiplier));
  return contract === 'linear' ? size.times(price) : size.div(price);
}
