import {
  AssetAccount,
  compareIds,
  HOUR_MS,
  maxFixed,
  multiplyFixed,
  type Debt,
  type EpochMs,
  type Fixed,
} from '../../domain/index.js';

/** First interest on a loan, with the time of the loan, or the interest of an hour. */
export interface LoanInterest {
  readonly time: EpochMs;
  readonly amount: Fixed;
  /** @defaultValue first interest on a loan */
  readonly of?: 'hour' | undefined;
  /** Trade that the loan paid for, if the venue gave it an id. */
  readonly tradeId?: string | undefined;
}

/** The debt in one asset, with its unmatched interest. */
export interface KnownDebt {
  readonly debt: Debt;
  /** Interest is owed for all hours up to this time. */
  readonly chargedUntil: EpochMs;
  /** Interest that is owed and that no event has charged yet: first interest of loans, and hours before a later fill. */
  readonly loans: readonly LoanInterest[];
  /** First interest that an event charged before the engine booked the fill that borrowed. */
  readonly told: readonly LoanInterest[];
}

/** One asset of the margin account at an instant, as the venue has it. */
export interface LoanState extends KnownDebt {
  readonly owned: Fixed;
  /** Held for working orders. */
  readonly held: Fixed;
}

/** Place of a step in the order in which the venue acted. */
interface StepPlace {
  readonly time: EpochMs;
  readonly tradeId?: string | undefined;
  /** Whether it is told later than it happened. Then it comes before what was answered at the same time: paths and opens come before arrivals (DESIGN R1). */
  readonly isLate?: boolean | undefined;
}

/** A fill, in one of its assets. */
export interface FillStep extends StepPlace {
  readonly kind: 'fill';
  /** Received when positive, given when negative. */
  readonly amount: Fixed;
  /** When the fill's order was decided. @defaultValue unknown */
  readonly decidedAt?: EpochMs | undefined;
  /** Amount that the venue held for the fill's order until then. */
  readonly release: Fixed;
  /** Hours up to this time come before the fill. */
  readonly hoursUntil: EpochMs;
  /** Hours up to this time were charged by events before the fill was told. @defaultValue none after the fill */
  readonly chargedUntil?: EpochMs | undefined;
}

/** Anything that changes one asset of the margin account. */
export type LoanStep =
  | FillStep
  /** The amount held for an order changes: it was accepted, has filled in part, or has ended. */
  | (StepPlace & { readonly kind: 'hold'; readonly change: Fixed })
  /** An event charges interest. */
  | (StepPlace & { readonly kind: 'charge'; readonly amount: Fixed; readonly of: 'loan' | 'hour' });

export const NO_LOANS: LoanState = {
  owned: 0n,
  held: 0n,
  debt: { principal: 0n, interest: 0n },
  chargedUntil: Number.NEGATIVE_INFINITY,
  loans: [],
  told: [],
};

/** Whether `earlier`, which was told before `step`, happened after it. */
export function comesAfter(earlier: LoanStep, step: LoanStep): boolean {
  if (isKnownTo(step, earlier)) return false;
  if (earlier.time !== step.time) return earlier.time > step.time;
  // Within one time only hours have a place; a loan is charged before or after its fill is told.
  if (earlier.kind === 'charge') return earlier.of === 'loan';
  if (earlier.tradeId !== undefined && step.tradeId !== undefined)
    return compareIds(earlier.tradeId, step.tradeId) > 0;
  return step.isLate === true && earlier.isLate !== true && earlier.tradeId === undefined;
}

/** Whether the order of a fill was decided after an amount held had changed. Its answer may be late, and its time is of another clock, but its fills came later. */
function isKnownTo(fill: LoanStep, change: LoanStep): boolean {
  if (fill.kind !== 'fill' || fill.decidedAt === undefined) return false;
  return change.kind === 'hold' && change.time <= fill.decidedAt;
}

/** The state after a step. `hourlyRate`: interest per hour as a ratio of the principal. */
export function loanAfter(state: LoanState, step: LoanStep, hourlyRate: Fixed): LoanState {
  switch (step.kind) {
    case 'hold':
      return { ...state, held: state.held + step.change };
    case 'charge':
      return afterCharge(state, step);
    case 'fill':
      return step.amount < 0n
        ? afterGiving(beforeFill(state, step, hourlyRate), step, hourlyRate)
        : afterReceipt(beforeFill(state, step, hourlyRate), step.amount);
  }
}

function afterCharge(
  state: LoanState,
  { time, amount, of }: Extract<LoanStep, { readonly kind: 'charge' }>,
): LoanState {
  const { debt, loans, told } = state;
  const owes = (more: Fixed): Debt => ({ ...debt, interest: debt.interest + more });
  const place = placeAt(loans, time, of);
  const loan = loans[place];
  // The amount of the event counts, even if the loan was booked with another rate.
  if (loan !== undefined)
    return { ...state, debt: owes(amount - loan.amount), loans: loans.toSpliced(place, 1) };
  if (of === 'loan') return { ...state, debt: owes(amount), told: [...told, { time, amount }] };
  const chargedUntil = Math.max(state.chargedUntil, time);
  return { ...state, debt: owes(amount), chargedUntil };
}

/** The state right before a fill: its order holds nothing any more, and hours before the fill are owed, because it may repay their principal. */
function beforeFill(state: LoanState, step: FillStep, hourlyRate: Fixed): LoanState {
  let { debt, chargedUntil } = state;
  const amount = multiplyFixed(debt.principal, hourlyRate);
  const loans = [...state.loans];
  for (;;) {
    const hour = hourAfter(chargedUntil);
    if (amount === 0n || hour > step.hoursUntil) break;
    debt = { ...debt, interest: debt.interest + amount };
    chargedUntil = hour;
    loans.push({ time: hour, amount, of: 'hour' });
  }
  return { ...state, held: state.held - step.release, debt, chargedUntil, loans };
}

function afterReceipt(state: LoanState, amount: Fixed): LoanState {
  const account = accountOf(state);
  account.receive(amount);
  return { ...state, owned: account.owned, debt: account.debt };
}

function afterGiving(state: LoanState, step: FillStep, hourlyRate: Fixed): LoanState {
  const { account, loan } = borrow(state, step, hourlyRate);
  const { owned, debt } = account;
  if (loan === undefined) return { ...state, owned };
  const { first, due, chargedUntil } = loan;
  const { time, tradeId } = step;
  const place = placeAt(state.told, time, 'loan');
  // An event has already charged the first interest of this loan.
  if (place >= 0)
    return {
      ...{ ...state, owned, chargedUntil },
      debt: { ...debt, interest: debt.interest - first },
      told: state.told.toSpliced(place, 1),
    };
  return {
    ...{ ...state, owned, chargedUntil },
    debt: { ...debt, interest: debt.interest - first + due },
    loans: due > 0n ? [...state.loans, { time, amount: due, tradeId }] : state.loans,
  };
}

/** First interest that the loan of a fill owes: 0 if nothing is borrowed. */
export function dueWithFill(state: LoanState, step: FillStep, hourlyRate: Fixed): Fixed {
  if (step.amount >= 0n) return 0n;
  return borrow(beforeFill(state, step, hourlyRate), step, hourlyRate).loan?.due ?? 0n;
}

/** Pays the amount of a fill. What is not owned and free is borrowed. */
function borrow(state: LoanState, step: FillStep, hourlyRate: Fixed) {
  const account = accountOf(state);
  const { lacking } = account.take(-step.amount);
  if (lacking === 0n) return { account, loan: undefined };
  const { time, chargedUntil: toldUntil = Number.NEGATIVE_INFINITY } = step;
  const chargedUntil =
    state.debt.principal === 0n ? Math.max(state.chargedUntil, time) : state.chargedUntil;
  const first = account.borrow(lacking, hourlyRate);
  // A loan that the engine learns of late also owes the hours that were charged since.
  const due = first * (1n + hoursBetween(time, Math.max(chargedUntil, toldUntil)));
  return { account, loan: { first, due, chargedUntil } };
}

function accountOf({ owned, held, debt }: LoanState): AssetAccount {
  const account = new AssetAccount(maxFixed(owned, 0n), debt);
  account.hold(maxFixed(held, 0n));
  return account;
}

/** Debt as balances show it: without interest that no event has charged yet. */
export function owedAndTold({ debt, loans }: KnownDebt): Fixed {
  return loans.reduce((sum, { amount }) => sum - amount, debt.principal + debt.interest);
}

/** Place of the oldest interest for a loan of that time, or for the hour that ended then; -1 if there is none. */
function placeAt(interest: readonly LoanInterest[], at: EpochMs, what: 'loan' | 'hour'): number {
  return interest.findIndex(({ time, of = 'loan' }) => time === at && of === what);
}

/** The first full hour after a time. */
export function hourAfter(time: EpochMs): EpochMs {
  return (Math.floor(time / HOUR_MS) + 1) * HOUR_MS;
}

/** Number of full UTC hours after `time`, up to and including `until`. */
function hoursBetween(time: EpochMs, until: EpochMs): bigint {
  if (until <= time) return 0n;
  return BigInt(Math.floor(until / HOUR_MS) - Math.floor(time / HOUR_MS));
}
