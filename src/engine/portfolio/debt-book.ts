import {
  AssetAccount,
  flowsOfFill,
  HOUR_MS,
  maxFixed,
  minFixed,
  multiplyFixed,
  type Asset,
  type Debt,
  type EpochMs,
  type FillRecord,
  type Fixed,
  type MarginInstrument,
} from '../../domain/index.js';
import type { AccountUpdate } from '../../venue/index.js';
import type { CashAccount, CashBook } from './cash-book.js';

/** Debt in one asset of the margin account, computed from our own fills. Includes the first interest of new loans, even if no event has charged it yet. */
export interface AssetDebt extends Debt {
  readonly asset: Asset;
}

/** A debt, in the form that the next engine continues with. */
export interface DebtCheckpoint extends AssetDebt {
  /** Interest is owed for all hours up to this time. */
  readonly chargedUntil: EpochMs;
  /** Interest that is owed and that no event has charged yet: first interest of loans, and hours before a later fill. */
  readonly loans: readonly LoanInterest[];
  /** First interest that an event charged before the engine booked the fill that borrowed. */
  readonly told: readonly LoanInterest[];
}

/** First interest on a loan, with the time of the loan, or the interest of an hour. */
interface LoanInterest {
  readonly time: EpochMs;
  readonly amount: Fixed;
  /** @defaultValue first interest on a loan */
  readonly of?: 'hour' | undefined;
}

type Interest = Extract<AccountUpdate, { readonly kind: 'interest' }>;

/** Interest that is due and that no event has charged yet. */
export type DueInterest = Required<Interest>;

/** The debt in one asset, with its unmatched interest. */
interface KnownDebt {
  readonly debt: Debt;
  readonly chargedUntil: EpochMs;
  /** Interest that is owed and that no event has charged yet. */
  readonly loans: readonly LoanInterest[];
  /** First interest that an event charged before the engine booked the fill that borrowed. */
  readonly told: readonly LoanInterest[];
}

/** Terms of an amount that a fill pays. */
interface GiveTerms {
  /** Amount held back for the fill's own order. */
  readonly reserved: Fixed;
  readonly time: EpochMs;
}

const ESTIMATE = { kind: 'interest', isEstimated: true } as const;
const NO_DEBT: KnownDebt = {
  debt: { principal: 0n, interest: 0n },
  chargedUntil: Number.NEGATIVE_INFINITY,
  loans: [],
  told: [],
};

/**
 * Debts of the margin account, computed from our own fills because the venue does not show them (DESIGN R13). Balances hold owned less owed. This
 * book also knows the principal, because only the principal bears interest.
 *
 * A fill borrows the part of its payment that is not owned and free. An amount that a fill brings repays interest, then principal. The first
 * interest of a loan is owed at once. The event that charges it comes later, or even before the fill. If the venue reports interest (backtest,
 * paper), these events come from the venue; otherwise they are made from {@link due}.
 */
export class DebtBook {
  readonly #cash: CashBook;
  readonly #hourlyRate: Fixed;
  readonly #known = new Map<Asset, KnownDebt>();
  /** Amount held back of an account for orders that have not arrived at the venue. It can pay for a fill. */
  heldOnTheWay: (cash: CashAccount) => Fixed = () => 0n;

  /**
   * @param cash read before each fill is booked.
   * @param hourlyRate interest per hour as a ratio of the principal, ≥ 0.
   */
  constructor(cash: CashBook, hourlyRate: Fixed = 0n, before: readonly DebtCheckpoint[] = []) {
    this.#cash = cash;
    this.#hourlyRate = hourlyRate;
    for (const { asset, principal, interest, ...rest } of before)
      this.#known.set(asset, { ...rest, debt: { principal, interest } });
  }

  /** Takes a fill on a pair just before balances book it. `reserved`: amount held back for the fill's own order. */
  fill(instrument: MarginInstrument, fill: FillRecord, reserved: Fixed): void {
    const flows = flowsOfFill(instrument, fill);
    const own = paidIn(instrument, fill);
    const { eventTime: time } = fill;
    for (const [asset] of flows) this.#oweHours(asset, hoursUntil(fill));
    for (const [asset, amount] of flows)
      if (amount < 0n)
        this.#give(asset, -amount, { reserved: asset === own ? reserved : 0n, time });
    for (const [asset, amount] of flows) if (amount > 0n) this.#takeIn(asset, amount);
  }

  /** Owes the hours before a fill that no event has charged yet: the fill may repay their principal. */
  #oweHours(asset: Asset, until: EpochMs): void {
    for (;;) {
      const known = this.#known.get(asset);
      if (known === undefined) return;
      const hour = hourAfter(known.chargedUntil);
      const amount = multiplyFixed(known.debt.principal, this.#hourlyRate);
      if (amount === 0n || hour > until) return;
      const { principal, interest } = known.debt;
      this.#known.set(asset, {
        ...known,
        debt: { principal, interest: interest + amount },
        chargedUntil: hour,
        loans: [...known.loans, { time: hour, amount, of: 'hour' }],
      });
    }
  }

  #give(asset: Asset, amount: Fixed, terms: GiveTerms): void {
    const known = this.#known.get(asset) ?? NO_DEBT;
    const loan = this.#loanFor(asset, amount, terms);
    if (loan === undefined) return;
    const { debt, first, due, chargedUntil } = loan;
    const told = placeAt(known.told, terms.time, 'loan');
    if (told < 0)
      this.#known.set(asset, {
        ...known,
        debt: { ...debt, interest: debt.interest - first + due },
        chargedUntil,
        loans: due > 0n ? [...known.loans, { time: terms.time, amount: due }] : known.loans,
      });
    // An event has already charged the first interest of this loan.
    else
      this.#known.set(asset, {
        ...known,
        debt: { ...debt, interest: debt.interest - first },
        chargedUntil,
        told: known.told.toSpliced(told, 1),
      });
  }

  /** The loan that paying an amount would need, and the interest due with it; undefined if nothing would be borrowed. */
  #loanFor(asset: Asset, amount: Fixed, { reserved, time }: GiveTerms) {
    const cash = this.#cash.find('margin', asset);
    if (cash === undefined) return undefined;
    const known = this.#known.get(asset) ?? NO_DEBT;
    const { debt } = known;
    // Amounts that the venue holds for other orders cannot pay for this fill.
    const locked = cash.locked - reserved;
    const heldByOthers = locked > 0n ? maxFixed(locked - this.heldOnTheWay(cash), 0n) : 0n;
    const free = maxFixed(cash.total + owedAndTold(known) - heldByOthers, 0n);
    const account = new AssetAccount(free, debt);
    const { lacking } = account.take(amount);
    if (lacking === 0n) return undefined;
    const chargedUntil =
      debt.principal === 0n ? Math.max(known.chargedUntil, time) : known.chargedUntil;
    const first = account.borrow(lacking, this.#hourlyRate);
    // A loan that the engine learns of late also owes the hours that were charged since.
    const due = first * (1n + hoursBetween(time, chargedUntil));
    return { debt: account.debt, first, due, chargedUntil };
  }

  /** First interest of the loan that a fill will take in an asset, once it is booked; undefined if there is none, or if an event has charged it already. */
  dueWith(
    instrument: MarginInstrument,
    fill: FillRecord,
    { asset, reserved }: { readonly asset: Asset; readonly reserved: Fixed },
  ): DueInterest | undefined {
    const { eventTime } = fill;
    const amount = flowsOfFill(instrument, fill).get(asset) ?? 0n;
    if (amount >= 0n || this.#known.get(asset)?.told.some(({ time }) => time === eventTime))
      return undefined;
    const own = asset === paidIn(instrument, fill) ? reserved : 0n;
    const loan = this.#loanFor(asset, -amount, { reserved: own, time: eventTime });
    if (loan === undefined || loan.due === 0n) return undefined;
    return { ...ESTIMATE, asset, amount: loan.due, eventTime, of: 'loan' };
  }

  #takeIn(asset: Asset, amount: Fixed): void {
    const known = this.#known.get(asset);
    if (known === undefined) return;
    const account = new AssetAccount(0n, known.debt);
    account.receive(amount);
    this.#known.set(asset, { ...known, debt: account.debt });
  }

  /** Books an interest event: for a loan, whose fill may come later, or for an hour. */
  charge({ asset, amount, eventTime, of }: Omit<Interest, 'kind' | 'isEstimated'>): void {
    const known = this.#known.get(asset) ?? NO_DEBT;
    const owes = (more: Fixed): Debt => ({ ...known.debt, interest: known.debt.interest + more });
    // A bot may learn of a resting order's fill after that of a later order. So the times of event and loan decide.
    const place = placeAt(known.loans, eventTime, of);
    const loan = known.loans[place];
    if (loan === undefined && of === 'hour') {
      const chargedUntil = Math.max(known.chargedUntil, eventTime);
      this.#known.set(asset, { ...known, debt: owes(amount), chargedUntil });
    } else if (loan === undefined) {
      const told = [...known.told, { time: eventTime, amount }];
      this.#known.set(asset, { ...known, debt: owes(amount), told });
    }
    // The amount of the event counts, even if the loan was booked with another rate.
    else {
      const loans = known.loans.toSpliced(place, 1);
      this.#known.set(asset, { ...known, debt: owes(amount - loan.amount), loans });
    }
  }

  /** Call after a fill of a margin call was booked. Such a fill borrows nothing, and the venue pays the rest: debts are cut to what balances owe. */
  endForced(instrument: MarginInstrument, fill: FillRecord): void {
    for (const [asset, amount] of flowsOfFill(instrument, fill)) {
      if (amount > 0n) this.#takeIn(asset, amount);
      this.#limit(asset, this.#cash.find('margin', asset)?.total ?? 0n);
    }
  }

  #limit(asset: Asset, total: Fixed): void {
    const known = this.#known.get(asset);
    if (known === undefined) return;
    const owed = minFixed(known.debt.principal + known.debt.interest, maxFixed(-total, 0n));
    const interest = minFixed(known.debt.interest, owed);
    this.#known.set(asset, {
      debt: { principal: owed - interest, interest },
      chargedUntil: known.chargedUntil,
      loans: owed === 0n ? [] : known.loans,
      told: [],
    });
  }

  /** Debts by asset, without those of 0. */
  get owed(): readonly AssetDebt[] {
    return [...this.#known].flatMap(([asset, { debt }]) =>
      debt.principal + debt.interest === 0n ? [] : [{ asset, ...debt }],
    );
  }

  /** The oldest interest that is due by `now` and that no event has charged. Within an asset, loans come before hours. */
  due(now: EpochMs): DueInterest | undefined {
    let found: DueInterest | undefined;
    for (const [asset, known] of this.#known) {
      const own = this.#nextOf(asset, known);
      if (own === undefined || own.eventTime > now) continue;
      if (found === undefined || own.eventTime < found.eventTime) found = own;
    }
    return found;
  }

  #nextOf(asset: Asset, { debt, chargedUntil, loans }: KnownDebt): DueInterest | undefined {
    const [loan] = loans;
    if (loan !== undefined) {
      const { time: eventTime, amount, of = 'loan' } = loan;
      return { ...ESTIMATE, asset, amount, eventTime, of };
    }
    const amount = multiplyFixed(debt.principal, this.#hourlyRate);
    if (amount === 0n) return undefined;
    const eventTime = hourAfter(chargedUntil);
    return { ...ESTIMATE, asset, amount, eventTime, of: 'hour' };
  }

  /** Assets with debt or unmatched interest, sorted by name; `{}` if there are none. */
  checkpoint(): { readonly debts?: readonly DebtCheckpoint[] } {
    const debts = [...this.#known]
      .filter(([, known]) => isLive(known))
      .map(([asset, { debt, chargedUntil, loans, told }]) => ({
        asset,
        principal: debt.principal,
        interest: debt.interest,
        chargedUntil,
        loans: loans.map(({ time, amount, of }) => ({ time, amount, ...(of && { of }) })),
        told: told.map(({ time, amount }) => ({ time, amount })),
      }))
      .toSorted((one, other) => (one.asset < other.asset ? -1 : 1));
    return debts.length === 0 ? {} : { debts };
  }
}

/** Debt as balances show it: without interest that no event has charged yet. */
function owedAndTold({ debt, loans }: KnownDebt): Fixed {
  return loans.reduce((sum, { amount }) => sum - amount, debt.principal + debt.interest);
}

/** Place of the oldest interest for a loan of that time, or for the hour that ended then; -1 if there is none. */
function placeAt(interest: readonly LoanInterest[], at: EpochMs, what: DueInterest['of']): number {
  return interest.findIndex(({ time, of = 'loan' }) => time === at && of === what);
}

/** The first full hour after a time. */
function hourAfter(time: EpochMs): EpochMs {
  return (Math.floor(time / HOUR_MS) + 1) * HOUR_MS;
}

function isLive({ debt, loans, told }: KnownDebt): boolean {
  return debt.principal + debt.interest > 0n || loans.length + told.length > 0;
}

/** The asset that the fill's order holds back. */
function paidIn({ base, quote }: MarginInstrument, { side }: FillRecord): Asset {
  return side === 'buy' ? quote : base;
}

/**
 * Until when hours are owed before a fill. An order that arrives as an hour ends comes after its interest. A resting order that the last millisecond
 * of a path fills comes before it (DESIGN R1). One that the next open fills has the same time: then the order of the events tells.
 */
function hoursUntil({ liquidity, eventTime }: FillRecord): EpochMs {
  return liquidity === 'taker' ? eventTime : eventTime - 1;
}

/** Number of full UTC hours after `time`, up to and including `until`. */
function hoursBetween(time: EpochMs, until: EpochMs): bigint {
  if (until <= time) return 0n;
  return BigInt(Math.floor(until / HOUR_MS) - Math.floor(time / HOUR_MS));
}
