import {
  DAY_MS,
  formatUtc,
  MINUTE_MS,
  type EpochMs,
  type InstrumentId,
} from '../../domain/index.js';
import type { CheckName } from '../check-names.js';
import { createRefusal, type Refused } from '../refusal.js';
import type { EntryGuard } from './entry-guard.js';
import type { TradingHours } from './protection-config.js';
import type { ProtectionView } from './protection-view.js';

/** 1970-01-01 was a Thursday. */
const EPOCH_WEEKDAY = 4;

/** Refuses an entry too soon after an event of its instrument. */
function pauseGuard(
  name: CheckName,
  pauseMs: number,
  what: string,
  lastTimes: () => ReadonlyMap<InstrumentId, EpochMs>,
): EntryGuard {
  return {
    name,
    limit: `${String(pauseMs)} ms after ${what}`,
    check({ proposal }, _rules, account) {
      const { id } = proposal.instrument;
      const last = lastTimes().get(id);
      if (last === undefined || account.now - last >= pauseMs) return undefined;
      const elapsed = String(account.now - last);
      return createRefusal({
        check: name,
        limit: String(pauseMs),
        actual: elapsed,
        unit: 'ms',
        text: `${elapsed} ms after ${what} of ${id}, entries wait until ${formatUtc(last + pauseMs)}`,
      });
    },
  };
}

export function entryInterval(pauseMs: number, view: ProtectionView): EntryGuard {
  return pauseGuard('entry-interval', pauseMs, 'the last entry', () => view.state.lastEntries);
}

export function stopCooldown(pauseMs: number, view: ProtectionView): EntryGuard {
  return pauseGuard('stop-cooldown', pauseMs, 'a stop', () => view.state.lastStops);
}

export function tradingHours(windows: readonly TradingHours[]): EntryGuard {
  const limit = windows.map(describeWindow).join(', ');
  return {
    name: 'trading-hours',
    limit,
    check(_draft, _rules, { now }) {
      if (windows.some((window) => isWithin(window, now))) return undefined;
      return refuseTime('trading-hours', limit, now, `entries are allowed ${limit}`);
    },
  };
}

export function fundingBlock(
  { beforeMs, afterMs }: { readonly beforeMs: number; readonly afterMs: number },
  view: ProtectionView,
): EntryGuard {
  const limit = `${String(beforeMs)} ms before to ${String(afterMs)} ms after funding`;
  return {
    name: 'funding-block',
    limit,
    check({ proposal }, _rules, { now }) {
      const times = view.fundingTimes(proposal.instrument.id);
      if (times === undefined) return undefined;
      if (times.next - now > beforeMs && now - times.previous >= afterMs) return undefined;
      return refuseTime('funding-block', limit, now, `no entries from ${limit}`);
    },
  };
}

function refuseTime(check: CheckName, limit: string, now: EpochMs, rule: string): Refused {
  const actual = formatUtc(now);
  return createRefusal({ check, limit, actual, unit: 'UTC', text: `at ${actual}: ${rule}` });
}

/** A window that ends on the next day belongs to the day on which it opens. */
function isWithin({ days, from, to }: TradingHours, now: EpochMs): boolean {
  const day = Math.floor(now / DAY_MS);
  const minute = (now - day * DAY_MS) / MINUTE_MS;
  const weekday = (day + EPOCH_WEEKDAY) % 7;
  if (from < to) return days.includes(weekday) && minute >= from && minute < to;
  const yesterday = (weekday + 6) % 7;
  return (days.includes(weekday) && minute >= from) || (days.includes(yesterday) && minute < to);
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;

function describeWindow({ days, from, to }: TradingHours): string {
  const names = days.map((day) => WEEKDAYS[day] ?? String(day)).join(' ');
  return `${names} ${clockTime(from)}-${clockTime(to)}`;
}

function clockTime(minutes: number): string {
  const hours = String(Math.floor(minutes / 60)).padStart(2, '0');
  return `${hours}:${String(minutes % 60).padStart(2, '0')}`;
}
