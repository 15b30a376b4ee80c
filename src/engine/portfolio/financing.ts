import {
  multiplyFixed,
  shareFixed,
  type Asset,
  type Direction,
  type EpochMs,
  type Fixed,
  type InstrumentId,
} from '../../domain/index.js';
import type { InstrumentAccount } from './instrument-account.js';
import { lastPrice } from './instrument-account.js';
import type { SideLedger } from './side-ledger.js';

/** Funding or interest that one side of one instrument bears: a cost of holding the position, or income. */
export interface Financing {
  readonly kind: 'funding' | 'interest';
  readonly time: EpochMs;
  readonly instrumentId: InstrumentId;
  readonly direction: Direction;
  /** Paid when positive, in `asset`. */
  readonly amount: Fixed;
  readonly asset: Asset;
  /** Base added to the position, with its worth in quote: interest in base increases the debt of a short. */
  readonly accrued: { readonly quantity: Fixed; readonly value: Fixed };
}

const NOTHING = { quantity: 0n, value: 0n };

/** Interest on one asset, as the venue charges it. */
export interface InterestCharge {
  readonly asset: Asset;
  readonly amount: Fixed;
  readonly eventTime: EpochMs;
}

/** A position that a loan of an asset may have paid for, and its share of the interest. */
interface Borrower {
  readonly account: InstrumentAccount;
  readonly ledger: SideLedger;
  readonly isShort: boolean;
  readonly weight: Fixed;
}

/**
 * Splits interest on one asset over the margin positions that use it, and adds interest in base to the debt of shorts. The venue names only
 * the asset. Shorts in the asset weigh by their debt, longs paid with it by their entry value. Each part is rounded once, and the last takes
 * the rest. Undefined if no position uses the asset: the venue charges a loan before it reports the fill that the loan paid for.
 */
export function splitInterest(
  accounts: Iterable<InstrumentAccount>,
  { asset, amount, eventTime }: InterestCharge,
): readonly Financing[] | undefined {
  const borrowers = [...accounts].flatMap((account) => borrowersOf(account, asset));
  const common = { kind: 'interest', time: eventTime, asset } as const;
  if (borrowers.length === 0) return undefined;
  let amountLeft = amount;
  let weightLeft = borrowers.reduce((sum, { weight }) => sum + weight, 0n);
  return borrowers.map(({ account, ledger, isShort, weight }) => {
    const part = shareFixed(amountLeft, weight, weightLeft);
    amountLeft -= part;
    weightLeft -= weight;
    const worth = multiplyFixed(part, lastPrice(account) ?? 0n);
    const accrued = isShort ? { quantity: part, value: worth } : NOTHING;
    if (isShort) ledger.accrue(accrued);
    const { direction } = ledger;
    return {
      ...common,
      instrumentId: account.instrument.id,
      direction,
      amount: part,
      accrued,
    };
  });
}

function borrowersOf(account: InstrumentAccount, asset: Asset): readonly Borrower[] {
  const { instrument, long, short } = account;
  if (instrument.kind !== 'margin') return [];
  const found: Borrower[] = [];
  const add = (ledger: SideLedger, isShort: boolean, weight: Fixed): void => {
    if (weight > 0n) found.push({ account, ledger, isShort, weight });
  };
  if (instrument.base === asset) add(short, true, short.holding.quantity);
  if (instrument.quote === asset) add(long, false, long.holding.entryValue);
  return found;
}
