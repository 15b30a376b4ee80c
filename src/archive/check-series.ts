import { DataError, type CandleColumns } from '../domain/index.js';
import { checkCandles, type CandleCheck, type CheckOptions } from './check-candles.js';
import { openFile } from './data-file.js';
import { hashColumns } from './hash-columns.js';
import { seriesPaths } from './layout.js';
import { readInfo } from './series-folder.js';
import { nounOf, type SeriesInfo, type SeriesKey } from './series.js';
import { StoredCandles } from './stored-candles.js';

/**
 * Looks at a whole stored series: the file's SHA-256, the metadata against the candles, and everything that `checkCandles` finds.
 *
 * @throws {DataError} as `Archive.read`, but a row that no candle can have is a finding; `E_DATA_METADATA` when metadata and candles
 * disagree.
 */
export async function checkSeries(
  directory: string,
  key: SeriesKey,
  options: CheckOptions = {},
): Promise<CandleCheck> {
  const info = await readInfo(directory, key);
  const { arrow, metadata } = seriesPaths(directory, key);
  const columns = await StoredCandles.use({ path: arrow, info, open: openFile }, async (stored) => {
    await stored.verify();
    return (await stored.read({})).columns;
  });
  const check = checkCandles(columns, key.interval, options);
  compare(metadata, info, columns, check);
  return check;
}

/** The metadata must say what the candles say. */
function compare(path: string, info: SeriesInfo, columns: CandleColumns, check: CandleCheck): void {
  const gaps = check.findings.find(({ kind }) => kind === 'gap')?.count ?? 0;
  const pairs = [
    ['gaps', info.gaps, gaps],
    ['missing', info.missing, check.missing],
    ['columnsSha256', info.columnsSha256, hashColumns(columns)],
  ] as const;
  for (const [key, said, stored] of pairs) {
    if (said === stored) continue;
    throw new DataError(
      'E_DATA_METADATA',
      `${path}: ${key}: expected ${String(stored)} as the ${nounOf(info)} have it, received ${String(said)}`,
    );
  }
}
