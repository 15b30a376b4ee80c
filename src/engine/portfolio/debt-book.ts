import {
  compareIds,
  flowsOfFill,
  maxFixed,
  minFixed,
  multiplyFixed,
  type Asset,
  type ClientOrderId,
  type Debt,
  type EpochMs,
  type FillRecord,
  type Fixed,
  type MarginInstrument,
} from '../../domain/index.js';
import type { AccountUpdate } from '../../venue/index.js';
import { AssetLoans } from './asset-loans.js';
import type { CashBook } from './cash-book.js';
import { hourAfter, type FillStep, type KnownDebt, type LoanInterest } from './loan-steps.js';

/** Debt in one asset of the margin account, computed from our own fills. Includes the first interest of new loans, even if no event has charged it yet. */
interface AssetDebt extends Debt {
  readonly asset: Asset;
}

/** A debt, in the form that the next engine continues with. */
export type DebtCheckpoint = AssetDebt & Omit<KnownDebt, 'debt'>;

type Interest = Extract<AccountUpdate, { readonly kind: 'interest' }>;

/** Interest that is due and that no event has charged yet. */
export type DueInterest = Required<Interest>;

/** What the venue holds for a working order. */
interface OrderHold {
  readonly asset: Asset;
  readonly amount: Fixed;
}

/** What is known of a fill. */
export interface FillKnowledge {
  /** When it became known. */
  readonly at: EpochMs;
  /** When its order was decided: its fills come after what the bot knew then. @defaultValue unknown */
  readonly decidedAt?: EpochMs | undefined;
}

/** When the amount held for an order changes. */
interface HoldPlace {
  readonly time: EpochMs;
  /** Id of the trade right before the change, if the order has filled. */
  readonly tradeId?: string | undefined;
}

/** Later than any fill happened. */
const LATE = Number.POSITIVE_INFINITY;

const ESTIMATE = { kind: 'interest', isEstimated: true } as const;

/**
 * Debts of the margin account, computed from our own fills because the venue does not show them (DESIGN R13). Balances hold owned less owed. This
 * book also knows the principal, because only the principal bears interest.
 *
 * A fill borrows the part of its payment that is not owned and free. An amount that a fill brings repays interest, then principal. The first
 * interest of a loan is owed at once. The event that charges it comes later, or even before the fill. If the venue reports interest (backtest,
 * paper), these events come from the venue; otherwise they are made from {@link due}.
 *
 * Fills count in the order in which they happened, over all pairs, even if they are told in another ({@link AssetLoans}).
 */
export class DebtBook {
  readonly #cash: CashBook;
  readonly #hourlyRate: Fixed;
  readonly #known = new Map<Asset, AssetLoans>();
  readonly #holds = new Map<ClientOrderId, OrderHold>();

  /**
   * @param cash read before each fill is booked.
   * @param hourlyRate interest per hour as a ratio of the principal, ≥ 0.
   */
  constructor(cash: CashBook, hourlyRate: Fixed = 0n, before: readonly DebtCheckpoint[] = []) {
    this.#cash = cash;
    this.#hourlyRate = hourlyRate;
    for (const { asset, principal, interest, ...rest } of before)
      this.#known.set(
        asset,
        new AssetLoans(hourlyRate, { ...rest, debt: { principal, interest } }),
      );
  }

  #of(asset: Asset): AssetLoans {
    let known = this.#known.get(asset);
    if (known === undefined) this.#known.set(asset, (known = new AssetLoans(this.#hourlyRate)));
    return known;
  }

  #total(asset: Asset): Fixed | undefined {
    return this.#cash.find('margin', asset)?.total;
  }

  /** Takes a fill on a pair just before balances book it. */
  fill(instrument: MarginInstrument, fill: FillRecord, known: FillKnowledge): void {
    for (const [asset, amount] of flowsOfFill(instrument, fill)) {
      const total = this.#total(asset);
      if (total !== undefined)
        this.#of(asset).fill(this.#stepOf(fill, asset, amount, known), total);
    }
    this.#holds.delete(fill.clientOrderId);
  }

  #stepOf(
    fill: FillRecord,
    asset: Asset,
    amount: Fixed,
    { at, decidedAt }: FillKnowledge,
  ): FillStep {
    const held = this.#holds.get(fill.clientOrderId);
    return {
      kind: 'fill',
      time: fill.eventTime,
      tradeId: fill.venueTradeId,
      isLate: at > fill.eventTime,
      decidedAt,
      amount,
      release: held?.asset === asset ? held.amount : 0n,
      hoursUntil: hoursUntil(fill),
    };
  }

  /** The venue holds another amount for an order from now on: it was accepted, has filled in part, or has ended. */
  hold(clientOrderId: ClientOrderId, { asset, amount }: OrderHold, place: HoldPlace): void {
    const change = amount - (this.#holds.get(clientOrderId)?.amount ?? 0n);
    if (change === 0n) return;
    if (amount === 0n) this.#holds.delete(clientOrderId);
    else this.#holds.set(clientOrderId, { asset, amount });
    this.#of(asset).take({ kind: 'hold', ...place, change });
  }

  /**
   * First interest of the loan that a late fill will take in an asset, once it is booked; undefined if there is none, or if an event has charged it already.
   * `decidedAt`: see {@link FillKnowledge}.
   */
  dueWith(
    instrument: MarginInstrument,
    fill: FillRecord,
    asset: Asset,
    decidedAt?: EpochMs,
  ): DueInterest | undefined {
    const { eventTime } = fill;
    const total = this.#total(asset);
    const flow = flowsOfFill(instrument, fill).get(asset) ?? 0n;
    if (flow >= 0n || total === undefined) return undefined;
    const known = this.#of(asset);
    if (known.state.told.some(({ time }) => time === eventTime)) return undefined;
    const amount = known.dueWith(this.#stepOf(fill, asset, flow, { at: LATE, decidedAt }), total);
    return amount === 0n ? undefined : { ...ESTIMATE, asset, amount, eventTime, of: 'loan' };
  }

  /** Books an interest event: for a loan, whose fill may come later, or for an hour. */
  charge({ asset, amount, eventTime, of }: Omit<Interest, 'kind' | 'isEstimated'>): void {
    this.#of(asset).take({ kind: 'charge', time: eventTime, amount, of });
  }

  /** Call after a fill of a margin call was booked. Such a fill borrows nothing, and the venue pays the rest: debts are cut to what balances owe. */
  endForced(instrument: MarginInstrument, fill: FillRecord): void {
    for (const [asset, amount] of flowsOfFill(instrument, fill)) {
      const known = this.#known.get(asset);
      if (known === undefined) continue;
      const { state } = known;
      const total = this.#total(asset) ?? 0n;
      const repaid = maxFixed(amount, 0n);
      const interest = maxFixed(state.debt.interest - repaid, 0n);
      const owed = minFixed(
        maxFixed(state.debt.principal + state.debt.interest - repaid, 0n),
        maxFixed(-total, 0n),
      );
      const left = minFixed(interest, owed);
      known.restart({
        debt: { principal: owed - left, interest: left },
        chargedUntil: state.chargedUntil,
        loans: owed === 0n ? [] : state.loans,
        told: [],
      });
    }
  }

  /** Debts by asset, without those of 0. */
  get owed(): readonly AssetDebt[] {
    return [...this.#known].flatMap(([asset, { state }]) => {
      const { principal, interest } = state.debt;
      return principal + interest === 0n ? [] : [{ asset, principal, interest }];
    });
  }

  /**
   * The oldest interest that is due by `now` and that no event has charged. Within an asset, loans come before hours. `before`: a late fill, if only what came
   * before it counts.
   */
  due(now: EpochMs, before?: FillRecord): DueInterest | undefined {
    let found: DueInterest | undefined;
    for (const [asset, { state }] of this.#known) {
      const own = this.#nextOf(asset, state, before);
      if (own === undefined || own.eventTime > now) continue;
      if (found === undefined || own.eventTime < found.eventTime) found = own;
    }
    return found;
  }

  #nextOf(
    asset: Asset,
    { debt, chargedUntil, loans }: KnownDebt,
    before: FillRecord | undefined,
  ): DueInterest | undefined {
    const [loan] = loans;
    if (loan !== undefined) {
      const { time: eventTime, amount, of = 'loan' } = loan;
      if (before !== undefined && isAfter(loan, before)) return undefined;
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
      .filter(([, { state }]) => isLive(state))
      .map(
        ([
          asset,
          {
            state: { debt, chargedUntil, loans, told },
          },
        ]) => ({
          asset,
          principal: debt.principal,
          interest: debt.interest,
          chargedUntil,
          loans: loans.map(({ time, amount, of, tradeId }) => ({
            time,
            amount,
            ...(of && { of }),
            ...(tradeId !== undefined && { tradeId }),
          })),
          told: told.map(({ time, amount }) => ({ time, amount })),
        }),
      )
      .toSorted((one, other) => (one.asset < other.asset ? -1 : 1));
    return debts.length === 0 ? {} : { debts };
  }
}

/** Whether the loan of this interest was taken after a fill, at the same time. */
function isAfter(
  { time, tradeId }: LoanInterest,
  { eventTime, venueTradeId }: FillRecord,
): boolean {
  if (time !== eventTime || tradeId === undefined || venueTradeId === undefined) return false;
  return compareIds(tradeId, venueTradeId) > 0;
}

function isLive({ debt, loans, told }: KnownDebt): boolean {
  return debt.principal + debt.interest > 0n || loans.length + told.length > 0;
}

/**
 * Until when hours are owed before a fill. An order that arrives as an hour ends comes after its interest. A resting order that the last millisecond
 * of a path fills comes before it (DESIGN R1). One that the next open fills has the same time: then the order of the events tells.
 */
function hoursUntil({ liquidity, eventTime }: FillRecord): EpochMs {
  return liquidity === 'taker' ? eventTime : eventTime - 1;
}
