import {
  contractValue,
  convertFixed,
  directionOf,
  feeInBase,
  feeWorth,
  FIXED_ONE,
  isInverse,
  keepsAsset,
  multiplyFixed,
  missing,
  shareFixed,
  unscale,
  type Asset,
  type Direction,
  type Fixed,
  type Instrument,
  type InstrumentId,
  type ProductKind,
  type Side,
} from '../../domain/index.js';
import type { FillEffect, RunRecord } from '../run-record.js';

/** The effect of a fill on a position. Amounts of money that say so are in the equity currency. */
export interface FillValue {
  readonly fill: FillEffect;
  readonly direction: Direction;
  /** Quantity that enters or leaves the position: base less a fee paid in base, or contracts. */
  readonly quantity: Fixed;
  /** Worth of that quantity at the fill: in quote; for inverse contracts in base. */
  readonly value: Fixed;
  /** Whether a close may take more than is held. A buy that repays a loan with its fee in base is rounded up, and the bot owns the surplus. */
  readonly mayExceed: boolean;
  /** Whether `value` falls as the price rises. */
  readonly isInverse: boolean;
  /** Units of the equity currency per unit of `value`, at the fill. */
  readonly valueRate: Fixed;
  /** Price × quantity in the equity currency, without deducting the fee. */
  readonly notional: Fixed;
  /**
   * Fee in the equity currency, as paid if it is in this currency. A fee in base is valued at the fill's price, a fee in a third asset at its worth at the
   * fill; 0 if no instrument values that asset.
   */
  readonly fee: Fixed;
  /** Whether the fee is in neither base nor quote. */
  readonly isOtherFee: boolean;
  /** The instrument whose position pays such a fee: it keeps the coin. Undefined if there is none, or with any other fee. */
  readonly payer: InstrumentId | undefined;
}

/** The part of a run that determines what its fills are worth. */
type ValuedRun = Pick<RunRecord, 'instruments' | 'equityCurrency'>;

/**
 * Values the fills of a run, one after the other.
 *
 * A spot or margin buy that pays its fee in base brings quantity − fee into the position. A sell takes quantity + fee out of it. The fee itself is a cost at
 * the fill's price, so that nothing is counted twice.
 * @throws {InvariantError} `E_MISSING` for an instrument that is not in the list.
 */
export class FillValuer {
  readonly #byId: ReadonlyMap<InstrumentId, Instrument>;
  readonly #equityCurrency: Asset;
  /** Instrument of the last fill. */
  #latest: Instrument | undefined;

  constructor({ instruments, equityCurrency }: ValuedRun) {
    this.#equityCurrency = equityCurrency;
    this.#byId = new Map(instruments.map((instrument) => [instrument.id, instrument]));
  }

  /** @throws {InvariantError} as the class. */
  of(fill: FillEffect): FillValue {
    const { instrumentId } = fill.record;
    if (instrumentId !== this.#latest?.id)
      this.#latest = this.#byId.get(instrumentId) ?? missing(`instrument ${instrumentId}`);
    const { kind: account, base, quote } = this.#latest;
    const { feeAsset: asset } = fill.record;
    const isOtherFee = asset !== quote && asset !== base;
    const payer = isOtherFee ? this.#payerOf(account, asset) : undefined;
    return valueFill(fill, this.#latest, {
      equityCurrency: this.#equityCurrency,
      isOtherFee,
      payer,
    });
  }

  #payerOf(account: ProductKind, asset: Asset): InstrumentId | undefined {
    const place = { account, asset, equityCurrency: this.#equityCurrency };
    for (const instrument of this.#byId.values())
      if (keepsAsset(instrument, place)) return instrument.id;
    return undefined;
  }
}

function valueFill(
  fill: FillEffect,
  instrument: Instrument,
  {
    equityCurrency,
    isOtherFee,
    payer,
  }: Pick<ValuedRun, 'equityCurrency'> & Pick<FillValue, 'isOtherFee' | 'payer'>,
): FillValue {
  const { record, quoteRate } = fill;
  const paidInBase = isOtherFee ? undefined : feeInBase(record, instrument);
  const feeInQuote = isOtherFee ? 0n : feeWorth(record, instrument);
  const notional = quoteNotional(record, instrument);
  const isFuture = instrument.kind === 'futures';
  // The quantity of contracts stays whole, even if the fee is in base.
  const isReduced = paidInBase !== undefined && !isFuture;
  const value = isReduced ? reduced(record.side, notional, feeInQuote) : notional;
  return {
    fill,
    direction: directionOf(record),
    quantity: isReduced ? reduced(record.side, record.quantity, paidInBase) : record.quantity,
    value: isInverse(instrument)
      ? shareFixed(record.quantity, instrument.multiplier, record.price)
      : value,
    mayExceed: instrument.kind === 'margin',
    isInverse: isInverse(instrument),
    valueRate: valueRateAt(record.price, { instrument, quoteRate, equityCurrency }),
    notional: convertFixed(notional, quoteRate),
    fee:
      record.feeAsset === equityCurrency
        ? record.fee
        : isOtherFee
          ? multiplyFixed(record.fee, fill.feeRate ?? 0n)
          : convertFixed(feeInQuote, quoteRate),
    isOtherFee,
    payer,
  };
}

/**
 * Units of the equity currency per unit of the asset in which a position is valued, at a price: quote, or for inverse contracts base. Equity in that coin needs
 * no rate: a conversion to the price and back would change the profit.
 */
export function valueRateAt(
  price: Fixed,
  {
    instrument,
    quoteRate,
    equityCurrency,
  }: {
    readonly instrument: Instrument;
    readonly quoteRate: Fixed;
    readonly equityCurrency: Asset;
  },
): Fixed {
  if (!isInverse(instrument)) return quoteRate;
  return instrument.base === equityCurrency ? FIXED_ONE : multiplyFixed(price, quoteRate);
}

/** Worth of a quantity at a price, in the asset in which a position is valued: quote, or for inverse contracts base. */
export function worthAt(instrument: Instrument, quantity: Fixed, price: Fixed): Fixed {
  return instrument.kind === 'futures'
    ? contractValue(instrument, quantity, price)
    : unscale(quantity * price);
}

/** A fee in base reduces the quantity of a buy and adds to the quantity that a sell takes away. */
function reduced(side: Side, amount: Fixed, fee: Fixed): Fixed {
  return side === 'buy' ? amount - fee : amount + fee;
}

/** Worth of a fill in quote, the fee not deducted. */
function quoteNotional({ price, quantity }: FillEffect['record'], instrument: Instrument): Fixed {
  if (instrument.kind !== 'futures') return unscale(quantity * price);
  const face = unscale(quantity * instrument.multiplier);
  return instrument.contract === 'inverse' ? face : unscale(face * price);
}
