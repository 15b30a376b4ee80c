// eslint-disable-next-line no-restricted-imports -- lets the caller's process have its turn; nothing of a run depends on when
import { setImmediate as nextTurn } from 'node:timers/promises';
import { A_TEXT, checkOptions, oneOf, type OptionCheck } from '../config/index.js';
import {
  createMemoryArchive,
  openRunArchive,
  VOLUME_UNITS,
  withMadeSeries,
  type Archive,
  type MemorySeries,
  type VolumeUnit,
} from '../archive/index.js';
import {
  DataError,
  DomainError,
  parseInstrumentId,
  parseInterval,
  splitInstrumentId,
  UsageError,
  type Candle,
  type CandleColumns,
  type EpochMs,
  type FundingColumns,
  type InstrumentId,
  type Interval,
} from '../domain/index.js';

/** One candle: its open time in UTC milliseconds, prices in quote per base, volume in the unit of its series. */
export type CandleValues = Pick<Candle, 'openTime' | 'open' | 'high' | 'low' | 'close' | 'volume'>;

/** Candles of one instrument and interval from a program, in rising order of time; gaps are possible. */
export interface CandleSource {
  /** Product and symbol, such as `spot:BTCUSDT`. */
  readonly instrument: string;
  readonly interval: Interval;
  /** Rows, from an iterable or an async iterable; or columns, which are shared and must not change while a run lasts. */
  readonly candles: Iterable<CandleValues> | AsyncIterable<CandleValues> | CandleColumns;
  /** Unit of the volumes. @defaultValue 'base' */
  readonly volumeUnit?: VolumeUnit | undefined;
}

/** Mark prices of one contract, in the layout of candles with volume 0. */
export type MarkSource = Omit<CandleSource, 'candles' | 'volumeUnit'> & {
  readonly marks: CandleSource['candles'];
};

/** A settlement of funding: its time in UTC milliseconds, and the rate of its period as a ratio, float64. */
export interface FundingValues {
  readonly time: EpochMs;
  readonly rate: number;
}

/** Settled funding rates of one contract, in rising order of time, on the minute. */
export interface FundingSource {
  readonly instrument: string;
  readonly funding: Iterable<FundingValues> | AsyncIterable<FundingValues> | FundingColumns;
}

/** The market data of a run: an archive, or data of the program. */
export type RunCandles = Archive | readonly (CandleSource | MarkSource | FundingSource)[];

/**
 * Opens the candles of a run. A missing interval is made from a finer one, as on the command line.
 *
 * @param directory - absolute folder of the archive that the configuration names; unused if `candles` is given.
 * @throws {DataError} as `createMemoryArchive`; {DomainError} for an invalid instrument or interval; what an iterable throws; the signal's reason.
 */
export async function openCandles(
  candles: RunCandles | undefined,
  { directory, signal }: { readonly directory: string; readonly signal: AbortSignal },
): Promise<Archive> {
  if (candles === undefined) return openRunArchive(directory);
  if (isArchive(candles)) return withMadeSeries(candles);
  const series: MemorySeries[] = [];
  const funding = new Map<InstrumentId, FundingColumns>();
  for (const [index, source] of candles.entries()) {
    const name = `candles.${String(index)}`;
    checkSource(source, name);
    const instrumentId = instrumentOf(source, name);
    if (!('funding' in source)) {
      const interval = located(`${name}.interval`, () => parseInterval(source.interval));
      series.push(await readSource({ ...source, interval }, instrumentId, signal));
    } else {
      if (funding.has(instrumentId))
        throw new DataError('E_DATA_CONFLICT', `funding of ${instrumentId}: given twice`);
      funding.set(instrumentId, await readFunding(source, signal));
    }
  }
  return withMadeSeries(createMemoryArchive(series, funding));
}

/** @throws {UsageError} `E_USAGE` for anything else than an archive or a list. */
function isArchive(candles: RunCandles): candles is Archive {
  if (Array.isArray(candles)) return false;
  const { rules } = Object(candles) as Partial<Archive>;
  if (typeof rules === 'function') return true;
  throw new UsageError(
    'E_USAGE',
    'candles: expected an archive of openArchive, or a list of { instrument, interval, candles }',
  );
}

const ROWS: OptionCheck = {
  expected: 'a list, an iterable or columns, awaited',
  isRequired: true,
  accepts: (value) =>
    typeof value === 'object' &&
    value !== null &&
    [Symbol.iterator, Symbol.asyncIterator, 'openTime', 'time'].some((key) => key in value),
};
const SERIES = {
  instrument: { ...A_TEXT, isRequired: true },
  interval: { ...A_TEXT, isRequired: true },
} as const;

/** @throws {UsageError} `E_USAGE`: a key that is ignored could change the unit of the volumes. */
function checkSource(source: CandleSource | MarkSource | FundingSource, name: string): void {
  const kind = Object(source) as object;
  if ('funding' in kind)
    checkOptions<FundingSource>(source, { instrument: SERIES.instrument, funding: ROWS }, name);
  else if ('marks' in kind) checkOptions<MarkSource>(source, { ...SERIES, marks: ROWS }, name);
  else
    checkOptions<CandleSource>(
      source,
      { ...SERIES, candles: ROWS, volumeUnit: oneOf(VOLUME_UNITS) },
      name,
    );
}

/**
 * The instrument of a series: marks and funding are of contracts.
 *
 * @throws {DomainError} `E_INSTRUMENT`; {UsageError} `E_USAGE` for a pair.
 */
function instrumentOf(
  source: CandleSource | MarkSource | FundingSource,
  name: string,
): InstrumentId {
  const key = `${name}.instrument`;
  const instrumentId = located(key, () => parseInstrumentId(source.instrument));
  if ('candles' in source || splitInstrumentId(instrumentId).kind === 'futures')
    return instrumentId;
  const what = 'funding' in source ? 'funding' : 'marks';
  throw new UsageError(
    'E_USAGE',
    `${key}: expected a contract, because pairs have no ${what}, received ${instrumentId}`,
  );
}

/** Puts the key before the message of an invalid value. */
function located<T>(key: string, read: () => T): T {
  try {
    return read();
  } catch (cause: unknown) {
    if (!(cause instanceof DomainError)) throw cause;
    throw new DomainError(cause.code, `${key}: ${cause.message}`, { cause });
  }
}

async function readSource(
  source: CandleSource | MarkSource,
  instrumentId: InstrumentId,
  signal: AbortSignal,
): Promise<MemorySeries> {
  const { instrument, interval } = source;
  const isMarks = 'marks' in source;
  const rows = isMarks ? source.marks : source.candles;
  const name = `${isMarks ? 'marks' : 'candles'} of ${instrument} ${interval}`;
  return {
    kind: isMarks ? 'mark' : 'candles',
    ...{ instrumentId, interval },
    columns:
      'openTime' in rows
        ? takeColumns(rows, CANDLE_COLUMNS, name)
        : await readRows(rows, CANDLE_COLUMNS, { name, signal }),
    volumeUnit: isMarks ? undefined : source.volumeUnit,
  };
}

async function readFunding(
  { instrument, funding }: FundingSource,
  signal: AbortSignal,
): Promise<FundingColumns> {
  const name = `funding of ${instrument}`;
  if ('time' in funding) return takeColumns(funding, FUNDING_COLUMNS, name);
  return readRows(funding, FUNDING_COLUMNS, { name, signal });
}

const CANDLE_COLUMNS = ['openTime', 'open', 'high', 'low', 'close', 'volume'] as const;
const FUNDING_COLUMNS = ['time', 'rate'] as const;

function takeColumns<Column extends string, Columns extends Readonly<Record<Column, Float64Array>>>(
  columns: Columns,
  names: readonly Column[],
  name: string,
): Columns {
  const lengths = names.map((column) => {
    const values: unknown = columns[column];
    if (values instanceof Float64Array) return values.length;
    const received = values === undefined ? 'nothing' : 'something else';
    throw new DataError(
      'E_DATA_DEFECT',
      `${name}: expected a Float64Array as ${column}, received ${received}`,
    );
  });
  if (new Set(lengths).size === 1) return columns;
  const received = names.map((column, index) => `${String(lengths[index])} of ${column}`);
  throw new DataError(
    'E_DATA_DEFECT',
    `${name}: expected columns of one length, received ${received.join(', ')}`,
  );
}

/** A generator may have no end: between so many rows other work of the process has its turn, such as an abort. */
const ROWS_IN_A_TURN = 10_000;

/** Reads rows one by one into columns. */
async function readRows<Column extends string>(
  rows:
    Iterable<Readonly<Record<Column, number>>> | AsyncIterable<Readonly<Record<Column, number>>>,
  columns: readonly Column[],
  { name, signal }: { readonly name: string; readonly signal: AbortSignal },
): Promise<Record<Column, Float64Array>> {
  const values = columns.map((): number[] => []);
  let count = 0;
  const add = (row: Readonly<Record<Column, unknown>> | null | undefined): void => {
    if (row === null || row === undefined)
      throw new DataError(
        'E_DATA_DEFECT',
        `${name}, row ${String(count + 1)}: expected { ${columns.join(', ')} }, received ${String(row)}`,
      );
    for (const [index, column] of columns.entries()) {
      const value = row[column];
      if (typeof value !== 'number')
        throw noNumber(`${name}, row ${String(count + 1)}`, column, value);
      values[index]?.push(value);
    }
    count += 1;
  };
  // No await for each row that is there already: with many rows it would take longer than the run.
  if (Symbol.iterator in rows)
    for (const row of rows) {
      add(row);
      if (count % ROWS_IN_A_TURN > 0 || Array.isArray(rows)) continue;
      await nextTurn();
      signal.throwIfAborted();
    }
  else
    for await (const row of rows) {
      signal.throwIfAborted();
      add(row);
    }
  return Object.fromEntries(
    columns.map((column, index) => [column, Float64Array.from(values[index] ?? [])]),
  ) as Record<Column, Float64Array>;
}

function noNumber(row: string, column: string, value: unknown): DataError {
  const received = typeof value === 'string' ? JSON.stringify(value) : typeof value;
  return new DataError(
    'E_DATA_DEFECT',
    `${row}: expected a number as ${column}, received ${received}`,
  );
}
