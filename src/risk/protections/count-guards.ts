import { formatFixed, MINUTE_MS, type Fixed, type InstrumentId } from '../../domain/index.js';
import type { CheckName } from '../check-names.js';
import { quantityUnitName } from '../money.js';
import { createRefusal } from '../refusal.js';
import type { EntryGuard } from './entry-guard.js';
import { exposureOf } from './notional-guards.js';
import type { ProtectionView } from './protection-view.js';

/** Refuses one more where `count` has reached the limit. */
function countGuard(
  name: CheckName,
  most: number,
  unit: string,
  count: (...input: Parameters<EntryGuard['check']>) => number | undefined,
): EntryGuard {
  return {
    name,
    limit: `${String(most)} ${unit}`,
    check(...input) {
      const now = count(...input);
      if (now === undefined || now < most) return undefined;
      return createRefusal({
        check: name,
        limit: String(most),
        actual: String(now + 1),
        unit,
        text: `there are ${String(now)} ${unit}, and one more would exceed ${name} of ${String(most)}`,
      });
    },
  };
}

/** Adding to a position that is held opens none. */
export function maxOpenPositions(most: number, view: ProtectionView): EntryGuard {
  return countGuard('max-open-positions', most, 'open positions', (draft) =>
    exposureOf(draft, view) === undefined ? view.exposures().length : undefined,
  );
}

export function maxOpenOrders(most: number): EntryGuard {
  return countGuard(
    'max-open-orders',
    most,
    'open orders of the instrument',
    ({ proposal }, _rules, account) => account.workingOrders(proposal.instrument.id),
  );
}

export function maxTotalOpenOrders(most: number, view: ProtectionView): EntryGuard {
  return countGuard('max-total-open-orders', most, 'open orders', () => view.openOrders());
}

export function ordersPerMinute(most: number, view: ProtectionView): EntryGuard {
  return countGuard('orders-per-minute', most, 'orders in a minute', (_draft, _rules, account) => {
    const from = account.now - MINUTE_MS;
    return view.state().recentOrders.filter((time) => time > from).length;
  });
}

export function ordersPerDay(most: number, view: ProtectionView): EntryGuard {
  return countGuard('orders-per-day', most, 'orders in a day', () => view.state().dayOrders);
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
        text: `${formatFixed(after)} ${unit} of ${instrument.id} would exceed ${name} of ${formatFixed(most)} ${unit}`,
      });
    },
  };
}
