import { open } from 'node:fs/promises';
import type { DailyReturns } from '../trials/daily-returns-of.js';
import { countTrials } from './count-trials.js';
import { indexTrials, type IndexedLedger } from './trial-index.js';
import { TrialLedger } from './trial-ledger.js';
import { TrialColumns } from './trial-columns.js';
import type { LedgerLine, TrialRecord } from './trial-record.js';

/**
 * Adds one trial to a ledger, and starts the ledger if it does not exist. A trial that the ledger already has is not added again. With the index beside the
 * ledger, only newer lines are read.
 *
 * @param shown the ledger as errors name it.
 * @returns number of finished trials of the strategy on the same data, with this one.
 * @throws {DataError} as {@link TrialLedger.open} and {@link indexTrials}.
 */
export async function addTrial(
  { file, shown }: { readonly file: string; readonly shown: string },
  record: TrialRecord,
  returns: DailyReturns | undefined,
): Promise<number> {
  const known = await readIndex(file, shown);
  if (known.columns.has(record.id)) return countLike(record, known.columns);
  const late: LedgerLine[] = [];
  const ledger = await TrialLedger.open({ file, known, onLine: (line) => late.push(line) });
  try {
    // Another process may have added lines after the index was read, before this one held the lock.
    const { columns } = late.length === 0 ? known : await readIndex(file, shown);
    if (columns.has(record.id)) return countLike(record, columns);
    ledger.append(record, returns);
    return countLike(record, columns) + (record.outcome.status === 'finished' ? 1 : 0);
  } finally {
    await ledger.close();
  }
}

/** Number of finished trials of the same strategy and data. */
function countLike({ strategy, data }: TrialRecord, columns: TrialColumns): number {
  return countTrials(columns, { strategy, data })[0]?.trials ?? 0;
}

async function readIndex(file: string, shown: string): Promise<IndexedLedger> {
  const handle = await open(file, 'r').catch(() => undefined);
  if (handle === undefined) return { bytes: 0, lines: 0, columns: new TrialColumns() };
  try {
    return await indexTrials({ file, handle, shown });
  } finally {
    await handle.close();
  }
}
