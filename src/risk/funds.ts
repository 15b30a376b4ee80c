import {
  dearestRate,
  FIXED_ONE,
  marginOfValue,
  maxFixed,
  multiplyFixed,
  orderMargin,
  outlayOfBuy,
  shareFixed,
  type Asset,
  type Direction,
  type Fixed,
  type FuturesInstrument,
  type Instrument,
  type MarginInstrument,
} from '../domain/index.js';
import { knownMark, knownPrice, type RiskAccount } from './account.js';
import type { OrderDraft } from './order-draft.js';
import type { RiskPolicy } from './policy.js';
import { costOfOne, type OrderTerms } from './terms.js';
import { fromEquityCurrency } from './worth.js';

// What pays for an entry, and what it takes. The formulas are the venue's own, from `domain`. Exits need nothing but their position.

/** Pays for an entry. */
export function fundingAsset(instrument: Instrument): Asset {
  return instrument.kind === 'futures' ? instrument.marginAsset : instrument.quote;
}

/** Money that an entry can use, in {@link fundingAsset}: what is free, and on margin what may be borrowed (DESIGN R13). */
export function usableFunds({ proposal, terms }: OrderDraft, account: RiskAccount): Fixed {
  const { instrument, side } = proposal;
  if (instrument.kind === 'futures')
    return account.freeBalance(instrument.marginAsset, instrument.kind);
  // A short on margin sells what it borrows: its proceeds pay the fee.
  const own =
    side === 'buy'
      ? account.freeBalance(instrument.quote, instrument.kind)
      : multiplyFixed(account.freeBalance(instrument.base, instrument.kind), terms.price ?? 0n);
  return instrument.kind === 'margin' ? own + borrowable(instrument, account) : own;
}

/** In quote: what debts leave of (leverage − 1) × equity; nothing while nobody knows what that is in quote. */
function borrowable({ leverage, quote }: MarginInstrument, account: RiskAccount): Fixed {
  const room = multiplyFixed(leverage - FIXED_ONE, account.equity('margin')) - account.owed();
  return fromEquityCurrency(account, quote, maxFixed(room, 0n)) ?? 0n;
}

/**
 * Needed for one order of an entry that sends this much, costs included, in {@link fundingAsset}, rounded up.
 *
 * Spot and margin: price × quantity, and the fee where fees are paid in quote. Futures: initial margin, fee, the loss the contracts start
 * with, and the cost reserve.
 */
export function neededFunds(
  terms: OrderTerms,
  sent: Fixed,
  account: RiskAccount,
  policy: RiskPolicy,
): Fixed {
  const { instrument, side } = terms.proposal;
  const fees = policy.fees(instrument.id, account.now);
  if (instrument.kind === 'futures') {
    // The reserve is a cost in proportion to the value, as the fee is.
    const feeRate = dearestRate(fees) + (policy.costReserve ?? 0n);
    const direction = side === 'buy' ? 'long' : 'short';
    return marginOfSent(terms, instrument, { sent, direction, feeRate, account });
  }
  const money = terms.unit === 'quote' ? sent : multiplyFixed(sent, costOfOne(terms) ?? 0n);
  return side === 'buy' ? outlayOfBuy(money, fees) : money;
}

function marginOfSent(
  terms: OrderTerms,
  instrument: FuturesInstrument,
  {
    sent,
    direction,
    feeRate,
    account,
  }: {
    readonly sent: Fixed;
    readonly direction: Direction;
    readonly feeRate: Fixed;
    readonly account: RiskAccount;
  },
): Fixed {
  const { id, leverage } = instrument;
  const last = knownPrice(account, id);
  const price = terms.price ?? last ?? FIXED_ONE;
  const mark = knownMark(account, id) ?? last ?? price;
  if (terms.unit !== 'quote')
    return orderMargin(instrument, { direction, contracts: sent, price, mark, leverage, feeRate })
      .total;
  const valueAtMark = shareFixed(sent, mark, price);
  return marginOfValue(instrument, { direction, value: sent, valueAtMark, leverage, feeRate })
    .total;
}

/**
 * What the one order of a draft holds back while it works, where that is what it needs: not of an exit, nor with a cost reserve, of a short
 * on margin, which holds its base, or of contracts for money, which hold nothing for the loss they start with.
 */
export function reservedByEntry(
  { proposal, terms, needed }: OrderDraft,
  { costReserve }: RiskPolicy,
): Fixed | undefined {
  if (proposal.action === 'close') return undefined;
  const isWhatIsNeeded =
    proposal.instrument.kind === 'futures'
      ? terms.unit !== 'quote' && costReserve === undefined
      : proposal.side === 'buy';
  return isWhatIsNeeded ? needed : undefined;
}
