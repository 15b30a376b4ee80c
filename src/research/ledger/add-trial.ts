import { open } from 'node:fs/promises';
import type { DailyReturns } from '../trials/daily-returns-of.js';
import { countTrials } from './count-trials.js';
import { indexTrials, type IndexedLedger } from './trial-index.js';
import { TrialLedger } from './trial-ledger.js';
import { TrialColumns } from './trial-columns.js';
import type { TrialRecord } from './trial-record.js';

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
  const { columns, ...known } = await readIndex(file, shown);
  const { strategy, data } = record;
  const [search] = countTrials(columns, { strategy, data });
  const before = search?.trials ?? 0;
  if (columns.has(record.id)) return before;
  const ledger = await TrialLedger.open({ file, known });
  try {
    ledger.append(record, returns);
  } finally {
    await ledger.close();
  }
  return before + (record.outcome.status === 'finished' ? 1 : 0);
}

async function readIndex(file: string, shown: string): Promise<IndexedLedger> {
  const handle = await open(file, 'r').catch(() => undefined);
  if (handle === undefined) return { bytes: 0, lines: 0, columns: new TrialColumns() };
  try {
    return await indexTrials(file, shown, { handle });
  } finally {
    await handle.close();
  }
}
