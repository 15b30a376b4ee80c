import {
  fixedToNumber,
  PRODUCT_KINDS,
  missing,
  type AccountBalances,
  type Asset,
  type Fixed,
  type ProductKind,
} from '../../domain/index.js';
import type { InstrumentAccount } from './instrument-account.js';

/** Money of one asset on one account of the venue. */
export interface CashAccount {
  readonly kind: ProductKind;
  readonly asset: Asset;
  readonly initial: Fixed;
  /** Owned less owed: on margin negative where the asset is borrowed. Profit of contracts counts once it is realized. */
  total: Fixed;
  /** `total` as the nearest float64; behind it while `isStale`. See {@link CashBook.numbers}. */
  totalNumber: number;
  isStale: boolean;
  /** Held back for working orders. */
  locked: Fixed;
  /** Paid from it. */
  fees: Fixed;
  /** Paid from it; negative when received. */
  funding: Fixed;
  /** Charged to it. */
  interest: Fixed;
  /** What the venue paid of losses beyond the margin. */
  insurance: Fixed;
  /** Whose last price values the asset in the equity currency; undefined for the equity currency itself. */
  readonly valuation: InstrumentAccount | undefined;
}

/** What costs a {@link CashAccount} besides trades. */
export type CashFlow = 'fees' | 'funding' | 'interest' | 'insurance';

/** An account of what a price values. */
export interface PricedAccount extends CashAccount {
  readonly valuation: InstrumentAccount;
}

/** All accounts in float64, for equity samples. */
export interface CashNumbers {
  /** Sum of what needs no price. */
  unpriced: number;
  /** Those of the others that have anything. */
  readonly priced: PricedAccount[];
}

/** Money by account and asset. */
export class CashBook {
  readonly #accounts: Readonly<Record<ProductKind, Map<Asset, CashAccount>>> = {
    spot: new Map(),
    margin: new Map(),
    futures: new Map(),
  };
  readonly #list: CashAccount[] = [];
  readonly #numbers: CashNumbers = { unpriced: 0, priced: [] };
  /** Whether anything was posted that the numbers do not know. */
  #isStale = true;

  /** Opens an account unless it is open. What needs no conversion is listed first. */
  open(
    kind: ProductKind,
    asset: Asset,
    terms: { readonly initial: Fixed; readonly valuation: InstrumentAccount | undefined },
  ): void {
    if (this.#accounts[kind].has(asset)) return;
    const { initial, valuation } = terms;
    const account: CashAccount = {
      kind,
      asset,
      initial,
      total: initial,
      totalNumber: fixedToNumber(initial),
      isStale: false,
      locked: 0n,
      fees: 0n,
      funding: 0n,
      interest: 0n,
      insurance: 0n,
      valuation,
    };
    this.#isStale = true;
    this.#accounts[kind].set(asset, account);
    if (valuation === undefined) this.#list.unshift(account);
    else this.#list.push(account);
  }

  find(kind: ProductKind, asset: Asset): CashAccount | undefined {
    return this.#accounts[kind].get(asset);
  }

  /** @throws {InvariantError} `E_MISSING` when it is not open. */
  get(kind: ProductKind, asset: Asset): CashAccount {
    return this.#accounts[kind].get(asset) ?? missing(`asset ${asset} on the ${kind} account`);
  }

  get list(): readonly CashAccount[] {
    return this.#list;
  }

  /** Added up once after a change: a conversion costs as much as a posting, and equity is sampled with every candle. */
  get numbers(): CashNumbers {
    if (this.#isStale) this.#addUp();
    return this.#numbers;
  }

  #addUp(): void {
    const numbers = this.#numbers;
    numbers.unpriced = 0;
    numbers.priced.length = 0;
    for (const account of this.#list) {
      if (account.isStale) account.totalNumber = fixedToNumber(account.total);
      account.isStale = false;
      if (!isPriced(account)) numbers.unpriced += account.totalNumber;
      else if (account.totalNumber !== 0) numbers.priced.push(account);
    }
    this.#isStale = false;
  }

  /** Amounts by account and asset; accounts without any asset are absent. */
  totals(): AccountBalances {
    const totals: Partial<Record<ProductKind, ReadonlyMap<Asset, Fixed>>> = {};
    for (const kind of PRODUCT_KINDS) {
      const accounts = this.#accounts[kind];
      if (accounts.size > 0)
        totals[kind] = new Map([...accounts].map(([asset, { total }]) => [asset, total]));
    }
    return totals;
  }

  post(kind: ProductKind, asset: Asset, amount: Fixed): CashAccount {
    const account = this.get(kind, asset);
    account.total += amount;
    account.isStale = true;
    this.#isStale = true;
    return account;
  }

  /** Takes a cost from an account and remembers what for; insurance is a gain. */
  charge(kind: ProductKind, asset: Asset, flow: CashFlow, amount: Fixed): void {
    const account = this.post(kind, asset, flow === 'insurance' ? amount : -amount);
    account[flow] += amount;
  }

  /** Sums of one flow over all accounts, by asset. */
  flows(flow: CashFlow): ReadonlyMap<Asset, Fixed> {
    const sums = new Map<Asset, Fixed>();
    for (const account of this.#list)
      sums.set(account.asset, (sums.get(account.asset) ?? 0n) + account[flow]);
    return sums;
  }
}

function isPriced(account: CashAccount): account is PricedAccount {
  return account.valuation !== undefined;
}
