import {
  contractValue,
  FIXED_ONE,
  formatFixed,
  maxFixed,
  minFixed,
  tierOf,
  type Fixed,
  type FuturesInstrument,
  type LeverageTier,
  type ResolvedRules,
} from '../../domain/index.js';
import { knownMark, knownPrice } from '../account.js';
import { tightestMaximum } from '../legs/maximum.js';
import { floorPositive } from '../size/money.js';
import { sentStep, type OrderDraft } from '../order-draft.js';
import { largestPassing } from '../legs/passing.js';
import { advise, createRefusal, type Passing } from '../refusal.js';
import { costOfOne } from '../terms.js';
import type { RiskCheck } from './risk-check.js';

/**
 * Refuses contracts that would lift a position into a tier which does not allow the instrument's leverage. Measured as the venue does: the position
 * with this order, at mark. Other working orders do not count.
 */
export const leverageTier: RiskCheck = {
  name: 'leverage-tier',
  check(draft, rules, account, policy) {
    const { instrument, action, side } = draft.proposal;
    if (instrument.kind !== 'futures' || action === 'close') return undefined;
    const tiers = policy.tiers?.(instrument.id, account.now);
    if (tiers === undefined) return undefined;
    const mark = knownMark(account, instrument.id) ?? knownPrice(account, instrument.id);
    if (mark === undefined) return undefined;
    const held = account.held(instrument.id, side === 'buy' ? 'long' : 'short');
    const value = contractValue(instrument, held + draft.quantity, mark);
    const { maxLeverage } = tierOf(tiers, value).tier;
    if (instrument.leverage <= maxLeverage) return undefined;
    const wouldPass = largestWithin(draft, rules, largestPosition(instrument, tiers, mark) - held);
    return createRefusal({
      check: this.name,
      limit: maxLeverage,
      actual: instrument.leverage,
      unit: '×',
      text: `a position worth ${formatFixed(value)} ${instrument.marginAsset} may have a leverage of ${formatFixed(maxLeverage)}, and that of ${instrument.id} is ${formatFixed(instrument.leverage)}${advise(wouldPass)}`,
      wouldPass,
    });
  },
};

/** Contracts at mark up to which every tier allows the leverage; 0 if the first tier does not. */
function largestPosition(
  { contract, multiplier, leverage }: FuturesInstrument,
  tiers: readonly LeverageTier[],
  mark: Fixed,
): Fixed {
  const barred = tiers.findIndex(({ maxLeverage }) => leverage > maxLeverage);
  const value = tiers[barred - 1]?.maxValue ?? 0n;
  return contract === 'linear'
    ? (value * FIXED_ONE * FIXED_ONE) / (multiplier * mark)
    : (value * mark) / multiplier;
}

function largestWithin(
  draft: OrderDraft,
  rules: ResolvedRules,
  contracts: Fixed,
): Passing | undefined {
  const { terms } = draft;
  const whole = floorPositive(maxFixed(contracts, 0n), rules.step);
  const sent = terms.unit === 'quote' ? (whole * (costOfOne(terms) ?? 0n)) / FIXED_ONE : whole;
  const most = minFixed(sent, tightestMaximum(terms, rules)?.most ?? sent);
  return largestPassing(draft, rules, floorPositive(most, sentStep(terms, rules)));
}
