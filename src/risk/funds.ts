import {
  absFixed,
  divideCeil,
  divideFixed,
  FIXED_ONE,
  multiplyFixed,
  type Asset,
  type Fixed,
  type FuturesInstrument,
  type MarginInstrument,
} from '../domain/index.js';
import { knownPrice, type RiskAccount } from './account.js';
import type { OrderDraft } from './order-draft.js';
import type { RiskPolicy } from './policy.js';
import { fromEquityCurrency } from './worth.js';

/** What pays for an entry, and what one unit of it takes. */
export interface Funds {
  readonly asset: Asset;
  /** Money that can be used, in `asset`. */
  readonly power: Fixed;
  /** Needed for `sent` = 1, costs included, in `asset`, as a whole number of 10^-36 units so that nothing is rounded before the comparison. */
  readonly unitCost: bigint;
}

/** Scale of a product of `sent` and a unit cost. */
export const COST_SCALE = FIXED_ONE * FIXED_ONE;

/**
 * Says what an entry needs and has; undefined for exits, which need nothing but their position.
 *
 * Spot: price × quantity, and the taker fee where fees are paid in quote. Margin: the same, with what may be borrowed,
 * (leverage − 1) × equity (DESIGN R13). Futures: initial margin, taker fee, cost reserve, and the loss at the start of a limit price
 * beyond last. The taker fee is the worst case of a LIMIT order, too.
 */
export function fundsOf(
  draft: OrderDraft,
  account: RiskAccount,
  policy: RiskPolicy,
): Funds | undefined {
  const { instrument, action, side } = draft.proposal;
  if (action === 'close') return undefined;
  const oneSentCosts = draft.terms.unit === 'quote' ? FIXED_ONE : (draft.terms.oneCosts ?? 0n);
  if (instrument.kind === 'futures') {
    return instrument.contract === 'linear'
      ? linearFunds(draft, instrument, account, policy)
      : inverseFunds(draft, instrument, account, policy);
  }
  const feeRate = draft.fees.paidIn === 'quote' ? draft.fees.taker : 0n;
  if (side === 'buy') {
    const free = account.freeBalance(instrument.quote);
    const borrowed = instrument.kind === 'margin' ? borrowable(instrument, account) : 0n;
    const unitCost = oneSentCosts * (FIXED_ONE + feeRate);
    return { asset: instrument.quote, power: free + borrowed, unitCost };
  }
  // A short on margin sells what it borrows: its proceeds pay the fee.
  const price = draft.terms.price ?? 0n;
  const ownBase = multiplyFixed(account.freeBalance(instrument.base), price);
  const borrowed = instrument.kind === 'margin' ? borrowable(instrument, account) : 0n;
  return { asset: instrument.quote, power: ownBase + borrowed, unitCost: oneSentCosts * FIXED_ONE };
}

/** In quote; nothing while nobody knows what equity is in quote. */
function borrowable({ leverage, quote }: MarginInstrument, account: RiskAccount): Fixed {
  const equity = account.equity();
  const inQuote = fromEquityCurrency(account, quote, absFixed(equity)) ?? 0n;
  return multiplyFixed(leverage - FIXED_ONE, equity < 0n ? -inQuote : inQuote);
}

/** Initial margin and costs as a ratio of the order's value, rounded up. */
function marginRate(draft: OrderDraft, leverage: Fixed, policy: RiskPolicy): Fixed {
  return divideCeil(COST_SCALE, leverage) + draft.fees.taker + (policy.costReserve ?? 0n);
}

function linearFunds(
  draft: OrderDraft,
  instrument: FuturesInstrument,
  account: RiskAccount,
  policy: RiskPolicy,
): Funds {
  const { unit, oneCosts = 0n } = draft.terms;
  const rate = marginRate(draft, instrument.leverage, policy);
  const unitCost =
    unit === 'quote'
      ? FIXED_ONE * rate
      : oneCosts * rate + priceLoss(draft, account) * instrument.multiplier;
  return {
    asset: instrument.marginAsset,
    power: account.freeBalance(instrument.marginAsset),
    unitCost,
  };
}

/** How much worse than last the limit price is, in quote; 0 for MARKET. */
function priceLoss({ proposal, terms }: OrderDraft, account: RiskAccount): Fixed {
  const last = knownPrice(account, proposal.instrument.id);
  if (terms.price === undefined || last === undefined) return 0n;
  const isWorse = proposal.side === 'buy' ? terms.price > last : terms.price < last;
  return isWorse ? absFixed(terms.price - last) : 0n;
}

function inverseFunds(
  draft: OrderDraft,
  instrument: FuturesInstrument,
  account: RiskAccount,
  policy: RiskPolicy,
): Funds {
  const price = draft.terms.price ?? FIXED_ONE;
  const last = knownPrice(account, instrument.id) ?? price;
  const rate = marginRate(draft, instrument.leverage, policy);
  const value = divideCeil(instrument.multiplier * rate, price);
  const loss =
    priceLoss(draft, account) === 0n
      ? 0n
      : absFixed(
          divideFixed(instrument.multiplier, last) - divideFixed(instrument.multiplier, price),
        );
  return {
    asset: instrument.marginAsset,
    power: account.freeBalance(instrument.marginAsset),
    unitCost: (value + loss) * FIXED_ONE,
  };
}
