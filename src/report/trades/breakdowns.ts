import { addFixed, DAY_MS, formatFixed, HOUR_MS, present, type Fixed } from '../../domain/index.js';
import type { Breakdown, Trade } from '../result-schema.js';
import { BREAKDOWN_KINDS, type BreakdownKind } from './trade-schema.js';

/** Money of a trade as a number beside its text: to read that back takes longer than to list the trade. */
export type TradeAmounts = Readonly<
  Record<'gross' | 'fees' | 'funding' | 'interest' | 'profit', Fixed>
>;

/** From the day of the epoch on, a Thursday. */
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

/** What trades are told apart by. Times are UTC and of the entry; the cause is why a trade ended, the label that of its entry. */
const KEYS: Readonly<Record<BreakdownKind, (trade: Trade) => string>> = {
  instrument: ({ instrument }) => instrument,
  side: ({ side }) => side,
  label: ({ entry }) => entry.label ?? '',
  cause: ({ exit }) => exit?.cause ?? '',
  weekday: ({ entry }) => WEEKDAYS[(Math.floor(entry.time / DAY_MS) + FIRST_WEEKDAY) % 7] ?? '',
  hour: ({ entry }) => String(Math.floor(entry.time / HOUR_MS) % 24).padStart(2, '0'),
  month: ({ entry }) => monthOf(new Date(entry.time)),
};

function monthOf(date: Date): string {
  return `${String(date.getUTCFullYear())}-${String(date.getUTCMonth() + 1).padStart(2, '0')}`;
}

interface Group {
  trades: number;
  wins: number;
  gross: Fixed;
  fees: Fixed;
  funding: Fixed;
  interest: Fixed;
  profit: Fixed;
}

/**
 * Adds up closed trades by each kind of {@link BREAKDOWN_KINDS}: the groups of one kind hold every closed trade once. `amounts`: of each trade, at its place.
 */
export function breakDown(
  trades: readonly Trade[],
  amounts: readonly TradeAmounts[],
): readonly Breakdown[] {
  return BREAKDOWN_KINDS.flatMap((by) => {
    const groups = new Map<string, Group>();
    for (const [place, trade] of trades.entries())
      if (!trade.open) addTo(groups, KEYS[by](trade), present(amounts[place], 'amounts'));
    const keys =
      by === 'weekday' ? WEEKDAYS.filter((day) => groups.has(day)) : [...groups.keys()].sort();
    return keys.map((key) => entryOf(by, key, groups.get(key)));
  });
}

function addTo(groups: Map<string, Group>, key: string, amounts: TradeAmounts): void {
  const group = groups.get(key) ?? createGroup();
  if (group.trades === 0) groups.set(key, group);
  group.trades += 1;
  if (amounts.profit > 0n) group.wins += 1;
  group.gross += amounts.gross;
  group.fees += amounts.fees;
  group.funding = addFixed(group.funding, amounts.funding);
  group.interest = addFixed(group.interest, amounts.interest);
  group.profit += amounts.profit;
}

function createGroup(): Group {
  return { trades: 0, wins: 0, gross: 0n, fees: 0n, funding: 0n, interest: 0n, profit: 0n };
}

function entryOf(by: BreakdownKind, key: string, group = createGroup()): Breakdown {
  const { trades, wins, gross, fees, funding, interest, profit } = group;
  return {
    ...{ by, key, trades, wins },
    gross: formatFixed(gross),
    fees: formatFixed(fees),
    funding: formatFixed(funding),
    interest: formatFixed(interest),
    profit: formatFixed(profit),
  };
}
