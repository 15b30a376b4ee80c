import { formatUtc } from '../../domain/index.js';
import { createRefusal } from '../refusal.js';
import type { EntryGuard } from './entry-guard.js';
import type { ProtectionView } from './protection-view.js';

/** Refuses entries while a loss limit or the operator (the kill switch) halts. */
export function halted(limit: string, view: ProtectionView): EntryGuard {
  return {
    name: 'halted',
    limit,
    check(_draft, _rules, { now }) {
      const { halts } = view.state;
      if (halts.length === 0) return undefined;
      const halt = halts.find(({ until }) => until === undefined || until > now);
      if (halt === undefined) return undefined;
      const end = halt.until === undefined ? 'resumed' : formatUtc(halt.until);
      return createRefusal({
        check: this.name,
        limit: halt.reason,
        actual: formatUtc(halt.since),
        unit: 'UTC',
        text: `entries are halted since ${formatUtc(halt.since)} until ${end} (${halt.reason}): ${halt.text}`,
      });
    },
  };
}

export function reduceOnly(view: ProtectionView): EntryGuard {
  return {
    name: 'reduce-only',
    limit: "the operator's command",
    check() {
      if (!view.state.isReduceOnly) return undefined;
      return createRefusal({
        check: this.name,
        limit: 'exits',
        actual: 'entry',
        unit: 'orders',
        text: 'the operator lets positions only be reduced until resumed',
      });
    },
  };
}

/**
 * Refuses entries while data or orders that they depend on are stale or unknown. The operator's `resume` only ends the closing of an instrument with
 * `untilResumed`.
 */
export function degraded(view: ProtectionView): EntryGuard {
  return {
    name: 'degraded',
    limit: 'all data fresh, all orders known',
    check({ proposal: { instrument } }) {
      const { degraded: all, closed } = view.state;
      const found = all ?? closed.get(instrument.id);
      if (found === undefined) return undefined;
      const since = formatUtc(found.since);
      return createRefusal({
        check: this.name,
        limit: 'exits',
        actual: 'entry',
        unit: 'orders',
        text: `entries wait since ${since} until this is resolved: ${found.text}`,
      });
    },
  };
}
