import {
  DAY_MS,
  formatFixed,
  HOUR_MS,
  present,
  type EpochMs,
  type Fixed,
} from '../../domain/index.js';
import type { Breakdown, Trade } from '../result-schema.js';
import { BREAKDOWN_KINDS, type BreakdownKind } from './breakdown-kinds.js';

/** Money of a trade as numbers, next to its texts: parsing the texts takes longer than listing the trade. Profit is gross less the other amounts. */
export type TradeAmounts = Readonly<Record<'gross' | 'fees' | 'funding' | 'interest', Fixed>>;

/** Weekday of the first day of the epoch: Thursday. */
const FIRST_WEEKDAY = 4;
const WEEKDAYS: readonly string[] = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
];

/** Key of a trade in each kind of group. Times are UTC and those of the entry. The label is that of the entry, the cause that of the exit. */
const KEYS: Readonly<Record<BreakdownKind, (trade: Trade) => string>> = {
  instrument: ({ instrument }) => instrument,
  side: ({ side }) => side,
  label: ({ entry }) => entry.label ?? '',
  cause: ({ exit }) => exit?.cause ?? '',
  weekday: ({ entry }) => WEEKDAYS[(dayOf(entry.time) + FIRST_WEEKDAY) % 7] ?? '',
  hour: ({ entry }) => String(hourOf(entry.time, dayOf(entry.time))).padStart(2, '0'),
  month: ({ entry }) => {
    const date = new Date(entry.time);
    return `${String(date.getUTCFullYear())}-${String(date.getUTCMonth() + 1).padStart(2, '0')}`;
  },
};

function dayOf(time: EpochMs): number {
  return Math.floor(time / DAY_MS);
}

function hourOf(time: EpochMs, day: number): number {
  return Math.floor((time - day * DAY_MS) / HOUR_MS);
}

interface Group {
  /** Any trade of the group: all have the same keys. */
  readonly trade: Trade;
  trades: number;
  wins: number;
  gross: Fixed;
  fees: Fixed;
  funding: Fixed;
  interest: Fixed;
}

/**
 * Adds up closed trades by each kind of {@link BREAKDOWN_KINDS}. The groups of one kind hold every trade once.
 *
 * Each trade is added to four groups only: one by instrument, side, label and cause, and one each by weekday, hour and month. All kinds are sums of these
 * groups.
 */
export class TradeGroups {
  readonly #natures = new NatureGroups();
  readonly #weekdays = new LatestGroups();
  readonly #hours = new LatestGroups();
  readonly #months = new LatestGroups();
  // Of the trade before: often several trades begin on the same day.
  #day = Number.NaN;
  #month = Number.NaN;

  /** `isWin`: whether the profit after costs is above 0. */
  add(trade: Trade, amounts: TradeAmounts, isWin: boolean): void {
    const wins = isWin ? 1 : 0;
    const { time } = trade.entry;
    add(this.#natures.of(trade), amounts, 1, wins);
    const day = dayOf(time);
    if (day !== this.#day) {
      const date = new Date(time);
      this.#day = day;
      this.#month = date.getUTCFullYear() * 12 + date.getUTCMonth();
    }
    add(this.#weekdays.of(day % 7, trade), amounts, 1, wins);
    add(this.#hours.of(hourOf(time, day), trade), amounts, 1, wins);
    add(this.#months.of(this.#month, trade), amounts, 1, wins);
  }

  /** Groups of all trades added so far. */
  entries(): readonly Breakdown[] {
    const natures = this.#natures.all;
    const parts: Readonly<Record<BreakdownKind, readonly Group[]>> = {
      instrument: natures,
      side: natures,
      label: natures,
      cause: natures,
      weekday: this.#weekdays.all,
      hour: this.#hours.all,
      month: this.#months.all,
    };
    return BREAKDOWN_KINDS.flatMap((by) => {
      const groups = sumBy(parts[by], KEYS[by]);
      const keys =
        by === 'weekday' ? WEEKDAYS.filter((day) => groups.has(day)) : [...groups.keys()].sort();
      return keys.map((key) => entryOf(by, key, present(groups.get(key), 'group')));
    });
  }
}

function sumBy(parts: readonly Group[], keyOf: (trade: Trade) => string): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const part of parts) {
    const key = keyOf(part.trade);
    let group = groups.get(key);
    if (group === undefined) groups.set(key, (group = createGroup(part.trade)));
    add(group, part, part.trades, part.wins);
  }
  return groups;
}

/** Groups by a number. It keeps the last group, because the same number often comes several times in a row. */
class LatestGroups {
  readonly all: Group[] = [];
  readonly #byKey = new Map<number, Group>();
  #key = Number.NaN;
  #latest: Group | undefined;

  of(key: number, trade: Trade): Group {
    if (this.#latest !== undefined && key === this.#key) return this.#latest;
    const group = this.#byKey.get(key) ?? this.#create(key, trade);
    this.#key = key;
    this.#latest = group;
    return group;
  }

  #create(key: number, trade: Trade): Group {
    const group = createGroup(trade);
    this.#byKey.set(key, group);
    this.all.push(group);
    return group;
  }
}

const NATURE = ['instrument', 'side', 'label', 'cause'] as const;

/** Groups by all keys that are not times. It keeps the last group, because most trades have the same keys as the trade before. */
class NatureGroups {
  readonly all: Group[] = [];
  readonly #byKey = new Map<string, Group>();
  #latest: Group | undefined;

  of(trade: Trade): Group {
    if (this.#latest === undefined || !isAlike(this.#latest.trade, trade))
      this.#latest = this.#find(trade);
    return this.#latest;
  }

  #find(trade: Trade): Group {
    const key = JSON.stringify(NATURE.map((by) => KEYS[by](trade)));
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const group = createGroup(trade);
    this.#byKey.set(key, group);
    this.all.push(group);
    return group;
  }
}

function isAlike(one: Trade, other: Trade): boolean {
  return (
    one.instrument === other.instrument &&
    one.side === other.side &&
    one.entry.label === other.entry.label &&
    one.exit?.cause === other.exit?.cause
  );
}

function add(group: Group, amounts: TradeAmounts, trades: number, wins: number): void {
  group.trades += trades;
  group.wins += wins;
  group.gross += amounts.gross;
  group.fees += amounts.fees;
  if (amounts.funding !== 0n) group.funding += amounts.funding;
  if (amounts.interest !== 0n) group.interest += amounts.interest;
}

function createGroup(trade: Trade): Group {
  return { trade, trades: 0, wins: 0, gross: 0n, fees: 0n, funding: 0n, interest: 0n };
}

function entryOf(by: BreakdownKind, key: string, group: Group): Breakdown {
  const { trades, wins, gross, fees, funding, interest } = group;
  return {
    ...{ by, key, trades, wins },
    gross: formatFixed(gross),
    fees: formatFixed(fees),
    funding: formatFixed(funding),
    interest: formatFixed(interest),
    profit: formatFixed(gross - fees - funding - interest),
  };
}
