import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { DataError, reasonOf, TradingError } from '../../domain/index.js';
import { readResultJson } from '../../report/index.js';
import { newestRows } from '../../research/ledger/index.js';
import type { CliContext } from '../cli-context.js';
import { ProgressLine } from '../progress.js';
import { readHashPrefix } from '../read-hash-prefix.js';
import { withTrials } from '../trials/with-trials.js';
import { checkOutput, writeOutput } from '../write-output.js';
import { pastRunOfResult, pastRunOfTrial, type PastRun } from './past-run.js';
import { renderRuns } from './render-runs.js';

/** Options of `runs` as commander parses them. */
export interface RunsFlags {
  readonly find?: string;
  readonly json?: string;
}

/** Most runs of a ledger that are listed, newest first. */
const MOST_OF_LEDGER = 100;
/** Lines of a ledger per read. */
const TOGETHER = 1_000;

interface FoundRuns {
  readonly runs: readonly PastRun[];
  /** Number of JSON files that are no results. */
  readonly others: number;
}

/** Runs `runs` on a folder of results or a ledger of trials. Files that are no results are skipped, and their number is reported. */
export async function runRuns(place: string, flags: RunsFlags, context: CliContext): Promise<void> {
  context.watchInterrupts?.();
  if (flags.json !== undefined) await checkOutput(flags.json, context);
  const prefix = readHashPrefix('--find', flags.find ?? '');
  const isMeant = ({ hashes }: PastRun): boolean => hashes.some((hash) => hash.startsWith(prefix));
  const { runs: found, others } = (await isFile(place, context))
    ? { runs: await readLedgerRuns(place, isMeant, context), others: 0 }
    : await readFolder(place, isMeant, context);
  if (flags.find !== undefined && found.length === 0)
    throw new DataError(
      'E_RUN_UNKNOWN',
      `no result in ${place} has a hash that begins with ${prefix}`,
    );
  if (flags.json !== undefined)
    await writeOutput(flags.json, `${JSON.stringify(found, null, 2)}\n`, context);
  if (flags.json === '-') return;
  context.stdout.write(found.length === 0 ? `no results in ${place}\n` : renderRuns(found));
  if (others > 0)
    context.stderr.write(`${String(others)} other JSON in ${place}: not a result of a backtest\n`);
}

async function isFile(place: string, { cwd }: CliContext): Promise<boolean> {
  const found = await stat(path.resolve(cwd, place)).catch(() => undefined);
  return found?.isFile() === true;
}

/** The newest finished runs that match, found with the index that `trials` reads. */
function readLedgerRuns(
  ledger: string,
  isMeant: (run: PastRun) => boolean,
  context: CliContext,
): Promise<readonly PastRun[]> {
  return withTrials(ledger, context, async ({ columns, read }) => {
    const runs: PastRun[] = [];
    const rows = newestRows(columns, {}, columns.length).filter(
      (row) => columns.at(row).isFinished,
    );
    for (let at = 0; at < rows.length && runs.length < MOST_OF_LEDGER; at += TOGETHER) {
      context.signal.throwIfAborted();
      for (const record of await read(rows.slice(at, at + TOGETHER))) {
        const run = pastRunOfTrial(record, ledger);
        if (run !== undefined && isMeant(run)) runs.push(run);
      }
    }
    return runs.slice(0, MOST_OF_LEDGER);
  });
}

async function readFolder(
  folder: string,
  isMeant: (run: PastRun) => boolean,
  { cwd, signal, stderr }: CliContext,
): Promise<FoundRuns> {
  const directory = path.resolve(cwd, folder);
  const names = await readdir(directory).catch((cause: unknown) => {
    throw new DataError('E_RESULT_READ', `cannot read ${folder}: ${reasonOf(cause)}`, { cause });
  });
  const runs: PastRun[] = [];
  let others = 0;
  const documents = names.filter((name) => name.endsWith('.json'));
  const progress = new ProgressLine(stderr);
  try {
    for (const [index, name] of documents.entries()) {
      signal.throwIfAborted();
      progress.show(`${String(index)} of ${String(documents.length)} files read`);
      const run = await readRun(path.join(directory, name), path.join(folder, name));
      if (run === undefined) others += 1;
      else if (isMeant(run)) runs.push(run);
    }
  } finally {
    progress.clear();
  }
  const written = (run: PastRun): number => run.written ?? 0;
  runs.sort((a, b) => written(b) - written(a) || (a.file < b.file ? -1 : 1));
  return { runs, others };
}

/** Undefined for what is no result, or cannot be read. */
async function readRun(file: string, shown: string): Promise<PastRun | undefined> {
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile() !== true) return undefined;
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return pastRunOfResult(readResultJson(text, shown), { file: shown, written: found.mtimeMs });
  } catch (error: unknown) {
    if (error instanceof TradingError) return undefined;
    throw error;
  }
}
