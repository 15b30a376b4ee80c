import {
  amountText,
  formatFixed,
  MINUTE_MS,
  nounOf,
  type Fixed,
  type InstrumentId,
} from '../../domain/index.js';
import type { CheckName } from '../check-names.js';
import { quantityUnitName } from '../size/money.js';
import { createRefusal } from '../refusal.js';
import type { EntryGuard } from './entry-guard.js';
import { exposureOf } from './notional-guards.js';
import type { ProtectionView } from './protection-view.js';

/** Refuses an entry if `count` has reached the limit. Messages use the noun, and the text that follows it. */
function countGuard(
  name: CheckName,
  most: number,
  [noun, more = '']: readonly [string, string?],
  count: (...input: Parameters<EntryGuard['check']>) => number | undefined,
): EntryGuard {
  const unit = `${noun}s${more}`;
  return {
    name,
    limit: `${String(most)} ${nounOf(most, noun)}${more}`,
    check(...input) {
      const now = count(...input);
      if (now === undefined || now < most) return undefined;
      return createRefusal({
        check: name,
        limit: String(most),
        actual: String(now + 1),
        unit,
        text: `there ${nounOf(now, 'is', 'are')} ${String(now)} ${nounOf(now, noun)}${more}, and one more would exceed ${name} of ${String(most)}`,
      });
    },
  };
}

/** An entry that adds to a held position opens no new one. Dust is no position. */
export function maxOpenPositions(most: number, view: ProtectionView): EntryGuard {
  return countGuard('max-open-positions', most, ['open position'], (draft) => {
    const own = exposureOf(draft, view);
    return own === undefined || own.isDust === true
      ? view.exposures().filter(({ isDust }) => isDust !== true).length
      : undefined;
  });
}

export function maxOpenOrders(most: number): EntryGuard {
  return countGuard(
    'max-open-orders',
    most,
    ['open order', ' of the instrument'],
    ({ proposal }, _rules, account) => account.workingOrders(proposal.instrument.id),
  );
}

export function maxTotalOpenOrders(most: number, view: ProtectionView): EntryGuard {
  return countGuard('max-total-open-orders', most, ['open order'], () => view.openOrders());
}

export function ordersPerMinute(most: number, view: ProtectionView): EntryGuard {
  return countGuard(
    'orders-per-minute',
    most,
    ['order', ' in a minute'],
    (_draft, _rules, account) => {
      const from = account.now - MINUTE_MS;
      return view.state.recentOrders.filter((time) => time > from).length;
    },
  );
}

export function ordersPerDay(most: number, view: ProtectionView): EntryGuard {
  return countGuard('orders-per-day', most, ['order', ' in a day'], () => view.state.dayOrders);
}

export function maxPositionQuantity(
  limits: ReadonlyMap<InstrumentId, Fixed>,
  view: ProtectionView,
): EntryGuard {
  const name = 'max-position-quantity';
  return {
    name,
    limit: [...limits].map(([id, most]) => `${id} ${formatFixed(most)}`).join(', '),
    check(draft) {
      const { instrument } = draft.proposal;
      const most = limits.get(instrument.id);
      if (most === undefined) return undefined;
      const after = (exposureOf(draft, view)?.quantity ?? 0n) + draft.quantity;
      if (after <= most) return undefined;
      const unit = quantityUnitName(instrument);
      return createRefusal({
        check: name,
        limit: most,
        actual: after,
        unit,
        text: `${amountText(after, unit)} of ${instrument.id} would exceed ${name} of ${amountText(most, unit)}`,
      });
    },
  };
}
