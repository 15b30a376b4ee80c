import { open, readFile } from 'node:fs/promises';
import path from 'node:path';
import { DataError, reasonOf, UsageError } from '../../domain/index.js';
import { curveReturns, readResultJson, type Result } from '../../report/index.js';
import {
  bestOf,
  readSearch,
  trialOfReturns,
  type LedgerSearch,
  type RankedTrial,
  type SearchedTrial,
} from '../../research/index.js';
import type { CliContext } from '../cli-context.js';
import { readHashPrefix } from '../read-hash-prefix.js';
import type { SignificanceFlags } from './significance-flags.js';

/** A search, and the ledger that it was read from. */
interface ReadSearch extends LedgerSearch {
  /** Absolute. */
  readonly ledger: string;
  /** The path as the user wrote it. */
  readonly shown: string;
}

/** The trial to judge, and all other trials of its search. */
export interface Judged {
  readonly strategy: string;
  readonly data: string;
  readonly trial: RankedTrial;
  /** Undefined for a result without a ledger. */
  readonly search: ReadSearch | undefined;
}

/**
 * Reads a ledger, whose best trial is judged, or a single result.
 *
 * @throws {DataError} `E_DATA_READ`, `E_RESULT_FORMAT`, `E_RESULT_VERSION`, `E_SAMPLE`, and as `readSearch`; {UsageError} `E_USAGE` for the document of
 * a sweep, and for options that are for the other kind of file.
 */
export async function readJudged(
  file: string,
  flags: SignificanceFlags,
  context: CliContext,
): Promise<Judged> {
  const beginning = await readBeginning(file, context);
  if (/^\s*\{\s*"version":\s*\d+,\s*"sweep":/.test(beginning)) {
    throw new UsageError(
      'E_USAGE',
      `${file}: expected a ledger of trials or a result, received the document of a sweep, which has no daily returns: its ledger has them, by default ARCHIVE.trials.jsonl`,
    );
  }
  return isLedger(file, beginning)
    ? judgedOfLedger(file, flags, context)
    : judgedOfResult(file, flags, context);
}

const BEGINNING_BYTES = 200;

async function readBeginning(file: string, { cwd }: CliContext): Promise<string> {
  try {
    const handle = await open(path.resolve(cwd, file), 'r');
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(BEGINNING_BYTES), 0);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (cause: unknown) {
    throw new DataError('E_DATA_READ', `cannot read ${file}: ${reasonOf(cause)}`, { cause });
  }
}

/**
 * Whether a file is a ledger, which has no blanks. A file with the name of a ledger is read as one, so that the error describes what is wrong with it. A
 * result without blanks is told by the key after its version.
 */
function isLedger(file: string, beginning: string): boolean {
  const isTrial = /^\{"version":(?!\d+,"run":)/.test(beginning);
  return isTrial || file.endsWith('.jsonl');
}

async function judgedOfLedger(
  file: string,
  { ledger, strategy, data }: SignificanceFlags,
  { cwd }: CliContext,
): Promise<Judged> {
  if (ledger !== undefined)
    throw new UsageError('E_USAGE', `--ledger needs a result, received the ledger ${file}`);
  const place = path.resolve(cwd, file);
  const search = await readSearch(place, file, {
    strategy,
    data: data === undefined ? undefined : readHashPrefix('--data', data),
  });
  return {
    strategy: search.strategy,
    data: search.data,
    trial: bestOf(search.known, file),
    search: { ...search, ledger: place, shown: file },
  };
}

async function judgedOfResult(
  file: string,
  { ledger, strategy, data, blocks, draws, seed }: SignificanceFlags,
  { cwd }: CliContext,
): Promise<Judged> {
  if (strategy !== undefined || data !== undefined)
    throw new UsageError(
      'E_USAGE',
      `--strategy and --data need a ledger, received the result ${file}`,
    );
  const [unused] =
    Object.entries({ blocks, draws, seed }).find(([, value]) => value !== undefined) ?? [];
  if (unused !== undefined && ledger === undefined)
    throw new UsageError(
      'E_USAGE',
      `--${unused} needs other trials: expected --ledger beside the result ${file}`,
    );
  const result = readResultJson(await readFile(path.resolve(cwd, file), 'utf8'), file);
  const own = trialOf(result);
  const trial = bestOf(own === undefined ? [] : [own], file);
  const { strategy: name, dataHash } = result.run;
  const judged = { strategy: name, data: dataHash, trial };
  if (ledger === undefined) return { ...judged, search: undefined };
  const place = path.resolve(cwd, ledger);
  const search = await readSearch(place, ledger, { strategy: name, data: dataHash });
  return { ...judged, search: { ...withTrial(search, trial), ledger: place, shown: ledger } };
}

function trialOf({ run, equityCurve }: Result): SearchedTrial | undefined {
  const days = curveReturns(equityCurve);
  const values = Float64Array.from(days, ({ value }) => value);
  const from = days[0]?.time ?? 0;
  return trialOfReturns(run, { from, values });
}

/** Adds a result that the ledger does not have: it counts as one more trial. */
function withTrial(search: LedgerSearch, trial: RankedTrial): LedgerSearch {
  const isKnown = search.known.some(({ id }) => id === trial.id);
  return isKnown
    ? search
    : { ...search, trials: search.trials + 1, known: [...search.known, trial] };
}
