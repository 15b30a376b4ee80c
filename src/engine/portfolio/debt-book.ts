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
import type { CashBook } from './cash-book.js';

/** What is owed of one asset of the margin account, by our own fills; the first interest of new loans included, which no event may have charged yet. */
export interface AssetDebt extends Debt {
  readonly asset: Asset;
}

/** A debt as the next engine goes on with it. */
export interface DebtCheckpoint extends AssetDebt {
  /** Hours up to then are paid for. */
  readonly chargedUntil: EpochMs;
  readonly loans: readonly LoanInterest[];
  /** Charged before the fill was booked that borrowed. */
  readonly told: readonly LoanInterest[];
}

/** First interest on what was borrowed at an instant. */
interface LoanInterest {
  readonly time: EpochMs;
  readonly amount: Fixed;
}

type Interest = Extract<AccountUpdate, { readonly kind: 'interest' }>;

/** Interest that nobody has told yet. */
export type DueInterest = Required<Interest>;

/** What is known of one asset. */
interface KnownDebt {
  readonly debt: Debt;
  readonly chargedUntil: EpochMs;
  /** Owed, and not charged by any event. */
  readonly loans: readonly LoanInterest[];
  /** Charged before the fill was booked that borrowed. */
  readonly told: readonly LoanInterest[];
}

/** What a fill gives. */
interface GiveTerms {
  /** Held back for its own order. */
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
 * What the margin account owes, worked out of our own fills: the venue shows none of it (DESIGN R13). Balances know what is owned less what is
 * owed; this knows what was borrowed, because interest is charged on that alone.
 *
 * What a fill gives and is neither owned nor free is borrowed; what it brings repays interest, then principal. The first interest of a loan is owed at
 * once, and waits for the event that charges it; that event may also come before the fill. Where the venue tells interest (a backtest, paper) its events are that; where it does not, they
 * are made of {@link due}.
 */
export class DebtBook {
  readonly #cash: CashBook;
  readonly #hourlyRate: Fixed;
  readonly #known = new Map<Asset, KnownDebt>();

  /**
   * @param cash is read before each fill.
   * @param hourlyRate interest per hour as a ratio of the principal, ≥ 0.
   */
  constructor(cash: CashBook, hourlyRate: Fixed = 0n, before: readonly DebtCheckpoint[] = []) {
    this.#cash = cash;
    this.#hourlyRate = hourlyRate;
    for (const { asset, principal, interest, ...rest } of before)
      this.#known.set(asset, { ...rest, debt: { principal, interest } });
  }

  /** Takes a fill on a pair that is about to be booked. `reserved`: what is held back for its own order. */
  fill(instrument: MarginInstrument, fill: FillRecord, reserved: Fixed): void {
    const flows = flowsOfFill(instrument, fill);
    const own = paidIn(instrument, fill);
    const { eventTime: time } = fill;
    for (const [asset, amount] of flows)
      if (amount < 0n)
        this.#give(asset, -amount, { reserved: asset === own ? reserved : 0n, time });
    for (const [asset, amount] of flows) if (amount > 0n) this.#takeIn(asset, amount);
  }

  #give(asset: Asset, amount: Fixed, terms: GiveTerms): void {
    const known = this.#known.get(asset) ?? NO_DEBT;
    const loan = this.#loanFor(asset, amount, terms);
    if (loan === undefined) return;
    const { debt, first, due, chargedUntil } = loan;
    const [before, ...others] = known.told;
    if (before === undefined)
      this.#known.set(asset, {
        ...known,
        debt: { ...debt, interest: debt.interest - first + due },
        chargedUntil,
        loans: due > 0n ? [...known.loans, { time: terms.time, amount: due }] : known.loans,
      });
    // Its first interest was charged before.
    else
      this.#known.set(asset, {
        ...known,
        debt: { ...debt, interest: debt.interest - first },
        chargedUntil,
        told: others,
      });
  }

  /** What would be borrowed to give an amount, and the interest that is due with it; undefined for nothing. */
  #loanFor(asset: Asset, amount: Fixed, { reserved, time }: GiveTerms) {
    const cash = this.#cash.find('margin', asset);
    if (cash === undefined) return undefined;
    const known = this.#known.get(asset) ?? NO_DEBT;
    const { debt } = known;
    // Holds are of what is owned: what others hold cannot pay.
    const heldByOthers = cash.locked - reserved;
    const free = maxFixed(cash.total + owedAndTold(known) - heldByOthers, 0n);
    const account = new AssetAccount(free, debt);
    const { lacking } = account.take(amount);
    if (lacking === 0n) return undefined;
    const chargedUntil =
      debt.principal === 0n ? Math.max(known.chargedUntil, time) : known.chargedUntil;
    const first = account.borrow(lacking, this.#hourlyRate);
    // A loan that is learned of late owes the hours, too, that were charged meanwhile.
    const due = first * (1n + hoursBetween(time, chargedUntil));
    return { debt: account.debt, first, due, chargedUntil };
  }

  /** The first interest of what a fill will borrow of an asset, once it is booked; undefined where it costs none, or was told already. */
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

  /** Books interest that was told: of a loan, which its fill may follow, or of an hour. */
  charge({ asset, amount, eventTime, of }: Omit<Interest, 'kind' | 'isEstimated'>): void {
    const known = this.#known.get(asset) ?? NO_DEBT;
    const owes = (more: Fixed): Debt => ({ ...known.debt, interest: known.debt.interest + more });
    if (of !== 'loan') {
      const chargedUntil = Math.max(known.chargedUntil, eventTime);
      this.#known.set(asset, { ...known, debt: owes(amount), chargedUntil });
      return;
    }
    const [loan, ...later] = known.loans;
    if (loan === undefined) {
      const told = [...known.told, { time: eventTime, amount }];
      this.#known.set(asset, { ...known, debt: owes(amount), told });
    }
    // What was told is what counts, also where another rate was configured then.
    else this.#known.set(asset, { ...known, debt: owes(amount - loan.amount), loans: later });
  }

  /** A fill of a margin call was booked. Nothing is borrowed for it, and what is owed then the venue pays: no more is owed than balances say. */
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

  /** What is owed of each asset. */
  get owed(): readonly AssetDebt[] {
    return [...this.#known].flatMap(([asset, { debt }]) =>
      debt.principal + debt.interest === 0n ? [] : [{ asset, ...debt }],
    );
  }

  /** The oldest interest that is due by an instant and was not told; loans before hours. */
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
      const { time: eventTime, amount } = loan;
      return { ...ESTIMATE, asset, amount, eventTime, of: 'loan' };
    }
    const amount = multiplyFixed(debt.principal, this.#hourlyRate);
    if (amount === 0n) return undefined;
    const eventTime = (Math.floor(chargedUntil / HOUR_MS) + 1) * HOUR_MS;
    return { ...ESTIMATE, asset, amount, eventTime, of: 'hour' };
  }

  /** Those of which anything is owed or to be told, by name. */
  checkpoint(): { readonly debts?: readonly DebtCheckpoint[] } {
    const debts = [...this.#known]
      .filter(([, known]) => isLive(known))
      .map(([asset, { debt, chargedUntil, loans, told }]) => ({
        asset,
        principal: debt.principal,
        interest: debt.interest,
        chargedUntil,
        loans: loans.map(({ time, amount }) => ({ time, amount })),
        told: told.map(({ time, amount }) => ({ time, amount })),
      }))
      .toSorted((one, other) => (one.asset < other.asset ? -1 : 1));
    return debts.length === 0 ? {} : { debts };
  }
}

/** What is owed, as balances know it: the first interest of new loans is not told yet. */
function owedAndTold({ debt, loans }: KnownDebt): Fixed {
  return loans.reduce((sum, { amount }) => sum - amount, debt.principal + debt.interest);
}

function isLive({ debt, loans, told }: KnownDebt): boolean {
  return debt.principal + debt.interest > 0n || loans.length + told.length > 0;
}

/** What an order holds back of. */
function paidIn({ base, quote }: MarginInstrument, { side }: FillRecord): Asset {
  return side === 'buy' ? quote : base;
}

/** Whole UTC hours after an instant, up to another. */
function hoursBetween(time: EpochMs, until: EpochMs): bigint {
  if (until <= time) return 0n;
  return BigInt(Math.floor(until / HOUR_MS) - Math.floor(time / HOUR_MS));
}
