import { open, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { DataError, DomainError, parseUtc, UsageError } from '../../domain/index.js';
import { countText } from '../../report/index.js';
import {
  countTrials,
  indexTrials,
  parseLine,
  readLineAt,
  rowsOf,
  type TrialColumns,
  type TrialFilter,
  type TrialRecord,
} from '../../research/ledger/index.js';
import type { CliContext } from '../cli-context.js';
import { ProgressLine } from '../progress.js';
import { readHashPrefix } from '../read-hash-prefix.js';
import { checkOutput, writeOutput } from '../write-output.js';
import { renderTrials } from './render-trials.js';
import type { TrialsFlags } from './trials-flags.js';

/** Runs `trials`. The ledger is only read; the index beside it is brought up to date. */
export async function runTrials(
  ledger: string,
  flags: TrialsFlags,
  context: CliContext,
): Promise<void> {
  if (flags.json !== undefined) await checkOutput(flags.json, context);
  const filter = readFilter(flags);
  const file = path.resolve(context.cwd, ledger);
  const handle = await open(file, 'r').catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new DataError('E_DATA_READ', `cannot read ${ledger}: ${why}`, { cause });
  });
  try {
    const columns = await index({ file, handle, shown: ledger }, context);
    const searches = countTrials(columns, filter);
    const trials = await readTrials(handle, ledger, chooseOffsets(columns, filter, flags));
    if (flags.json !== undefined)
      await writeOutput(flags.json, `${JSON.stringify({ searches, trials }, null, 2)}\n`, context);
    if (flags.json !== '-') context.stdout.write(renderTrials({ searches, trials }, ledger));
  } finally {
    await handle.close();
  }
}

/** @throws {UsageError} `E_USAGE` for what is no hash or no date, and for both lists at once. */
function readFilter({ strategy, data, since, list, best }: TrialsFlags): TrialFilter {
  if (list !== undefined && best !== undefined)
    throw new UsageError('E_USAGE', 'expected --list or --best, received both');
  return {
    strategy,
    data: data === undefined ? undefined : readHashPrefix('--data', data),
    since: since === undefined ? undefined : readSince(since),
  };
}

function readSince(text: string): number {
  try {
    return parseUtc(text);
  } catch (error: unknown) {
    if (!(error instanceof DomainError)) throw error;
    throw new UsageError('E_USAGE', `--since: ${error.message}`, { cause: error });
  }
}

interface OpenLedger {
  readonly file: string;
  readonly handle: FileHandle;
  readonly shown: string;
}

async function index(
  { file, handle, shown }: OpenLedger,
  { stderr, signal }: CliContext,
): Promise<TrialColumns> {
  const progress = new ProgressLine(stderr);
  let count = 0;
  try {
    const { columns } = await indexTrials(file, shown, {
      handle,
      onLine: () => {
        signal.throwIfAborted();
        count += 1;
        progress.show(`${countText(count)} new trials`);
      },
    });
    return columns;
  } finally {
    progress.clear();
  }
}

/** Where the lines of the trials to list begin. */
function chooseOffsets(
  columns: TrialColumns,
  filter: TrialFilter,
  { list, best }: TrialsFlags,
): readonly number[] {
  const offsetOf = (row: number): number => columns.at(row).offset;
  if (list !== undefined) return rowsOf(columns, filter).slice(-list).reverse().map(offsetOf);
  if (best === undefined) return [];
  const ranked = rowsOf(columns, filter).filter((row) => !Number.isNaN(columns.at(row).sharpe));
  // Rows of equal figures stay in the order of the ledger.
  return ranked
    .sort((a, b) => columns.at(b).sharpe - columns.at(a).sharpe)
    .slice(0, best)
    .map(offsetOf);
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
        `${shown}: the trial at byte ${String(offset)} is of another version than 1`,
      );
    trials.push(record);
  }
  return trials;
}
