import {
  describeHolding,
  findGaps,
  withMadeSeries,
  type Archive,
  type CandleGap,
  type SeriesInfo,
} from '../../../archive/index.js';
import {
  DataError,
  formatUtc,
  type CandleColumns,
  type InstrumentId,
  type Interval,
} from '../../../domain/index.js';
import { formatNoun, holdingJson, seriesJson } from '../format.js';
import { storedInfo } from '../stored-info.js';

/** The series to show. */
export type ShownSeries = { readonly instrumentId: InstrumentId } & (
  | { readonly kind: 'candles' | 'mark'; readonly interval: Interval }
  | { readonly kind: 'funding'; readonly interval?: undefined }
);

/** Rows of a series, for people and for programs. */
export interface ShownRows {
  readonly title: string;
  readonly first: string;
  readonly last: string;
  /** Undefined if the rows have no interval. */
  readonly gaps: readonly CandleGap[] | undefined;
  /** Interval of the stored candles that the series is made from; undefined if it is stored itself. */
  readonly madeFrom: Interval | undefined;
  readonly sources: readonly string[];
  readonly times: Float64Array;
  /** The values of the chart: closes, or rates. */
  readonly values: Float64Array;
  readonly json: Readonly<Record<string, unknown>>;
}

/**
 * Reads all rows of a series. Candles of an interval that is not stored are made from finer ones, as in a run.
 *
 * @throws {DataError} as `Archive.read`; `E_DATA_MISSING` if no such mark prices or rates are stored.
 */
export async function readShown(archive: Archive, series: ShownSeries): Promise<ShownRows> {
  if (series.kind === 'funding') return readFunding(archive, series.instrumentId);
  const { instrumentId, interval } = series;
  if (series.kind === 'candles') {
    const made = withMadeSeries(archive);
    const info = await made.info(instrumentId, interval);
    const title = `${instrumentId} ${interval}: ${formatNoun(info.rows, 'candle')}, volume in ${info.volumeUnit}`;
    return ofCandles(await made.read(instrumentId, interval), { title, info });
  }
  const columns = await archive.marks(instrumentId, interval);
  const info = await storedInfo(archive, series);
  if (columns === undefined || info?.kind !== 'mark') throw await missing(archive, series);
  const title = `${instrumentId} mark ${interval}: ${formatNoun(info.rows, 'mark price')}`;
  return ofCandles(columns, { title, info });
}

async function readFunding(archive: Archive, instrumentId: InstrumentId): Promise<ShownRows> {
  const columns = await archive.funding(instrumentId);
  const info = await storedInfo(archive, { kind: 'funding', instrumentId });
  if (columns === undefined || info === undefined)
    throw await missing(archive, { kind: 'funding', instrumentId });
  const { time, rate } = columns;
  const at = (row: number): { readonly time: string; readonly rate: number } => ({
    time: formatUtc(valueAt(time, row)),
    rate: valueAt(rate, row),
  });
  const [first, last] = [at(0), at(time.length - 1)];
  return {
    title: `${instrumentId} funding: ${formatNoun(info.rows, 'rate')}`,
    first: `${first.time}  ${String(first.rate)}`,
    last: `${last.time}  ${String(last.rate)}`,
    gaps: undefined,
    madeFrom: undefined,
    sources: info.sources,
    times: time,
    values: rate,
    json: { ...holdingJson(info), first, last },
  };
}

function ofCandles(
  columns: CandleColumns,
  { title, info }: { readonly title: string; readonly info: SeriesInfo },
): ShownRows {
  const { openTime, close } = columns;
  const last = openTime.length - 1;
  const gaps = findGaps(openTime, info.interval);
  return {
    title,
    first: candleLine(columns, 0, info.kind),
    last: candleLine(columns, last, info.kind),
    gaps,
    madeFrom: info.madeFrom,
    sources: info.sources,
    times: openTime,
    values: close,
    json: {
      ...seriesJson(info),
      first: candleJson(columns, 0),
      last: candleJson(columns, last),
      gapList: gaps.map(({ from, to, missing }) => ({
        from: formatUtc(from),
        to: formatUtc(to),
        missing,
      })),
    },
  };
}

const valueAt = (column: Float64Array, row: number): number => column[row] ?? Number.NaN;

function candleLine(columns: CandleColumns, row: number, kind: SeriesInfo['kind']): string {
  const { openTime, open, high, low, close, volume } = columns;
  const prices = [open, high, low, close].map((column) => String(valueAt(column, row))).join(' ');
  const traded = kind === 'mark' ? '' : `  volume ${String(valueAt(volume, row))}`;
  return `${formatUtc(valueAt(openTime, row))}  ${prices}${traded}`;
}

function candleJson(columns: CandleColumns, row: number): Readonly<Record<string, unknown>> {
  const { openTime, ...others } = columns;
  const at = (name: keyof typeof others): number => valueAt(others[name], row);
  return {
    openTime: formatUtc(valueAt(openTime, row)),
    open: at('open'),
    high: at('high'),
    low: at('low'),
    close: at('close'),
    volume: at('volume'),
  };
}

async function missing(archive: Archive, series: ShownSeries): Promise<DataError> {
  const stored = (await archive.holdings())
    .filter(({ key }) => key.kind === series.kind)
    .map(({ key }) => describeHolding(key));
  const held = stored.length === 0 ? 'none of any instrument' : stored.join(', ');
  return new DataError(
    'E_DATA_MISSING',
    `the archive ${archive.directory} has no ${describeHolding(series)}: it holds ${held}`,
  );
}
