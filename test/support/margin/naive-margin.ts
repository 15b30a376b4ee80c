import { Decimal, type Asset } from '../../../src/domain/index.js';

/** Enough digits that only the roundings in this file round. */
const Exact = Decimal.clone({ precision: 300 });
type Exact = Decimal;

/** One event of a margin account, amounts as texts. */
export type MarginEvent =
  | { readonly kind: 'fill' | 'forced-fill'; readonly flows: Readonly<Record<Asset, string>> }
  | {
      readonly kind: 'hold';
      readonly order: number;
      readonly asset: Asset;
      readonly amount: string;
    }
  | { readonly kind: 'hour' | 'repay' | 'write-off' }
  | { readonly kind: 'assess'; readonly prices: Readonly<Record<Asset, string>> };

/** Amounts of one asset that follow from the list of events. */
interface Purse {
  owned: Exact;
  principal: Exact;
  interest: Exact;
  insured: Exact;
}

/** All amounts of one asset. */
export interface NaiveParts extends Readonly<Purse> {
  readonly free: Exact;
  readonly locked: Exact;
  readonly owed: Exact;
}

/** Amount held by each order, by number. An order whose hold ended has 0. */
type Orders = ReadonlyMap<number, { readonly asset: Asset; readonly amount: Exact }>;

const posted = (value: Exact): Exact => value.toDecimalPlaces(18, Exact.ROUND_HALF_EVEN);
const least = (a: Exact, b: Exact): Exact => (a.lt(b) ? a : b);
const atLeastZero = (value: Exact): Exact => (value.isNegative() ? new Exact(0) : value);

/**
 * A second margin account in plain decimal.js. It keeps a list of events and computes every answer from the start of the list. It
 * shares only the rules of docs/simulation.md, R13, with the ledger.
 */
export class NaiveMargin {
  readonly events: MarginEvent[] = [];
  readonly #initial: Readonly<Record<Asset, string>>;
  readonly #rates: Readonly<Record<Asset, string>>;

  constructor(
    initial: Readonly<Record<Asset, string>>,
    hourlyRates: Readonly<Record<Asset, string>>,
  ) {
    this.#initial = initial;
    this.#rates = hourlyRates;
  }

  get assets(): readonly Asset[] {
    return Object.keys(this.#rates);
  }

  /** Free, locked, principal, interest and the amount that the venue paid, in one line. */
  line(asset: Asset): string {
    const { free, locked, principal, interest, insured } = this.parts(asset);
    return [free, locked, principal, interest, insured].map(String).join(' ');
  }

  parts(asset: Asset): NaiveParts {
    const { purses, orders } = this.#replay();
    const own = purse(purses, asset);
    const locked = least(heldBy(orders, asset), own.owned);
    return {
      ...own,
      free: own.owned.minus(locked),
      locked,
      owed: own.principal.plus(own.interest),
    };
  }

  owes(asset: Asset): Exact {
    const { principal, interest } = purse(this.#replay().purses, asset);
    return principal.plus(interest);
  }

  /** Assets, debt and promised loans at prices. */
  worth(prices: Readonly<Record<Asset, string>>): {
    readonly assets: Exact;
    readonly debt: Exact;
    readonly promised: Exact;
  } {
    const { purses, orders } = this.#replay();
    let [assets, debt, promised] = [new Exact(0), new Exact(0), new Exact(0)];
    for (const asset of this.assets) {
      const price = prices[asset] ?? '1';
      const { owned, principal, interest } = purse(purses, asset);
      assets = assets.plus(owned.times(price));
      debt = debt.plus(principal.plus(interest).times(price));
      promised = promised.plus(atLeastZero(heldBy(orders, asset).minus(owned)).times(price));
    }
    return { assets, debt, promised };
  }

  /** Whether an amount of an asset may be borrowed on top of all debt and promised loans. */
  mayBorrow(
    amount: Exact,
    asset: Asset,
    terms: { readonly leverage: string; readonly prices: Readonly<Record<Asset, string>> },
  ): boolean {
    const { assets, debt, promised } = this.worth(terms.prices);
    const limit = new Exact(terms.leverage).minus(1).times(assets.minus(debt));
    const loan = new Exact(amount).times(terms.prices[asset] ?? '1');
    return debt.plus(promised).plus(loan).lte(limit);
  }

  /** The verdict of the last `assess` in the list. */
  verdict(): 'healthy' | 'warning' | 'call' {
    const zones = this.events.flatMap((event, index) => {
      if (event.kind !== 'assess') return [];
      const before = new NaiveMargin(this.#initial, this.#rates);
      before.events.push(...this.events.slice(0, index));
      const { assets, debt } = before.worth(event.prices);
      if (debt.isZero() || assets.div(debt).gt('1.3')) return ['healthy' as const];
      return [assets.div(debt).gt('1.1') ? ('warning' as const) : ('call' as const)];
    });
    const last = zones.at(-1) ?? 'healthy';
    const isRepeated = last === 'warning' && (zones.at(-2) ?? 'healthy') !== 'healthy';
    return isRepeated ? 'healthy' : last;
  }

  #replay(): { readonly purses: ReadonlyMap<Asset, Purse>; readonly orders: Orders } {
    const purses = new Map<Asset, Purse>();
    const orders = new Map<number, { readonly asset: Asset; readonly amount: Exact }>();
    for (const asset of this.assets) {
      const owned = new Exact(this.#initial[asset] ?? 0);
      const [principal, interest, insured] = [new Exact(0), new Exact(0), new Exact(0)];
      purses.set(asset, { owned, principal, interest, insured });
    }
    for (const event of this.events) {
      if (event.kind === 'hold') {
        orders.set(event.order, { asset: event.asset, amount: new Exact(event.amount) });
      } else if (event.kind === 'fill' || event.kind === 'forced-fill') {
        this.#fill(purses, orders, event);
      } else if (event.kind !== 'assess') {
        for (const asset of this.assets) this.#happen(purse(purses, asset), asset, event.kind);
      }
    }
    return { purses, orders };
  }

  #fill(
    purses: ReadonlyMap<Asset, Purse>,
    orders: Orders,
    { kind, flows }: Extract<MarginEvent, { readonly flows: unknown }>,
  ): void {
    for (const [asset, text] of Object.entries(flows)) {
      const amount = new Exact(text);
      const own = purse(purses, asset);
      if (amount.isNegative()) {
        const free = atLeastZero(own.owned.minus(heldBy(orders, asset)));
        const lacking = atLeastZero(amount.abs().minus(free));
        own.owned = own.owned.minus(amount.abs()).plus(lacking);
        if (kind === 'forced-fill') {
          own.insured = own.insured.plus(lacking);
        } else {
          own.principal = own.principal.plus(lacking);
          own.interest = own.interest.plus(posted(lacking.times(this.#rates[asset] ?? '0')));
        }
      }
    }
    for (const [asset, text] of Object.entries(flows)) {
      if (!text.startsWith('-')) repay(purse(purses, asset), new Exact(text));
    }
  }

  #happen(own: Purse, asset: Asset, kind: 'hour' | 'repay' | 'write-off'): void {
    if (kind === 'hour') {
      own.interest = own.interest.plus(posted(own.principal.times(this.#rates[asset] ?? '0')));
    } else if (kind === 'repay') {
      // Only done when no order works: all that is owned is free.
      const all = own.owned;
      own.owned = new Exact(0);
      repay(own, all);
    } else {
      const left = own.principal.plus(own.interest);
      own.insured = own.insured.plus(left);
      repay(own, left);
    }
  }
}

function repay(own: Purse, amount: Exact): void {
  const toInterest = least(own.interest, amount);
  own.interest = own.interest.minus(toInterest);
  const toPrincipal = least(own.principal, amount.minus(toInterest));
  own.principal = own.principal.minus(toPrincipal);
  own.owned = own.owned.plus(amount).minus(toInterest).minus(toPrincipal);
}

function purse(purses: ReadonlyMap<Asset, Purse>, asset: Asset): Purse {
  const found = purses.get(asset);
  if (found === undefined) throw new Error(`expected ${asset} among the assets`);
  return found;
}

function heldBy(orders: Orders, asset: Asset): Exact {
  return [...orders.values()]
    .filter((order) => order.asset === asset)
    .reduce((sum, { amount }) => sum.plus(amount), new Exact(0));
}
