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

/** One step of a margin call. Quantities are exact; who trades brings them to the quantity step. */
export type MarginCallStep =
  /** Pay a debt with what is owned of the same asset; no trade. */
  | { readonly kind: 'repay'; readonly asset: Asset; readonly amount: Fixed }
  /** Sell all that is owned and not owed, for the currency. What is below a step stays. */
  | { readonly kind: 'sell'; readonly asset: Asset; readonly quantity: Fixed }
  /** Buy what is owed, with the currency: `quantity` is what must arrive after fees. */
  | { readonly kind: 'buy-back'; readonly asset: Asset; readonly quantity: Fixed };

interface Holding {
  readonly asset: Asset;
  readonly owned: Fixed;
  readonly owed: Fixed;
}

/**
 * Says what is sold and bought back when a margin account is called, in this order, with no order working any more:
 *
 * 1. debts are repaid with what is owned of the same asset;
 * 2. every other asset is sold for the currency, the most valuable first; the proceeds repay what is owed of the currency;
 * 3. every other debt is bought back, the largest first.
 *
 * Equal values go by name. What is left of the currency stays with the account; a debt that is left is written off.
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
 * Quantity of the order that carries out a step, on the quantity step: a sale leaves what is below one step, a purchase brings at least
 * what is owed, also where its fee is paid in what it brings.
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
