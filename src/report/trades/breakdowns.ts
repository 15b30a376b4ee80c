import { formatFixed, parseFixed, type Fixed } from '../../domain/index.js';
import type { Breakdown, Trade } from '../result-schema.js';
import { BREAKDOWN_KINDS, type BreakdownKind } from './trade-schema.js';

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
  weekday: ({ entry }) => WEEKDAYS[new Date(entry.time).getUTCDay()] ?? '',
  hour: ({ entry }) => String(new Date(entry.time).getUTCHours()).padStart(2, '0'),
  month: ({ entry }) => new Date(entry.time).toISOString().slice(0, 7),
};

interface Group {
  trades: number;
  wins: number;
  gross: Fixed;
  fees: Fixed;
  funding: Fixed;
  interest: Fixed;
  profit: Fixed;
}

/** Adds up closed trades by each kind of {@link BREAKDOWN_KINDS}: the groups of one kind hold every closed trade once. */
export function breakDown(trades: readonly Trade[]): readonly Breakdown[] {
  const closed = trades.filter(({ open }) => !open);
  return BREAKDOWN_KINDS.flatMap((by) => {
    const groups = new Map<string, Group>();
    for (const trade of closed) addTo(groups, KEYS[by](trade), trade);
    const keys =
      by === 'weekday' ? WEEKDAYS.filter((day) => groups.has(day)) : [...groups.keys()].sort();
    return keys.map((key) => entryOf(by, key, groups.get(key)));
  });
}

function addTo(groups: Map<string, Group>, key: string, trade: Trade): void {
  const group = groups.get(key) ?? createGroup();
  groups.set(key, group);
  const profit = parseFixed(trade.profit);
  group.trades += 1;
  if (profit > 0n) group.wins += 1;
  group.gross += parseFixed(trade.gross);
  group.fees += parseFixed(trade.fees);
  group.funding += parseFixed(trade.funding);
  group.interest += parseFixed(trade.interest);
  group.profit += profit;
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
