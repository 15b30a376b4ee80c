import type { Interval } from '../../domain/index.js';
import {
  checkCandles,
  type CandleCheck,
  type CheckOptions,
  type Finding,
} from '../check/check-candles.js';
import { candlesFromArrays } from '../columns/columns.js';
import type { CandleFileFormat } from './file-signatures.js';
import { readCandleFile, type ReadFileOptions } from './read-candle-file.js';
import type { RefusedRows } from './refused-rows.js';

interface CheckFileOptions extends Omit<ReadFileOptions, 'skipBad'>, CheckOptions {
  readonly path: string;
  readonly interval: Interval;
}

/** Result of the check of a file. Row numbers are those in the file. */
interface CheckedFile {
  readonly format: CandleFileFormat;
  readonly check: CandleCheck;
  /** Rows that could not be read; they are a finding, too. */
  readonly unreadable: RefusedRows;
}

/**
 * Checks the candles of a file as they stand.
 *
 * @throws {DataError} as `readCandleFile`, but a row that cannot be read is a finding.
 */
export async function checkCandleFile(options: CheckFileOptions): Promise<CheckedFile> {
  const file = await readCandleFile(options.path, { ...options, skipBad: true });
  const check = checkCandles(candlesFromArrays(file.rows.columns), options.interval, options);
  const inFile = (finding: Finding): Finding => ({
    ...finding,
    rows: finding.rows.map((row) => file.rows.numberOf(row - 1)),
  });
  const { count, examples } = file.unreadable;
  const unreadable: readonly Finding[] =
    count === 0
      ? []
      : [{ kind: 'unreadable', isDefect: true, count, rows: examples.map(({ row }) => row) }];
  return {
    format: file.format,
    check: {
      ...check,
      rows: check.rows + count,
      findings: [...unreadable, ...check.findings.map(inFile)],
    },
    unreadable: file.unreadable,
  };
}
