import {
  fixedToNumber,
  maxFixed,
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
  /** `total` as the nearest float64; outdated while `isStale`. See {@link CashBook.numbers}. */
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
  /** Losses beyond the margin that the venue paid. */
  insurance: Fixed;
  /** The instrument whose last price values the asset in the equity currency; undefined for the equity currency itself. */
  readonly valuation: InstrumentAccount | undefined;
}

/** Flows of a {@link CashAccount} other than trades. */
type CashFlow = 'fees' | 'funding' | 'interest';

/** An account whose asset needs a price to be valued. */
interface PricedAccount extends CashAccount {
  readonly valuation: InstrumentAccount;
}

/** All accounts in float64, for equity samples. */
interface CashNumbers {
  /** Sum of the accounts that need no price. */
  unpriced: number;
  /** The other accounts, without empty ones. */
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
  readonly list: readonly CashAccount[] = this.#list;
  readonly #numbers: CashNumbers = { unpriced: 0, priced: [] };
  /** Whether a posting came since `#numbers` was computed. */
  #isStale = true;

  /** Opens an account unless it is open. Accounts that need no conversion are listed first. */
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

  /** Computed at most once per change: a conversion costs as much as a posting, and equity is sampled with every candle. */
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
      if (account.valuation === undefined) unpriced += account.totalNumber;
      else if (account.totalNumber !== 0) {
        priced[count] = account as PricedAccount;
        count += 1;
      }
    }
    // Popped one by one: a list that is cut to length 0 loses its memory.
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

  /** Per asset: the debt of the margin account plus what working orders may still borrow. */
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

  /** Takes `taken` from one account and adds `put` to another. */
  exchange(from: CashAccount, taken: Fixed, to: CashAccount, put: Fixed): void {
    from.total -= taken;
    to.total += put;
    from.isStale = true;
    to.isStale = true;
    this.#isStale = true;
  }

  /** Takes a cost from an account and adds it to the sum of its flow. */
  charge(account: CashAccount, flow: CashFlow, cost: Fixed): void {
    account.total -= cost;
    this.note(account, flow, cost);
    this.#noteChange(account);
  }

  /** Takes a fee from the account of its asset. A fee in an asset without an account changes no balance. */
  chargeFee(kind: ProductKind, asset: Asset, fee: Fixed): void {
    const account = this.find(kind, asset);
    if (account !== undefined) this.charge(account, 'fees', fee);
  }

  /** Adds the part of a loss that the venue pays. */
  insure(account: CashAccount, amount: Fixed): void {
    account.insurance += amount;
    this.post(account, amount);
  }

  /** Adds a cost to the sum of its flow. Another posting has already taken the money. */
  note(account: CashAccount, flow: CashFlow, cost: Fixed): void {
    account[flow] += cost;
  }

  #noteChange(account: CashAccount): void {
    account.isStale = true;
    this.#isStale = true;
  }
}
