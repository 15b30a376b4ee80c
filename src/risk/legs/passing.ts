import type { Fixed, ResolvedRules } from '../../domain/index.js';
import { tightestMaximum } from './maximum.js';
import { smallestSent } from './minimum.js';
import { sentUnitName, type OrderDraft } from '../order-draft.js';
import type { Passing } from '../refusal.js';

/** Suggests the smallest order; undefined if a maximum is below it, or an exit has less to close. */
export function smallestPassing(draft: OrderDraft, rules: ResolvedRules): Passing | undefined {
  const value = smallestSent(draft, rules);
  if (draft.proposal.action === 'close' && value > draft.closable) return undefined;
  const maximum = tightestMaximum(draft.terms, rules);
  if (maximum !== undefined && value > maximum.most) return undefined;
  return { value, unit: sentUnitName(draft) };
}

/** Suggests the largest order up to `most`; undefined if that is less than the smallest. */
export function largestPassing(
  draft: OrderDraft,
  rules: ResolvedRules,
  most: Fixed,
): Passing | undefined {
  return most < smallestSent(draft, rules) ? undefined : { value: most, unit: sentUnitName(draft) };
}
