import {
  createMemoryArchive,
  openRunArchive,
  withMadeSeries,
  type Archive,
  type MemorySeries,
  type VolumeUnit,
} from '../archive/index.js';
import {
  DataError,
  parseInstrumentId,
  parseInterval,
  type Candle,
  type CandleColumns,
  type Interval,
} from '../domain/index.js';

/** One candle: its open time in UTC milliseconds, prices in quote per base, volume in the unit of its series. */
export type CandleValues = Pick<Candle, 'openTime' | 'open' | 'high' | 'low' | 'close' | 'volume'>;

/** Candles of one instrument and interval that a program has, in rising order of time; gaps are possible. */
export interface CandleSource {
  /** Product and symbol, such as `spot:BTCUSDT`. */
  readonly instrument: string;
  readonly interval: Interval;
  /** One by one, now or as they come; or in columns, which are shared and may not be written to while a run lasts. */
  readonly candles: Iterable<CandleValues> | AsyncIterable<CandleValues> | CandleColumns;
  /** What the volumes count. @defaultValue 'base' */
  readonly volumeUnit?: VolumeUnit | undefined;
}

/** Where the candles of a run come from: an archive, or what the program has. */
export type RunCandles = Archive | readonly CandleSource[];

/**
 * Opens the candles of a run; intervals that are not there are made of finer ones, as on the command line.
 *
 * @param directory - absolute folder of the archive that the configuration names; unused where candles are handed over.
 * @throws {DataError} as `createMemoryArchive`; {DomainError} for an instrument or interval that is none; what an iterable throws; the
 * signal's reason.
 */
export async function openCandles(
  candles: RunCandles | undefined,
  { directory, signal }: { readonly directory: string; readonly signal: AbortSignal },
): Promise<Archive> {
  if (candles === undefined) return openRunArchive(directory);
  if (!isList(candles)) return withMadeSeries(candles);
  const series: MemorySeries[] = [];
  for (const source of candles) series.push(await readSource(source, signal));
  return withMadeSeries(createMemoryArchive(series));
}

function isList(candles: RunCandles): candles is readonly CandleSource[] {
  return Array.isArray(candles);
}

async function readSource(
  { instrument, interval, candles, volumeUnit }: CandleSource,
  signal: AbortSignal,
): Promise<MemorySeries> {
  return {
    instrumentId: parseInstrumentId(instrument),
    interval: parseInterval(interval),
    columns:
      'openTime' in candles
        ? candles
        : await readCandles(candles, { name: `${instrument} ${interval}`, signal }),
    volumeUnit,
  };
}

const COLUMNS = ['openTime', 'open', 'high', 'low', 'close', 'volume'] as const;

async function readCandles(
  candles: Iterable<CandleValues> | AsyncIterable<CandleValues>,
  { name, signal }: { readonly name: string; readonly signal: AbortSignal },
): Promise<CandleColumns> {
  const rows: Readonly<Record<keyof CandleColumns, number[]>> = {
    openTime: [],
    open: [],
    high: [],
    low: [],
    close: [],
    volume: [],
  };
  const add = (candle: CandleValues): void => {
    for (const column of COLUMNS) {
      const value: unknown = candle[column];
      if (typeof value !== 'number') throw noNumber(name, rows.openTime.length, [column, value]);
      rows[column].push(value);
    }
  };
  // Waiting for each of many that are there already would take longer than the run.
  if (Symbol.iterator in candles) for (const candle of candles) add(candle);
  else
    for await (const candle of candles) {
      signal.throwIfAborted();
      add(candle);
    }
  return {
    openTime: Float64Array.from(rows.openTime),
    open: Float64Array.from(rows.open),
    high: Float64Array.from(rows.high),
    low: Float64Array.from(rows.low),
    close: Float64Array.from(rows.close),
    volume: Float64Array.from(rows.volume),
  };
}

/** `row`: how many candles before it were whole; the first column may be there already. */
function noNumber(
  name: string,
  row: number,
  [column, value]: readonly [string, unknown],
): DataError {
  const number = column === 'openTime' ? row + 1 : row;
  const received = typeof value === 'string' ? JSON.stringify(value) : typeof value;
  return new DataError(
    'E_DATA_DEFECT',
    `candles of ${name}, row ${String(number)}: expected a number as ${column}, received ${received}`,
  );
}
