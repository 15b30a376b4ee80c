import {
  absFixed,
  divideFixed,
  formatFixed,
  multiplyFixed,
  type Fixed,
} from '../../domain/index.js';
import { knownMark, knownPrice } from '../account.js';
import type { OrderDraft } from '../order-draft.js';
import { createRefusal, type Refused } from '../refusal.js';
import type { EntryGuard } from './entry-guard.js';
import type { ProtectionView } from './protection-view.js';

/**
 * Refuses a price far from the last price, and one far from the mark. A price that risk itself set (last × (1 ± marketBand)) is not a request of the
 * strategy, so the last price is checked in its place.
 */
export function priceBand({
  last,
  mark,
}: {
  readonly last?: Fixed;
  readonly mark?: Fixed;
}): EntryGuard {
  const limits = [
    ...(last === undefined ? [] : [`last ± ${formatFixed(last)}`]),
    ...(mark === undefined ? [] : [`mark ± ${formatFixed(mark)}`]),
  ];
  return {
    name: 'price-band',
    limit: limits.join(', '),
    check(draft, _rules, account) {
      const { id } = draft.proposal.instrument;
      const lastPrice = knownPrice(account, id);
      const asked = draft.proposal.limitPrice === undefined ? lastPrice : draft.terms.price;
      if (asked === undefined) return undefined;
      return (
        outside(draft, asked, lastPrice, last, 'last') ??
        outside(draft, asked, knownMark(account, id), mark, 'mark')
      );
    },
  };
}

function outside(
  draft: OrderDraft,
  price: Fixed,
  reference: Fixed | undefined,
  band: Fixed | undefined,
  name: string,
): Refused | undefined {
  if (reference === undefined || reference <= 0n || band === undefined) return undefined;
  const distance = absFixed(price - reference);
  if (distance <= multiplyFixed(reference, band)) return undefined;
  const { quote } = draft.proposal.instrument;
  const ratio = divideFixed(distance, reference);
  return createRefusal({
    check: 'price-band',
    limit: band,
    actual: ratio,
    unit: `of ${name}`,
    text: `${formatFixed(price)} ${quote} is ${formatFixed(ratio)} away from ${name} of ${formatFixed(reference)} ${quote}, allowed are ${formatFixed(band)}`,
  });
}

export function staleData(maxAgeMs: number, view: ProtectionView): EntryGuard {
  return {
    name: 'stale-data',
    limit: `${String(maxAgeMs)} ms`,
    check({ proposal }, _rules, account) {
      const { id } = proposal.instrument;
      const time = view.priceTime(id);
      const age = time === undefined ? undefined : account.now - time;
      if (age !== undefined && age <= maxAgeMs) return undefined;
      const actual = age === undefined ? 'no price yet' : String(age);
      return createRefusal({
        check: this.name,
        limit: String(maxAgeMs),
        actual,
        unit: 'ms',
        text: `the last price of ${id} is too old to trade on: ${actual}${age === undefined ? '' : ' ms'}, allowed are ${String(maxAgeMs)} ms`,
      });
    },
  };
}
