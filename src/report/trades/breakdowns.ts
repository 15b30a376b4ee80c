import { DAY_MS, formatFixed, HOUR_MS, present, type Fixed } from '../../domain/index.js';
import type { Breakdown, Trade } from '../result/result-schema.js';
import { BREAKDOWN_KINDS, type BreakdownKind } from './breakdown-kinds.js';

/** Money of a trade as numbers, next to its texts: parsing the texts takes longer than listing the trade. Profit is gross less the other amounts. */
export type TradeAmounts = Readonly<Record<'gross' | 'fees' | 'funding' | 'interest', Fixed>>;

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
  weekday: ({ entry }) => WEEKDAYS[new Date(entry.time).getUTCDay()] ?? '',
  hour: ({ entry }) => new Date(entry.time).toISOString().slice(11, 13),
  month: ({ entry }) => new Date(entry.time).toISOString().slice(0, 7),
};

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

type Groups = Map<string | number, Group>;

/**
 * Adds up closed trades by each kind of {@link BREAKDOWN_KINDS}. The groups of one kind hold every trade once.
 *
 * Each trade is added to four groups only: one by its nature (instrument, side, label and cause), and one each by weekday, hour and month. All kinds are sums
 * of these groups.
 */
export class TradeGroups {
  readonly #natures: Groups = new Map();
  readonly #hours: Groups = new Map();
  readonly #weekdays: Groups = new Map();
  readonly #months: Groups = new Map();
  /** Groups of the trade before, in the order above: most trades have the same nature, and often several begin on the same day. */
  readonly #latest: Group[] = [];
  #day = Number.NaN;

  /** `isWin`: whether the profit after costs is above 0. */
  add(trade: Trade, amounts: TradeAmounts, isWin: boolean): void {
    const latest = this.#latest;
    const { time } = trade.entry;
    if (latest[0] === undefined || !isAlike(latest[0].trade, trade))
      latest[0] = groupOf(this.#natures, natureOf(trade), trade);
    latest[1] = groupOf(this.#hours, Math.floor(time / HOUR_MS) % 24, trade);
    const day = Math.floor(time / DAY_MS);
    if (day !== this.#day) {
      const date = new Date(time);
      const month = date.getUTCFullYear() * 12 + date.getUTCMonth();
      this.#day = day;
      latest[2] = groupOf(this.#weekdays, day % 7, trade);
      latest[3] = groupOf(this.#months, month, trade);
    }
    addTo(latest, amounts, 1, isWin ? 1 : 0);
  }

  /** Groups of all trades added so far. */
  entries(): readonly Breakdown[] {
    const natures = this.#natures;
    const parts: Readonly<Record<BreakdownKind, Groups>> = {
      instrument: natures,
      side: natures,
      label: natures,
      cause: natures,
      weekday: this.#weekdays,
      hour: this.#hours,
      month: this.#months,
    };
    return BREAKDOWN_KINDS.flatMap((by) => {
      const groups = sumBy(parts[by], KEYS[by]);
      const keys =
        by === 'weekday' ? WEEKDAYS.filter((day) => groups.has(day)) : [...groups.keys()].sort();
      return keys.map((key) => entryOf(by, key, present(groups.get(key), 'group')));
    });
  }
}

function sumBy(parts: Groups, keyOf: (trade: Trade) => string): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const part of parts.values())
    addTo([groupOf(groups, keyOf(part.trade), part.trade)], part, part.trades, part.wins);
  return groups;
}

function groupOf<Key>(groups: Map<Key, Group>, key: Key, trade: Trade): Group {
  let group = groups.get(key);
  if (group === undefined) {
    group = { trade, trades: 0, wins: 0, gross: 0n, fees: 0n, funding: 0n, interest: 0n };
    groups.set(key, group);
  }
  return group;
}

function isAlike(one: Trade, other: Trade): boolean {
  return (
    one.instrument === other.instrument &&
    one.side === other.side &&
    one.entry.label === other.entry.label &&
    one.exit?.cause === other.exit?.cause
  );
}

/** Equal for trades that {@link isAlike}. */
function natureOf({ instrument, side, entry, exit }: Trade): string {
  return JSON.stringify([instrument, side, entry.label, exit?.cause]);
}

function addTo(
  groups: readonly Group[],
  { gross, fees, funding, interest }: TradeAmounts,
  trades: number,
  wins: number,
): void {
  // By index: an iterator takes longer than the sums.
  for (let place = 0; place < groups.length; place += 1) {
    const group = groups[place] as Group;
    group.trades += trades;
    group.wins += wins;
    group.gross += gross;
    group.fees += fees;
    if (funding !== 0n) group.funding += funding;
    if (interest !== 0n) group.interest += interest;
  }
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
