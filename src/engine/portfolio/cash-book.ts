import {
  addFixed,
  fixedToNumber,
  maxFixed,
  PRODUCT_KINDS,
  missing,
  subtractFixed,
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
  /** Fees in assets of which nothing is kept here. */
  readonly #otherFees = new Map<Asset, Fixed>();
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
    const { priced } = this.#numbers;
    let unpriced = 0;
    let count = 0;
    for (const account of this.#list) {
      if (account.isStale) account.totalNumber = fixedToNumber(account.total);
      account.isStale = false;
      if (!isPriced(account)) unpriced += account.totalNumber;
      else if (account.totalNumber !== 0) {
        priced[count] = account;
        count += 1;
      }
    }
    // One by one: a list that is cut to nothing loses its memory.
    while (priced.length > count) priced.pop();
    this.#numbers.unpriced = unpriced;
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

  /** What the margin account owes of each asset, and what working orders may yet borrow of it. */
  promised(): readonly { readonly asset: Asset; readonly amount: Fixed }[] {
    return this.#list.flatMap(({ kind, asset, total, locked }) => {
      if (kind !== 'margin') return [];
      const reserved = maxFixed(locked - maxFixed(total, 0n), 0n);
      const amount = maxFixed(-total, 0n) + reserved;
      return amount > 0n ? [{ asset, amount }] : [];
    });
  }

  post(account: CashAccount, amount: Fixed): void {
    account.total += amount;
    this.#noteChange(account);
  }

  /** Takes an amount from one account and puts one on another. */
  exchange(from: CashAccount, taken: Fixed, to: CashAccount, put: Fixed): void {
    from.total = subtractFixed(from.total, taken);
    to.total = addFixed(to.total, put);
    this.#noteChange(from);
    this.#noteChange(to);
  }

  /** Takes a cost from an account and remembers what for. */
  charge(account: CashAccount, flow: Exclude<CashFlow, 'insurance'>, cost: Fixed): void {
    account.total = subtractFixed(account.total, cost);
    this.note(account, flow, cost);
    this.#noteChange(account);
  }

  /** Takes a fee from where its asset is kept. One in an asset that is not kept here costs nothing that is counted: it is remembered. */
  chargeFee(kind: ProductKind, asset: Asset, fee: Fixed): void {
    const account = this.find(kind, asset);
    if (account !== undefined) this.charge(account, 'fees', fee);
    else this.#otherFees.set(asset, (this.#otherFees.get(asset) ?? 0n) + fee);
  }

  /** Puts on an account what the venue pays of a loss. */
  insure(account: CashAccount, amount: Fixed): void {
    account.insurance += amount;
    this.post(account, amount);
  }

  /** Remembers what for a cost was that has been taken with something else. */
  note(account: CashAccount, flow: Exclude<CashFlow, 'insurance'>, cost: Fixed): void {
    account[flow] = addFixed(account[flow], cost);
  }

  #noteChange(account: CashAccount): void {
    account.isStale = true;
    this.#isStale = true;
  }

  /** Sums of one flow over all accounts, by asset; fees also in assets of which nothing is kept. */
  flows(flow: CashFlow): ReadonlyMap<Asset, Fixed> {
    const sums = new Map<Asset, Fixed>(flow === 'fees' ? this.#otherFees : []);
    for (const account of this.#list)
      sums.set(account.asset, (sums.get(account.asset) ?? 0n) + account[flow]);
    return sums;
  }
}

/** Holds an amount back for a working order, in place of what was held back for it before. */
export function lock(account: CashAccount, amount: Fixed, before: Fixed): void {
  // Mostly one order works, and all that is held back is its own.
  const others = account.locked === before ? 0n : subtractFixed(account.locked, before);
  account.locked = addFixed(others, amount);
}

function isPriced(account: CashAccount): account is PricedAccount {
  return account.valuation !== undefined;
}
