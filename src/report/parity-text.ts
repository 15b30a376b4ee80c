import { type EpochMs, formatUtc, nounOf } from '../domain/index.js';
import { countText, instantText } from './summary/figure-text.js';
import {
  PARITY_LISTS,
  type ParityDifference,
  type ParityList,
  type ParityReport,
  type TraceEntry,
} from './parity.js';

/** A note of a live run about its venue. */
export interface ParityNote {
  readonly time: EpochMs;
  readonly text: string;
}

interface ParityTextInputs {
  readonly bot: string;
  readonly from: EpochMs;
  readonly to: EpochMs;
  /** Calls the live run made over HTTP. */
  readonly requests: number;
  readonly report: ParityReport;
  readonly notes: readonly ParityNote[];
  /** Differences between the bot and its venue at the end, one line each. */
  readonly disagreements: readonly string[];
}

/** Most notes that are printed with a difference. The first are nearest to its cause. */
const MAX_NOTES = 3;

/** Likely cause of the first difference in each list, given that all entries before are equal. */
const CAUSES: Readonly<Record<ParityList, string>> = {
  candles: 'the live bot received different candles, or at a different time',
  refusals: 'risk checked a different state or intent',
  orders: 'the strategy or risk decided differently on the same updates of the venue',
  cancels: 'the strategy or a stop canceled a different order, or at a different time',
  fills: 'the venue reported a different execution',
  worked: 'all fills are equal, but an intent was checked at a different last price',
  balances: 'all fills are equal, but another payment differs or is missing',
};

/** Renders a comparison for a terminal: one line per list, then the verdict. Ends without a line feed. */
export function renderParity(inputs: ParityTextInputs): string {
  const { bot, from, to, requests, report, notes, disagreements } = inputs;
  const { counts, equal, difference } = report;
  // The line of worked intents is left out if there were none.
  const told = PARITY_LISTS.filter((list) => list !== 'worked' || counts.worked > 0);
  const lists = told.map((list) => ({
    label: `  ${list.padEnd(9)}`,
    figure: `${countText(equal[list])} of ${countText(counts[list])}`,
  }));
  const width = Math.max(...lists.map(({ figure }) => figure.length));
  return [
    `${bot}: the backtest, and the same bot over HTTP (${countText(requests)} ${nounOf(requests, 'request')})`,
    `${instantText(from)} to ${instantText(to)}`,
    '',
    ...lists.map(({ label, figure }) => `${label} ${figure.padStart(width)}`),
    '',
    ...(difference === undefined ? [] : describeDifference(difference, notes)),
    ...disagreements.map((line) => `at the end ${line}`),
    ...(difference === undefined && disagreements.length === 0 ? ['identical'] : []),
  ].join('\n');
}

/** Orders and fills in one line, without the table. */
export function renderParityLine({ counts, equal, difference }: ParityReport): string {
  const both = counts.orders + counts.fills;
  const verdict =
    difference === undefined ? 'identical to' : `differ in ${difference.list} from those of`;
  const share = `${countText(equal.orders + equal.fills)} of ${countText(both)}`;
  return `orders and fills ${verdict} the backtest: ${share}`;
}

function describeDifference(
  difference: ParityDifference,
  notes: readonly ParityNote[],
): readonly string[] {
  const { list, index, time, tested, live, before } = difference;
  return [
    `first difference: ${list} ${String(index + 1)} ${timeText(time)}: ${nameDifference(difference)}`,
    `  cause     ${causeOf(difference)}`,
    `  backtest  ${describeEntry(tested)}`,
    `  live      ${describeEntry(live)}`,
    `  before    ${before === undefined ? 'nothing' : `${describeEntry(before)} (equal)`}`,
    ...notes.slice(0, MAX_NOTES).map((note) => `  noted     ${formatUtc(note.time)} ${note.text}`),
  ];
}

function nameDifference({ field, tested, live }: ParityDifference): string {
  if (tested === undefined) return 'expected none, received one';
  if (live === undefined) return 'expected one, received none';
  const name = field ?? '';
  return `${name}: expected ${valueOf(tested, name)}, received ${valueOf(live, name)}`;
}

function causeOf({ list, field }: ParityDifference): string {
  if (list === 'orders' && field === 'arrival')
    return 'the venue answered at a different time, or its answer was lost';
  return CAUSES[list];
}

function valueOf({ fields }: TraceEntry, name: string): string {
  return fields[name] ?? 'none';
}

function describeEntry(entry: TraceEntry | undefined): string {
  if (entry === undefined) return 'none';
  return Object.entries(entry.fields)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}

function timeText(time: EpochMs): string {
  return Number.isFinite(time) ? `on ${formatUtc(time)}` : 'at the end';
}
