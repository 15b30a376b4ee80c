import type { FileHandle } from 'node:fs/promises';
import { DataError, type EpochMs, UsageError } from '../../domain/index.js';
import { shortHash } from '../../report/index.js';
import { countTrials, isMeant, type TrialFilter } from '../ledger/count-trials.js';
import { readLedger } from '../ledger/read-ledger.js';
import type { SearchKey } from '../ledger/trial-columns.js';
import { indexTrials, openLedger, type OpenLedger } from '../ledger/trial-index.js';
import { LEDGER_VERSION, parseLine, type LedgerLine } from '../ledger/trial-record.js';
import { searchedTrial, type SearchedTrial } from './searched-trial.js';

/** Names a search of a ledger. All trials of one strategy on the same data are one search, whatever their source and configuration. */
type SearchChoice = Pick<TrialFilter, 'strategy' | 'data'>;

/** All trials of one strategy on the same data. */
export interface LedgerSearch {
  readonly strategy: string;
  readonly data: string;
  /** Finished trials. A trial that was made twice counts once. */
  readonly trials: number;
  /** Trials with daily returns, in the order of the ledger. */
  readonly known: readonly SearchedTrial[];
  /** When the first trial ended; undefined if no line has a time. */
  readonly since: EpochMs | undefined;
  /** Other searches that match the choice, and their finished trials. */
  readonly others: { readonly searches: number; readonly trials: number };
}

/**
 * Reads all trials of one search from a ledger. The ledger may grow meanwhile. If several searches match the choice, it takes the one with the newest trial.
 * It needs about 0.5 kB per trial.
 *
 * @param shown the file as errors name it.
 * @throws {DataError} `E_DATA_READ`, `E_TRIALS_DAMAGED`, `E_TRIALS_FOREIGN`; `E_TRIALS_VERSION` for a line of another version; `E_SAMPLE` when the ledger is
 * empty; {UsageError} `E_USAGE` when no trial is what was chosen.
 */
export async function readSearch(
  file: string,
  shown: string,
  choice: SearchChoice = {},
): Promise<LedgerSearch> {
  const ledger = await openLedger(file, shown);
  try {
    const { chosen, others } = await chooseSearch(ledger, choice);
    return { ...chosen, others, ...(await readTrials(ledger.handle, shown, chosen)) };
  } finally {
    await ledger.handle.close();
  }
}

interface Chosen {
  readonly chosen: SearchKey;
  readonly others: LedgerSearch['others'];
}

async function chooseSearch(ledger: OpenLedger, choice: SearchChoice): Promise<Chosen> {
  const { shown } = ledger;
  const all = countTrials((await indexTrials(ledger)).columns);
  if (all.length === 0)
    throw new DataError('E_SAMPLE', `${shown}: expected trials, received an empty ledger`);
  const fitting = all.filter((one) => isMeant(one, choice));
  const last = fitting.pop();
  if (last === undefined) throw unknownSearch(all, shown, choice);
  const { strategy, data } = last;
  const trials = fitting.reduce((sum, one) => sum + one.trials, 0);
  return { chosen: { strategy, data }, others: { searches: fitting.length, trials } };
}

/** Most searches that an error names. */
const MOST_NAMED = 10;
function unknownSearch(
  all: readonly SearchKey[],
  shown: string,
  { strategy, data }: SearchChoice,
): UsageError {
  const wanted = [strategy, data === undefined ? undefined : `data ${data}`];
  const named = all
    .slice(-MOST_NAMED)
    .map((one) => `${one.strategy} (data ${shortHash(one.data)})`);
  return new UsageError(
    'E_USAGE',
    `${shown}: expected one of ${named.join(', ')}, received ${wanted.filter((one) => one !== undefined).join(', ')}`,
  );
}

async function readTrials(
  handle: FileHandle,
  shown: string,
  chosen: SearchKey,
): Promise<Pick<LedgerSearch, 'trials' | 'known' | 'since'>> {
  const known: SearchedTrial[] = [];
  const seen = new Set<string>();
  let since: EpochMs | undefined;
  const take = (line: LedgerLine): void => {
    const { strategy, data, id } = line;
    if (strategy !== chosen.strategy || data !== chosen.data || seen.has(id)) return;
    const record = parseLine(line);
    if (record === undefined) throw otherVersion(shown, id);
    if (record.outcome.status === 'failed') return;
    seen.add(id);
    if (record.at !== undefined) since = Math.min(since ?? Infinity, record.at);
    const trial = searchedTrial(record);
    if (trial !== undefined) known.push(trial);
  };
  await readLedger(shown, handle, take);
  return { trials: seen.size, known, since };
}

function otherVersion(shown: string, id: string): DataError {
  return new DataError(
    'E_TRIALS_VERSION',
    `${shown}: expected trials of version ${String(LEDGER_VERSION)}, received another version for trial ${shortHash(id)}`,
  );
}
