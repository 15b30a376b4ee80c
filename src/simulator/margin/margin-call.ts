import {
  ceilToStep,
  divideCeil,
  FIXED_ONE,
  floorToStep,
  minFixed,
  type Asset,
  type FeeRates,
  type Fixed,
} from '../../domain/index.js';
import type { PriceOf } from './valuation.js';

/** One step of a margin call. Quantities are exact; the caller rounds them to the quantity step. */
export type MarginCallStep =
  /** Pay a debt from the owned amount of the same asset; no trade. */
  | { readonly kind: 'repay'; readonly asset: Asset; readonly amount: Fixed }
  /** Sell the owned amount beyond the debt, for the currency. A rest below one step stays. */
  | { readonly kind: 'sell'; readonly asset: Asset; readonly quantity: Fixed }
  /** Buy back a debt with the currency: `quantity` must arrive after fees. */
  | { readonly kind: 'buy-back'; readonly asset: Asset; readonly quantity: Fixed };

interface Holding {
  readonly asset: Asset;
  readonly owned: Fixed;
  readonly owed: Fixed;
}

/**
 * Plans what is sold and bought back when a margin account is called, in this order. No order works any more at that time.
 *
 * 1. Debts are repaid with the owned amount of the same asset.
 * 2. Every other asset is sold for the currency, the most valuable first. The proceeds repay the debt in the currency.
 * 3. Every other debt is bought back, the largest first.
 *
 * Equal values are sorted by name. The rest of the currency stays in the account; a remaining debt is written off.
 */
export function planMarginCall(
  holdings: readonly Holding[],
  terms: { readonly currency: Asset; readonly priceOf: PriceOf },
): readonly MarginCallStep[] {
  const repayments: MarginCallStep[] = [];
  const trades: { readonly step: MarginCallStep; readonly value: bigint }[] = [];
  for (const { asset, owned, owed } of holdings) {
    const both = minFixed(owned, owed);
    if (both > 0n) repayments.push({ kind: 'repay', asset, amount: both });
    const net = owned - owed;
    if (asset === terms.currency || net === 0n) continue;
    const [kind, quantity] = net > 0n ? (['sell', net] as const) : (['buy-back', -net] as const);
    trades.push({ step: { kind, asset, quantity }, value: quantity * terms.priceOf(asset) });
  }
  const byName = (a: MarginCallStep, b: MarginCallStep): number => (a.asset < b.asset ? -1 : 1);
  trades.sort((a, b) => {
    if (a.step.kind !== b.step.kind) return a.step.kind === 'sell' ? -1 : 1;
    if (a.value !== b.value) return a.value > b.value ? -1 : 1;
    return byName(a.step, b.step);
  });
  return [...repayments.sort(byName), ...trades.map(({ step }) => step)];
}

/**
 * Quantity of the order for a step, on the quantity step. A sale leaves a rest below one step. A purchase brings at least the debt, even if its fee
 * is paid in the received asset.
 */
export function callQuantityOf(
  { kind, quantity }: Exclude<MarginCallStep, { readonly kind: 'repay' }>,
  step: Fixed,
  rates: FeeRates,
): Fixed {
  if (kind === 'sell') return floorToStep(quantity, step);
  const rate = rates.paidIn === 'received' ? rates.taker : 0n;
  return ceilToStep(divideCeil(quantity * FIXED_ONE, FIXED_ONE - rate), step);
}
