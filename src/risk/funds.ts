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
  type MarginInstrument,
} from '../domain/index.js';
import { knownMark, knownPrice, type RiskAccount } from './account.js';
import type { OrderDraft } from './order-draft.js';
import type { RiskPolicy } from './policy.js';
import { fromEquityCurrency } from './worth.js';

/** What pays for an entry, and what it takes. */
export interface Funds {
  readonly asset: Asset;
  /** Money that can be used, in `asset`. */
  readonly power: Fixed;
  /** Needed for one order that sends this much, costs included, in `asset`, rounded up. */
  needs(sent: Fixed): Fixed;
}

/**
 * Says what an entry needs and has; undefined for exits, which need nothing but their position.
 *
 * Spot: price × quantity, and the fee where fees are paid in quote. Margin: the same, with what may be borrowed (DESIGN R13). Futures:
 * initial margin, fee, the loss the contracts start with, and the cost reserve. The formulas are the venue's own, from `domain`.
 */
export function fundsOf(
  draft: OrderDraft,
  account: RiskAccount,
  policy: RiskPolicy,
): Funds | undefined {
  const { instrument, action, side } = draft.proposal;
  if (action === 'close') return undefined;
  if (instrument.kind === 'futures') return futuresFunds(draft, instrument, account, policy);
  const { quote, base } = instrument;
  const borrowed = instrument.kind === 'margin' ? borrowable(instrument, account) : 0n;
  if (side === 'buy') {
    const power = account.freeBalance(quote, instrument.kind) + borrowed;
    return { asset: quote, power, needs: (sent) => outlayOfBuy(moneyIn(draft, sent), draft.fees) };
  }
  // A short on margin sells what it borrows: its proceeds pay the fee.
  const ownBase = multiplyFixed(
    account.freeBalance(base, instrument.kind),
    draft.terms.price ?? 0n,
  );
  return { asset: quote, power: ownBase + borrowed, needs: (sent) => moneyIn(draft, sent) };
}

function moneyIn({ terms: { unit, oneCosts = 0n } }: OrderDraft, sent: Fixed): Fixed {
  return unit === 'quote' ? sent : multiplyFixed(sent, oneCosts);
}

/** In quote: what debts leave of (leverage − 1) × equity; nothing while nobody knows what that is in quote. */
function borrowable({ leverage, quote }: MarginInstrument, account: RiskAccount): Fixed {
  const room = multiplyFixed(leverage - FIXED_ONE, account.equity('margin')) - account.owed();
  return fromEquityCurrency(account, quote, maxFixed(room, 0n)) ?? 0n;
}

function futuresFunds(
  draft: OrderDraft,
  instrument: FuturesInstrument,
  account: RiskAccount,
  policy: RiskPolicy,
): Funds {
  const { proposal, terms, fees } = draft;
  const { id, leverage, marginAsset } = instrument;
  const last = knownPrice(account, id);
  const price = terms.price ?? last ?? FIXED_ONE;
  const mark = knownMark(account, id) ?? last ?? price;
  const direction: Direction = proposal.side === 'buy' ? 'long' : 'short';
  // The reserve is a cost in proportion to the value, as the fee is.
  const feeRate = dearestRate(fees) + (policy.costReserve ?? 0n);
  // Written out: copying an object that holds bigints is slow.
  const needs = (sent: Fixed): Fixed => {
    if (terms.unit !== 'quote')
      return orderMargin(instrument, { direction, contracts: sent, price, mark, leverage, feeRate })
        .total;
    const valueAtMark = shareFixed(sent, mark, price);
    return marginOfValue(instrument, { direction, value: sent, valueAtMark, leverage, feeRate })
      .total;
  };
  return { asset: marginAsset, power: account.freeBalance(marginAsset, instrument.kind), needs };
}
