import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { DataError } from '../../domain/index.js';
import { countText } from '../../report/index.js';
import {
  indexTrials,
  openLedger,
  parseLine,
  readLineAt,
  type OpenLedger,
  type TrialColumns,
  type TrialRecord,
} from '../../research/ledger/index.js';
import type { CliContext } from '../cli-context.js';
import { ProgressLine } from '../progress.js';

/** A ledger opened for reading. */
interface OpenTrials {
  /** Columns of all its trials. */
  readonly columns: TrialColumns;
  /** Reads the lines of some trials, in this order. @throws {DataError} `E_TRIALS_VERSION` for a line of another version. */
  readonly read: (rows: readonly number[]) => Promise<readonly TrialRecord[]>;
}

/**
 * Opens a ledger with the index beside it, which it updates. The ledger itself is only read.
 *
 * @param shown the ledger, as the user wrote it.
 * @throws {DataError} `E_DATA_READ`, and as `indexTrials`; errors of `use`.
 */
export async function withTrials<T>(
  shown: string,
  context: CliContext,
  use: (trials: OpenTrials) => Promise<T>,
): Promise<T> {
  const file = path.resolve(context.cwd, shown);
  const ledger = await openLedger(file, shown);
  const { handle } = ledger;
  try {
    if ((await handle.stat()).isDirectory())
      throw new DataError('E_DATA_READ', `cannot read ${shown}: it is a folder`);
    const columns = await index(ledger, context);
    const read: OpenTrials['read'] = (rows) =>
      readTrials(
        handle,
        shown,
        rows.map((row) => columns.at(row).offset),
      );
    return await use({ columns, read });
  } finally {
    await handle.close();
  }
}

async function index(ledger: OpenLedger, { stderr, signal }: CliContext): Promise<TrialColumns> {
  const progress = new ProgressLine(stderr);
  let count = 0;
  try {
    const { columns } = await indexTrials(ledger, () => {
      signal.throwIfAborted();
      count += 1;
      progress.show(`${countText(count)} new trials`);
    });
    return columns;
  } finally {
    progress.clear();
  }
}

async function readTrials(
  handle: FileHandle,
  shown: string,
  offsets: readonly number[],
): Promise<readonly TrialRecord[]> {
  const trials: TrialRecord[] = [];
  for (const offset of offsets) {
    const line = await readLineAt(handle, offset);
    const record = line && parseLine(line);
    if (record === undefined)
      throw new DataError(
        'E_TRIALS_VERSION',
        `${shown}: expected version 1 of the trial at byte ${String(offset)}, received another`,
      );
    trials.push(record);
  }
  return trials;
}
