import type { HoldingKey, SyncOutcome, SyncReport } from '../../archive/index.js';
import { DataError } from '../../domain/index.js';
import { formatCount, formatNoun, holdingJson, holdingLine } from './format.js';

/** The result for one series or record of the other archive. */
export type SyncedHolding = {
  readonly key: HoldingKey;
  /** For people: `spot:BTCUSDT 1h`. */
  readonly name: string;
} & (
  | { readonly report: SyncReport; readonly error?: undefined }
  | { readonly report?: undefined; readonly error: DataError }
);

/** Words of a dry run for the outcomes. */
const WOULD = {
  copied: 'copy',
  extended: 'extend',
  replaced: 'replace',
  equal: 'equal',
  held: 'held',
} as const satisfies Record<SyncOutcome, string>;

/** One line for each series, and one for all. */
export function syncText(synced: readonly SyncedHolding[], isDryRun: boolean): string {
  const named = (outcome: SyncOutcome): string => (isDryRun ? WOULD[outcome] : outcome);
  const lines = synced.map((holding) =>
    holding.report === undefined
      ? `refused   ${holding.name}: ${holding.error.message} (${holding.error.code})`
      : `${named(holding.report.outcome).padEnd(8)}  ${holdingLine(holding.report.info)}${countsOf(holding.report)}`,
  );
  const rows = synced.reduce(
    (sum, { report }) => sum + (report?.added ?? 0) + (report?.replaced ?? 0),
    0,
  );
  const refused = synced.filter(({ error }) => error !== undefined).length;
  const total = `${formatNoun(rows, 'row')} of ${formatNoun(synced.length, 'series', 'series')}${refused === 0 ? '' : `, ${formatCount(refused)} refused`}`;
  return [
    ...lines,
    isDryRun ? `would copy ${total}; nothing was written` : `copied ${total}`,
    '',
  ].join('\n');
}

function countsOf({ outcome, added, replaced }: SyncReport): string {
  const counts = [
    ...(added > 0 && outcome !== 'copied' ? [`${formatCount(added)} added`] : []),
    ...(replaced > 0 ? [`${formatCount(replaced)} replaced`] : []),
  ];
  return counts.length === 0 ? '' : `; ${counts.join(', ')}`;
}

/** Makes the `--json` form of one result. */
export function syncJson({ key, report, error }: SyncedHolding): Readonly<Record<string, unknown>> {
  const { instrumentId: instrument, kind, interval } = key;
  const name = { instrument, kind, ...(interval === undefined ? {} : { interval }) };
  if (report === undefined) {
    return { ...name, outcome: 'refused', error: { code: error.code, message: error.message } };
  }
  const { info, ...counts } = report;
  return { ...name, ...counts, stored: holdingJson(info) };
}

/** Makes the error of a sync that could not copy everything; undefined if it could. */
export function syncRefusal(synced: readonly SyncedHolding[]): DataError | undefined {
  const refused = synced.filter(({ error }) => error !== undefined);
  const [first] = refused;
  if (first?.error === undefined) return undefined;
  const { message, code } = first.error;
  const named = `${first.name}: ${message}`;
  const text =
    refused.length === 1
      ? named
      : `${formatCount(refused.length)} series were not copied, the first ${named}`;
  return new DataError(code, text, { cause: first.error });
}
