import { readFileSync } from 'node:fs';
import { closeTimeOf, DataError, formatUtc, type CandleColumns } from '../../domain/index.js';
import { hashColumns } from '../columns/hash-columns.js';
import { FileMemory } from '../files/file-memory.js';
import { seriesPaths } from '../files/layout.js';
import { CANDLES_METADATA } from '../files/metadata.js';
import { proveDescription } from '../files/prove-file.js';
import { readVerified } from '../files/read-verified.js';
import { readInfo } from '../stored/series-folder.js';
import { rowNoun, type SeriesInfo, type SeriesKey } from '../stored/series.js';
import { checkCandles, type CandleCheck, type CheckOptions } from './check-candles.js';

export interface CheckStoredOptions extends CheckOptions {
  /** Memory that checks share. @defaultValue memory of its own */
  readonly memory?: FileMemory | undefined;
}

/**
 * Looks at a whole stored series: the file's SHA-256, the metadata against the candles, and everything that `checkCandles` finds.
 *
 * @throws {DataError} as `Archive.read`, but a row that no candle can have is a finding; `E_DATA_METADATA` when metadata and candles
 * disagree.
 */
export async function checkSeries(
  directory: string,
  key: SeriesKey,
  { memory = new FileMemory(), ...options }: CheckStoredOptions = {},
): Promise<CandleCheck> {
  // Synchronous, like `readVerified`: see there.
  const info = await readInfo(directory, key, (path) => readFileSync(path, 'utf8'));
  const { arrow, metadata } = seriesPaths(directory, key);
  const { columns, head } = readVerified({ path: arrow, info }, memory);
  const check = checkCandles(columns, key.interval, options);
  compare(metadata, info, columns, check);
  proveDescription(arrow, head, CANDLES_METADATA.formatDescription(info));
  return check;
}

/** Compares the metadata with the candles. @throws {DataError} `E_DATA_METADATA` when they disagree. */
function compare(path: string, info: SeriesInfo, columns: CandleColumns, check: CandleCheck): void {
  const gaps = check.findings.find(({ kind }) => kind === 'gap')?.count ?? 0;
  const { openTime } = columns;
  const pairs = [
    ['from', formatUtc(info.from), formatUtc(openTime[0] ?? Number.NaN)],
    [
      'to',
      formatUtc(info.to),
      formatUtc(closeTimeOf(openTime.at(-1) ?? Number.NaN, info.interval)),
    ],
    ['gaps', info.gaps, gaps],
    ['missing', info.missing, check.missing],
    ['columnsSha256', info.columnsSha256, hashColumns(columns)],
  ] as const;
  for (const [key, said, stored] of pairs) {
    if (said === stored) continue;
    throw new DataError(
      'E_DATA_METADATA',
      `${path}: ${key}: expected ${String(stored)} as in the ${rowNoun(info)}, received ${String(said)}`,
    );
  }
}
