import { DomainError, parseUtc, UsageError } from '../../domain/index.js';
import {
  countTrials,
  newestRows,
  rowsOf,
  type TrialColumns,
  type TrialFilter,
} from '../../research/ledger/index.js';
import type { CliContext } from '../cli-context.js';
import { readHashPrefix } from '../read-hash-prefix.js';
import { checkOutput, writeOutput } from '../write-output.js';
import { renderTrials } from './render-trials.js';
import type { TrialsFlags } from './trials-flags.js';
import { withTrials } from './with-trials.js';

/** Runs `trials`. It only reads the ledger, and updates the index beside it. */
export async function runTrials(
  ledger: string,
  flags: TrialsFlags,
  context: CliContext,
): Promise<void> {
  context.watchInterrupts?.();
  if (flags.json !== undefined) await checkOutput(flags.json, context);
  const filter = readFilter(flags);
  const { searches, trials } = await withTrials(ledger, context, async ({ columns, read }) => ({
    searches: countTrials(columns, filter),
    trials: await read(chooseRows(columns, filter, flags)),
  }));
  if (flags.json !== undefined)
    await writeOutput(flags.json, `${JSON.stringify({ searches, trials }, null, 2)}\n`, context);
  if (flags.json !== '-') context.stdout.write(renderTrials({ searches, trials }, ledger));
}

/** @throws {UsageError} `E_USAGE` for a wrong hash or date, and for both lists at once. */
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

/** Rows of the trials to list. */
function chooseRows(
  columns: TrialColumns,
  filter: TrialFilter,
  { list, best }: TrialsFlags,
): readonly number[] {
  if (list !== undefined) return newestRows(columns, filter, list);
  if (best === undefined) return [];
  const ranked = rowsOf(columns, filter).filter((row) => !Number.isNaN(columns.at(row).sharpe));
  // The sort is stable: rows with equal figures stay in the order of the ledger.
  return ranked.sort((a, b) => columns.at(b).sharpe - columns.at(a).sharpe).slice(0, best);
}
