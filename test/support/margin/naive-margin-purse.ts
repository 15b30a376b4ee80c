import { Decimal } from '../../../src/domain/index.js';
import {
  rounded,
  type NaiveAsset,
  type NaiveCallTerms,
  type NaiveCharge,
  type NaivePurse,
  type NaiveTrade,
} from '../naive/naive-purse.js';
import { NaiveMargin, type NaiveParts } from './naive-margin.js';

const ASSETS: readonly NaiveAsset[] = ['USDT', 'BTC'];

/** A margin account in USDT: its list of events ({@link NaiveMargin}), and the venue's rules about its level. */
export class NaiveMarginPurse implements NaivePurse {
  readonly #margin: NaiveMargin;
  readonly #terms: { readonly leverage: string; readonly hourlyRate: string };
  readonly #orders = new Map<string, number>();
  #isWarned = false;
  #told: { readonly events: number; readonly parts: Record<NaiveAsset, NaiveParts> } | undefined;

  constructor(
    balances: Readonly<Record<NaiveAsset, string>>,
    terms: { readonly leverage: string; readonly hourlyRate: string },
  ) {
    this.#terms = terms;
    const { hourlyRate } = terms;
    this.#margin = new NaiveMargin(balances, { USDT: hourlyRate, BTC: hourlyRate });
  }

  /** Computed again after each new event. */
  #parts(): Record<NaiveAsset, NaiveParts> {
    const events = this.#margin.events.length;
    if (this.#told?.events !== events)
      this.#told = {
        events,
        parts: { USDT: this.#margin.parts('USDT'), BTC: this.#margin.parts('BTC') },
      };
    return this.#told.parts;
  }

  covers(asset: NaiveAsset, amount: Decimal, price: Decimal): boolean {
    const { free } = this.#parts()[asset];
    if (free.gte(amount)) return true;
    const prices = { USDT: '1', BTC: price.toFixed() };
    const { leverage } = this.#terms;
    return this.#margin.mayBorrow(amount.minus(free), asset, { leverage, prices });
  }

  hold(orderId: string, asset: NaiveAsset, amount: Decimal): void {
    const order = this.#orders.get(orderId) ?? this.#orders.size;
    this.#orders.set(orderId, order);
    this.#margin.events.push({ kind: 'hold', order, asset, amount: amount.toFixed() });
  }

  trade(trade: NaiveTrade): { readonly fee: Decimal; readonly interest: readonly NaiveCharge[] } {
    const flows = flowsOf(trade);
    const interest = ASSETS.flatMap((asset) => {
      const lacking = flows[asset].neg().minus(this.#parts()[asset].free);
      const amount = rounded(lacking.times(this.#terms.hourlyRate));
      return lacking.gt(0) && amount.gt(0) ? [{ asset, amount }] : [];
    });
    this.#margin.events.push({ kind: 'fill', flows: texts(flows) });
    return { fee: trade.fee, interest };
  }

  chargeHour(): readonly NaiveCharge[] {
    const before = this.#parts();
    this.#margin.events.push({ kind: 'hour' });
    return ASSETS.flatMap((asset) => {
      const amount = this.#parts()[asset].interest.minus(before[asset].interest);
      return amount.gt(0) ? [{ asset, amount }] : [];
    });
  }

  #worth(price: Decimal): { readonly assets: Decimal; readonly debt: Decimal } {
    const { USDT, BTC } = this.#parts();
    return {
      assets: USDT.owned.plus(BTC.owned.times(price)),
      debt: USDT.owed.plus(BTC.owed.times(price)),
    };
  }

  get #watched(): string {
    return this.#isWarned ? '1.1' : '1.3';
  }

  room(price: number): number {
    const { USDT, BTC } = this.#parts();
    if (USDT.owed.eq(0) && BTC.owed.eq(0)) return Number.POSITIVE_INFINITY;
    const steep = BTC.owned.minus(BTC.owed.times(this.#watched)).toNumber();
    const flat = USDT.owned.minus(USDT.owed.times(this.#watched)).toNumber();
    return (0.9 * Math.max(0, flat + steep * price)) / Math.abs(steep);
  }

  isShort(price: Decimal): boolean {
    const { assets, debt } = this.#worth(price);
    return debt.gt(0) && assets.lte(debt.times(this.#watched));
  }

  /** Warns once per fall. Only at the open of a candle does a risen level allow the next warning. */
  assess(
    price: Decimal,
    isOpen: boolean,
  ): { readonly kind: 'warning' | 'call'; readonly level: Decimal } | undefined {
    const { assets, debt } = this.#worth(price);
    const isAbove = (level: string): boolean => debt.eq(0) || assets.gt(debt.times(level));
    if (isOpen && isAbove('1.3')) this.#isWarned = false;
    if (isAbove(this.#watched)) return undefined;
    const level = rounded(assets.div(debt));
    const kind = isAbove('1.1') ? 'warning' : 'call';
    this.#isWarned = kind === 'warning';
    return { kind, level };
  }

  call(terms: NaiveCallTerms): readonly string[] {
    const { events } = this.#margin;
    events.push({ kind: 'repay' });
    const trade = this.#tradeOf(terms);
    const insuredBefore = this.#parts().USDT.insured;
    if (trade !== undefined) events.push({ kind: 'forced-fill', flows: texts(flowsOf(trade)) });
    events.push({ kind: 'write-off' });
    const insured = this.#parts().USDT.insured.minus(insuredBefore);
    if (trade === undefined) {
      return insured.eq(0) ? [] : [`sell 0 @ ${terms.worth.toFixed()} fee 0 ${insuredBy(insured)}`];
    }
    const { isBuy, quantity, fee } = trade;
    const side = isBuy ? 'buy' : 'sell';
    const words = [
      side,
      quantity.toFixed(),
      '@',
      terms.price(side).toFixed(),
      'fee',
      fee.toFixed(),
    ];
    return [[...words, ...(insured.eq(0) ? [] : [insuredBy(insured)])].join(' ')];
  }

  #tradeOf({ price, rate, paidIn, step }: NaiveCallTerms): NaiveTrade | undefined {
    const { owned, owed } = this.#parts().BTC;
    const isBuy = owed.gt(0);
    const bought = paidIn === 'received' ? owed.div(new Decimal(1).minus(rate)) : owed;
    const steps = isBuy ? bought.div(step).ceil() : owned.div(step).floor();
    const quantity = steps.times(step);
    if (quantity.eq(0)) return undefined;
    const value = quantity.times(price(isBuy ? 'buy' : 'sell'));
    const feeAsset = isBuy && paidIn === 'received' ? 'BTC' : 'USDT';
    const fee = rounded((feeAsset === 'BTC' ? quantity : value).times(rate));
    return { isBuy, quantity, value, fee, feeAsset };
  }

  line(asset: NaiveAsset): string {
    return this.#margin.line(asset);
  }
}

function flowsOf({
  isBuy,
  quantity,
  value,
  fee,
  feeAsset,
}: NaiveTrade): Record<NaiveAsset, Decimal> {
  const flows = { BTC: isBuy ? quantity : quantity.neg(), USDT: isBuy ? value.neg() : value };
  flows[feeAsset] = flows[feeAsset].minus(fee);
  return flows;
}

function texts({ USDT, BTC }: Record<NaiveAsset, Decimal>): Readonly<Record<string, string>> {
  return { USDT: USDT.toFixed(), BTC: BTC.toFixed() };
}

function insuredBy(amount: Decimal): string {
  return `insured ${amount.toFixed()}`;
}
