import {
  AssetAccount,
  divideHalfEven,
  FIXED_ONE,
  formatFixed,
  HOUR_MS,
  InvariantError,
  MARGIN_CALL_LEVEL,
  MARGIN_WARN_LEVEL,
  minFixed,
  type Asset,
  type Debt,
  type EpochMs,
  type Fixed,
  type Flows,
} from '../../domain/index.js';
import type { AssetAmount } from '../accounts/pair-orders.js';
import { planMarginCall, type MarginCallStep } from './margin-call.js';
import { borrowableAt, isAtOrBelow, levelOf, type PriceOf, type Valuation } from './valuation.js';

export interface MarginLedgerOptions {
  /** Starting amounts, ≥ 0. The account starts without debt. */
  readonly balances: ReadonlyMap<Asset, Fixed>;
  /** The asset in which everything is valued. A margin call sells for it. */
  readonly currency: Asset;
  /** Interest per hour as a ratio of the principal, ≥ 0: 0.00001 is 0.001 %. */
  readonly hourlyRate: (asset: Asset) => Fixed;
}

/** The action that the margin level requires at one moment. */
type MarginVerdict =
  | { readonly kind: 'healthy' }
  /** The level fell to the warning level. Reported once per fall. */
  | { readonly kind: 'warning'; readonly level: Fixed }
  /** The level is at or below the call level: everything is sold. */
  | { readonly kind: 'call'; readonly level: Fixed; readonly plan: readonly MarginCallStep[] };

interface Postings {
  flow: Fixed;
  charged: Fixed;
  insured: Fixed;
}

const HEALTHY: MarginVerdict = { kind: 'healthy' };

/**
 * An exact spot-margin account: owned, held and owed amounts per asset, over all pairs that are traded on margin (DESIGN R8, R13, R15).
 *
 * If a fill gives more than the account has free, the rest is borrowed at that fill. Amounts that a fill brings repay interest first, then principal,
 * of the same asset. Interest is charged on the principal when it is borrowed and at each UTC hour. Interest is a debt, and bears no interest itself.
 *
 * Valuation: with prices P from the caller (1 for the currency itself), assets = Σ owned × P, debt = Σ (principal + interest) × P, equity = assets −
 * debt, level = assets ÷ debt. Comparisons use these values without rounding. Limit of borrowing: debt plus the loans that working orders would need,
 * the new loan included, are worth at most (leverage − 1) × equity. This is checked when an order arrives; from then on its loan is promised.
 *
 * Each posting is rounded once, half to even. Free, locked, principal and interest are never negative.
 */
export class MarginLedger {
  readonly currency: Asset;
  readonly #hourlyRate: (asset: Asset) => Fixed;
  readonly #accounts = new Map<Asset, AssetAccount>();
  readonly #initial: ReadonlyMap<Asset, Fixed>;
  /** Sums of all postings, kept apart from the accounts. {@link residual} compares the two. */
  readonly #postings = new Map<Asset, Postings>();
  #chargedUntil: EpochMs = Number.NEGATIVE_INFINITY;
  #isWarned = false;

  /** @throws {InvariantError} `E_BALANCE_NEGATIVE` when a starting amount is below 0. */
  constructor(options: MarginLedgerOptions) {
    this.currency = options.currency;
    this.#hourlyRate = options.hourlyRate;
    this.#initial = new Map(options.balances);
    for (const [asset, amount] of options.balances) {
      checkNotNegative(asset, 'a starting amount', amount);
      this.#accounts.set(asset, new AssetAccount(amount));
    }
  }

  // Amounts.

  /** Owned amount that working orders do not hold. */
  free(asset: Asset): Fixed {
    return this.#accounts.get(asset)?.free ?? 0n;
  }

  /** Owned amount that working orders hold. */
  locked(asset: Asset): Fixed {
    return this.#accounts.get(asset)?.locked ?? 0n;
  }

  debt(asset: Asset): Debt {
    return this.#accounts.get(asset)?.debt ?? { principal: 0n, interest: 0n };
  }

  /** Whether there is any debt. Only then do interest and the level matter. */
  get isIndebted(): boolean {
    for (const account of this.#accounts.values()) if (account.owed > 0n) return true;
    return false;
  }

  /** Owned, held and owed amounts, by asset. */
  get parts(): readonly (Debt & {
    readonly asset: Asset;
    readonly owned: Fixed;
    readonly held: Fixed;
  })[] {
    return [...this.#accounts].map(([asset, { owned, held, debt }]) => ({
      asset,
      owned,
      held,
      ...debt,
    }));
  }

  /** Whether the warning of this fall was reported. */
  get isWarned(): boolean {
    return this.#isWarned;
  }

  /** Free plus locked amounts, by asset; debts are not subtracted. */
  totals(): ReadonlyMap<Asset, Fixed> {
    return new Map([...this.#accounts].map(([asset, { owned }]) => [asset, owned]));
  }

  /** Owned minus owed. Negative if an asset is sold short. */
  net(asset: Asset): Fixed {
    const account = this.#accounts.get(asset);
    return account === undefined ? 0n : account.owned - account.owed;
  }

  /** Difference between postings and nets, by asset: initial + fills + insurance − interest − net. Always 0 (DESIGN R15). */
  residual(): ReadonlyMap<Asset, Fixed> {
    return new Map(
      [...this.#accounts.keys()].map((asset) => {
        const { flow, charged, insured } = this.#posted(asset);
        return [
          asset,
          (this.#initial.get(asset) ?? 0n) + flow + insured - charged - this.net(asset),
        ];
      }),
    );
  }

  /** Total that the venue paid for debts that the account could not cover. */
  insured(asset: Asset): Fixed {
    return this.#posted(asset).insured;
  }

  // Valuation.

  /** Assets − debt in the currency, rounded once, half to even. */
  equity(priceOf: PriceOf): Fixed {
    const { assets, debt } = this.#value(priceOf);
    return divideHalfEven(assets - debt, FIXED_ONE);
  }

  /** Assets ÷ debt, rounded once; undefined without debt. */
  level(priceOf: PriceOf): Fixed | undefined {
    return levelOf(this.#value(priceOf));
  }

  /** How much more of an asset may be borrowed, beyond all debts and promised loans; rounded down. */
  borrowable(
    asset: Asset,
    { leverage, priceOf }: { readonly leverage: Fixed; readonly priceOf: PriceOf },
  ): Fixed {
    return borrowableAt(this.#value(priceOf), leverage, this.#price(asset, priceOf));
  }

  /** Amount that an order may use: the free amount plus the borrowable one. */
  available(asset: Asset, terms: { readonly leverage: Fixed; readonly priceOf: PriceOf }): Fixed {
    return this.free(asset) + this.borrowable(asset, terms);
  }

  #value(priceOf: PriceOf): Valuation {
    let [assets, debt, reserved] = [0n, 0n, 0n];
    for (const [asset, account] of this.#accounts) {
      if ((account.owned | account.owed | account.reserved) === 0n) continue;
      const price = this.#price(asset, priceOf);
      assets += account.owned * price;
      debt += account.owed * price;
      reserved += account.reserved * price;
    }
    return { assets, debt, reserved };
  }

  #price(asset: Asset, priceOf: PriceOf): Fixed {
    if (asset === this.currency) return FIXED_ONE;
    const price = priceOf(asset);
    if (price > 0n) return price;
    throw new InvariantError(
      'E_MARGIN_PRICE',
      `${asset}: expected a price above 0 ${this.currency}, received ${formatFixed(price)}`,
    );
  }

  // Working orders.

  /**
   * Holds an amount for a working order: it locks the free amount, and the rest is a promised loan. Compare with {@link available} first: this method
   * refuses nothing.
   */
  hold(asset: Asset, amount: Fixed): void {
    this.#of(asset).hold(amount);
  }

  /**
   * Ends the hold of an order, before each of its fills and when it ends.
   *
   * @throws {InvariantError} `E_BALANCE_NEGATIVE` when more is released than was held.
   */
  release(asset: Asset, amount: Fixed): void {
    const account = this.#of(asset);
    checkNotNegative(asset, 'holds', account.held - amount);
    account.hold(-amount);
  }

  // Postings.

  /**
   * Posts a fill. A given amount that is not free is borrowed; a received amount repays debt. Release the hold of its order first.
   *
   * @returns the interest charged for the new loans, one entry for each loan with interest.
   */
  settle(flows: Flows): readonly AssetAmount[] {
    const interest: AssetAmount[] = [];
    for (const { asset, amount } of given(flows)) {
      const { lacking } = this.#give(asset, amount);
      if (lacking === 0n) continue;
      const first = this.#of(asset).borrow(lacking, this.#hourlyRate(asset));
      this.#posted(asset).charged += first;
      if (first > 0n) interest.push({ asset, amount: first });
    }
    this.#takeIn(flows);
    return interest;
  }

  /**
   * Posts a fill of a margin call. A given amount that the account does not have is not borrowed: the venue pays it.
   *
   * @returns the amounts that the venue paid.
   */
  settleForced(flows: Flows): readonly AssetAmount[] {
    const insured: AssetAmount[] = [];
    for (const { asset, amount } of given(flows)) {
      const { lacking } = this.#give(asset, amount);
      if (lacking === 0n) continue;
      this.#posted(asset).insured += lacking;
      insured.push({ asset, amount: lacking });
    }
    this.#takeIn(flows);
    return insured;
  }

  #give(asset: Asset, amount: Fixed): { readonly lacking: Fixed } {
    this.#posted(asset).flow -= amount;
    return this.#of(asset).take(amount);
  }

  #takeIn(flows: Flows): void {
    for (const [asset, amount] of flows) {
      if (amount <= 0n) continue;
      this.#posted(asset).flow += amount;
      this.#of(asset).receive(amount);
    }
  }

  /**
   * Charges one hour of interest on every principal: at each UTC hour, after the fills that happened up to it, before those after it (DESIGN R1).
   * Interest below half of 10^-18 is rounded to 0.
   *
   * @throws {InvariantError} `E_MARGIN_HOUR` when `time` is no UTC hour, or not after the last hour that was charged.
   */
  chargeHour(time: EpochMs): readonly AssetAmount[] {
    if (time % HOUR_MS !== 0 || time <= this.#chargedUntil) {
      throw new InvariantError(
        'E_MARGIN_HOUR',
        `expected a UTC hour after ${String(this.#chargedUntil)}, received ${String(time)}`,
      );
    }
    this.#chargedUntil = time;
    const charges: AssetAmount[] = [];
    for (const [asset, account] of this.#accounts) {
      if (account.debt.principal === 0n) continue;
      const amount = account.chargeHour(this.#hourlyRate(asset));
      this.#posted(asset).charged += amount;
      if (amount > 0n) charges.push({ asset, amount });
    }
    return charges;
  }

  // Margin calls.

  /**
   * Assesses the level. A warning is returned once per fall: again only after the level was above the warning level, or there was no debt. A call is
   * returned each time.
   */
  assess(priceOf: PriceOf): MarginVerdict {
    const value = this.#value(priceOf);
    const level = levelOf(value);
    if (level === undefined || !isAtOrBelow(value, MARGIN_WARN_LEVEL)) {
      this.#isWarned = false;
      return HEALTHY;
    }
    const wasWarned = this.#isWarned;
    this.#isWarned = true;
    if (isAtOrBelow(value, MARGIN_CALL_LEVEL)) {
      return { kind: 'call', level, plan: this.planCall(priceOf) };
    }
    return wasWarned ? HEALTHY : { kind: 'warning', level };
  }

  /** The steps of a margin call at this moment, in order; see {@link planMarginCall}. Empty if nothing is left to sell or buy back. */
  planCall(priceOf: PriceOf): readonly MarginCallStep[] {
    return planMarginCall(
      [...this.#accounts].map(([asset, { owned, owed }]) => ({ asset, owned, owed })),
      { currency: this.currency, priceOf: (asset) => this.#price(asset, priceOf) },
    );
  }

  /** Repays the debt in an asset from its free amount: the first step of a margin call, after all orders were canceled. */
  repayFromFree(asset: Asset): void {
    const account = this.#of(asset);
    const { free, owed } = account;
    const amount = minFixed(free, owed);
    account.take(amount);
    account.receive(amount);
  }

  /**
   * Ends a margin call: the venue pays the remaining debts.
   *
   * @returns the amounts that it paid. No debt is left afterwards.
   */
  writeOff(): readonly AssetAmount[] {
    const insured: AssetAmount[] = [];
    for (const [asset, account] of this.#accounts) {
      const { owed } = account;
      if (owed === 0n) continue;
      this.#posted(asset).insured += owed;
      account.receive(owed);
      insured.push({ asset, amount: owed });
    }
    return insured;
  }

  #of(asset: Asset): AssetAccount {
    let account = this.#accounts.get(asset);
    if (account === undefined) {
      account = new AssetAccount(0n);
      this.#accounts.set(asset, account);
    }
    return account;
  }

  #posted(asset: Asset): Postings {
    let postings = this.#postings.get(asset);
    if (postings === undefined) {
      postings = { flow: 0n, charged: 0n, insured: 0n };
      this.#postings.set(asset, postings);
    }
    return postings;
  }
}

function given(flows: Flows): readonly AssetAmount[] {
  return [...flows]
    .filter(([, amount]) => amount < 0n)
    .map(([asset, amount]) => ({ asset, amount: -amount }));
}

function checkNotNegative(asset: Asset, what: string, amount: Fixed): void {
  if (amount >= 0n) return;
  throw new InvariantError(
    'E_BALANCE_NEGATIVE',
    `${asset}: expected ${what} >= 0, received ${formatFixed(amount)}`,
  );
}
