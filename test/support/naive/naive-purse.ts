import { Decimal } from '../../../src/domain/index.js';

export type NaiveAsset = 'USDT' | 'BTC';

/** Interest of one asset. */
export interface NaiveCharge {
  readonly asset: NaiveAsset;
  readonly amount: Decimal;
}

/** One fill of BTCUSDT. */
export interface NaiveTrade {
  readonly isBuy: boolean;
  readonly quantity: Decimal;
  readonly value: Decimal;
  readonly fee: Decimal;
  readonly feeAsset: NaiveAsset;
}

/** Terms on which a margin call sells and buys. */
export interface NaiveCallTerms {
  readonly price: (side: 'buy' | 'sell') => Decimal;
  /** Value of a BTC in USDT. */
  readonly worth: Decimal;
  readonly rate: Decimal;
  readonly paidIn: 'received' | 'quote';
  readonly step: Decimal;
}

/** The account behind a naive venue. */
export interface NaivePurse {
  /** Whether the account accepts an order that needs this amount; `price` is the price of BTC. */
  covers(asset: NaiveAsset, amount: Decimal, price: Decimal): boolean;
  /** Sets the amount that an order holds. */
  hold(orderId: string, asset: NaiveAsset, amount: Decimal): void;
  /** Books a fill. Returns its fee and interest. */
  trade(trade: NaiveTrade): { readonly fee: Decimal; readonly interest: readonly NaiveCharge[] };
  chargeHour(): readonly NaiveCharge[];
  /** How far the price may move before the venue has to look at the account, in floats and on the safe side. */
  room(price: number): number;
  /** Whether the venue would warn or call at a price. */
  isShort(price: Decimal): boolean;
  assess(
    price: Decimal,
    isOpen: boolean,
  ): { readonly kind: 'warning' | 'call'; readonly level: Decimal } | undefined;
  /** Sells and buys back everything. Returns a line for each trade. */
  call(terms: NaiveCallTerms): readonly string[];
  /** Free, locked and other amounts of an asset, in one line. */
  line(asset: NaiveAsset): string;
}

export const ZERO = new Decimal(0);
export const rounded = (value: Decimal): Decimal =>
  value.toDecimalPlaces(18, Decimal.ROUND_HALF_EVEN);

/** A spot account, without loans. */
export class NaiveSpotPurse implements NaivePurse {
  readonly free: Record<NaiveAsset, Decimal>;
  readonly #holds = new Map<string, { readonly asset: NaiveAsset; readonly amount: Decimal }>();

  constructor(usdt: string, btc: string) {
    this.free = { USDT: new Decimal(usdt), BTC: new Decimal(btc) };
  }

  covers(asset: NaiveAsset, amount: Decimal): boolean {
    return this.free[asset].gte(amount);
  }

  /** The rounded fees of parts can exceed the amount held for the whole by a little. Then the order holds the available rest. */
  hold(orderId: string, asset: NaiveAsset, amount: Decimal): void {
    const before = this.#holds.get(orderId)?.amount ?? ZERO;
    const held = Decimal.min(amount, this.free[asset].plus(before));
    this.free[asset] = this.free[asset].plus(before).minus(held);
    this.#holds.set(orderId, { asset, amount: held });
  }

  trade({ isBuy, quantity, value, fee: asked, feeAsset }: NaiveTrade): {
    readonly fee: Decimal;
    readonly interest: readonly NaiveCharge[];
  } {
    const { free } = this;
    free.BTC = isBuy ? free.BTC.plus(quantity) : free.BTC.minus(quantity);
    free.USDT = isBuy ? free.USDT.minus(value) : free.USDT.plus(value);
    const fee = Decimal.min(asked, free[feeAsset]);
    free[feeAsset] = free[feeAsset].minus(fee);
    return { fee, interest: [] };
  }

  chargeHour(): readonly NaiveCharge[] {
    return [];
  }

  room(): number {
    return Number.POSITIVE_INFINITY;
  }

  isShort(): boolean {
    return false;
  }

  assess(): undefined {
    return undefined;
  }

  call(): readonly string[] {
    return [];
  }

  line(asset: NaiveAsset): string {
    const locked = [...this.#holds.values()]
      .filter((hold) => hold.asset === asset)
      .reduce((sum, { amount }) => sum.plus(amount), ZERO);
    return `${this.free[asset].toFixed()} ${locked.toFixed()}`;
  }
}
