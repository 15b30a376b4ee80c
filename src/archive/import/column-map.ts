import { DataError } from '../../domain/index.js';
import { COLUMN_NAMES, type ColumnName } from '../columns.js';

/** Where in a file the six columns of a candle are, counted from 0. */
export type ColumnMap = Readonly<Record<ColumnName, number>>;

/** Names by which files call the columns, lower case without punctuation, the likelier ones first. */
const SYNONYMS: Readonly<Record<ColumnName, readonly string[]>> = {
  openTime: [
    'opentime',
    'opentimems',
    'timems',
    'timestampms',
    'timestamp',
    'unixtimestamp',
    'unix',
    'unixtime',
    'epoch',
    'datetime',
    'time',
    'date',
    'ts',
    't',
    'starttime',
    'start',
    'candlebegintime',
    'idx',
    'index',
    'indexlevel0',
    // An index that a table was written with, without a name.
    '',
  ],
  open: ['open', 'o', 'openprice', 'priceopen'],
  high: ['high', 'h', 'highprice', 'pricehigh', 'highest'],
  low: ['low', 'l', 'lowprice', 'pricelow', 'lowest'],
  close: ['close', 'c', 'closeprice', 'priceclose', 'last'],
  volume: ['volume', 'vol', 'v', 'basevolume', 'volumebase', 'volumetraded'],
};

/** Stands in `--columns` for a column that is not wanted. */
const SKIPPED = '-';

/** Names for `--columns`. */
const PLAIN_NAMES: Readonly<Record<ColumnName, string>> = {
  openTime: 'time',
  open: 'open',
  high: 'high',
  low: 'low',
  close: 'close',
  volume: 'volume',
};

/**
 * The widespread dump of twelve columns without header: open time, open, high, low, close, volume, close time, quote volume, trades,
 * and three that are not needed.
 */
export const DUMP_COLUMNS = 12;
export const DUMP_MAP: ColumnMap = { openTime: 0, open: 1, high: 2, low: 3, close: 4, volume: 5 };

/**
 * Finds the columns of a candle by their names.
 *
 * @throws {DataError} `E_DATA_COLUMN` naming the file and the column when one is absent or there twice.
 */
export function mapColumns(names: readonly string[], path: string): ColumnMap {
  const plain = names.map((name) =>
    name === SKIPPED ? name : name.toLowerCase().replace(/[^a-z0-9]/g, ''),
  );
  const find = (column: ColumnName): number => {
    for (const synonym of SYNONYMS[column]) {
      const index = plain.indexOf(synonym);
      if (index < 0) continue;
      if (plain.includes(synonym, index + 1)) {
        throw new DataError(
          'E_DATA_COLUMN',
          `${path}: expected one column for ${PLAIN_NAMES[column]}, received "${names[index] ?? ''}" twice`,
        );
      }
      return index;
    }
    throw new DataError(
      'E_DATA_COLUMN',
      `${path}: expected a column for ${PLAIN_NAMES[column]}, received ${names.map((name) => `"${name}"`).join(', ')}; name the columns in order with --columns`,
    );
  };
  return {
    openTime: find('openTime'),
    open: find('open'),
    high: find('high'),
    low: find('low'),
    close: find('close'),
    volume: find('volume'),
  };
}

/** The column with the largest place: rows must reach it. */
export function lastColumn(map: ColumnMap): number {
  return Math.max(...COLUMN_NAMES.map((name) => map[name]));
}
