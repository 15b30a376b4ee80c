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
import { fromEquityCurrency } from './size/worth.js';

// The asset that pays for an entry, and the amount. The formulas are the venue's own, from `domain`. Exits need only their position.

/** The asset that pays for an entry. */
export function fundingAsset(instrument: Instrument): Asset {
  return instrument.kind === 'futures' ? instrument.marginAsset : instrument.quote;
}

/** Money that an entry can use, in {@link fundingAsset}: the free balance, and on margin also the amount that may be borrowed (DESIGN R13). */
export function usableFunds({ proposal, terms }: OrderDraft, account: RiskAccount): Fixed {
  const { instrument, side } = proposal;
  if (instrument.kind === 'futures')
    return account.freeBalance(instrument.marginAsset, instrument.kind);
  // A short on margin sells borrowed base, and its proceeds pay the fee.
  const own =
    side === 'buy'
      ? account.freeBalance(instrument.quote, instrument.kind)
      : multiplyFixed(account.freeBalance(instrument.base, instrument.kind), terms.price ?? 0n);
  return instrument.kind === 'margin' ? own + borrowable(instrument, account) : own;
}

/** Amount that may be borrowed, in quote: (leverage − 1) × equity minus debts. 0 while its value in quote is unknown. */
function borrowable({ leverage, quote }: MarginInstrument, account: RiskAccount): Fixed {
  const room = multiplyFixed(leverage - FIXED_ONE, account.equity('margin')) - account.owed();
  return fromEquityCurrency(account, quote, maxFixed(room, 0n)) ?? 0n;
}

/**
 * Funds for one order of an entry that sends this amount, costs included, in {@link fundingAsset}, rounded up.
 *
 * Spot and margin: price × quantity, and the fee if fees are paid in quote. Futures: initial margin, fee, opening loss of the contracts, and the cost
 * reserve.
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
    // The reserve is proportional to the value, like the fee.
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
 * Amount that the only order of a draft holds while it works. Undefined if that differs from `needed`: for an exit, for contracts with a cost
 * reserve, for a short on margin (it holds its base), and for contracts sized in money (they hold nothing for their opening loss).
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
