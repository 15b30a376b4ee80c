import type { SeriesInfo } from '../../archive/index.js';
import { createRandom, type BacktestConfig } from '../../assembly/backtest/index.js';
import {
  closeTimeOf,
  nominalIntervalMs,
  type CandleColumns,
  type EpochMs,
  type FundingColumns,
  type InstrumentId,
} from '../../domain/index.js';

/**
 * Changes of the market after an instant: it is cut off, replaced by noise, or each candle gets the values of the next one. Times stay the same, and so do
 * all candles that had closed.
 */
export const CHANGES = ['cut', 'noise', 'shift'] as const;

export interface MarketChange {
  readonly kind: (typeof CHANGES)[number];
  /** Candles that close after this time are changed. */
  readonly at: EpochMs;
  /** Seed of the noise. */
  readonly seed: number;
}

/** A series with its instrument and interval. */
export interface NamedSeries {
  readonly info: Pick<SeriesInfo, 'instrumentId' | 'interval'>;
  readonly columns: CandleColumns;
}

/** The parts of a market that a change affects. */
interface ChangeableMarket {
  readonly series: readonly NamedSeries[];
  readonly marks: readonly NamedSeries[];
  readonly funding: ReadonlyMap<InstrumentId, FundingColumns>;
}

/** Instruments and intervals that a strategy receives. */
interface Delivery {
  readonly instruments: readonly Pick<
    BacktestConfig['instruments'][number],
    'instrumentId' | 'intervals'
  >[];
}

/** Returns the market with another future. Unchanged parts are shared with the original. */
export function changeMarket<Market extends ChangeableMarket>(
  market: Market,
  change: MarketChange,
): Market {
  const series = seriesChange(change);
  // A series without candles counts as never stored.
  const changed = (named: readonly NamedSeries[]): readonly NamedSeries[] =>
    named.map(series).filter(({ columns }) => columns.openTime.length > 0);
  return {
    ...market,
    series: changed(market.series),
    marks: changed(market.marks),
    funding: new Map(
      [...market.funding].map(([id, columns]) => [id, changeFunding(columns, change)]),
    ),
  };
}

/**
 * Close of the last candle that is known at an instant, marks included. A candle that is still open at the instant is not known. Undefined if a series has no
 * closed candle. The instrument whose candles end first ends the past of all: its next fill is unknown.
 */
export function endOfPast(
  config: Delivery,
  { series, marks, funding }: ChangeableMarket,
  at: EpochMs,
): EpochMs | undefined {
  const delivered = deliveredSeries(config, series);
  if ([...delivered, ...marks].some((each) => countClosed(each, at) === 0)) return undefined;
  const end = Math.min(
    ...[...finestOf(delivered), ...finestOf(marks)].map((each) =>
      closeTimeAt(each, countClosed(each, at) - 1),
    ),
  );
  // Funding is settled at the mark that opens then (DESIGN R11), so the past ends just before.
  const isSettled = [...funding.values()].some(({ time }) => time.includes(end));
  return isSettled ? end - 1 : end;
}

/** The series that a strategy receives, without those that only a path uses. */
export function deliveredSeries<Series extends NamedSeries>(
  { instruments }: Delivery,
  series: readonly Series[],
): readonly Series[] {
  return series.filter(({ info }) =>
    instruments.some(
      ({ instrumentId, intervals }) =>
        instrumentId === info.instrumentId && intervals.includes(info.interval),
    ),
  );
}

/** The finest series of each instrument. */
export function finestOf(series: readonly NamedSeries[]): readonly NamedSeries[] {
  const finest = new Map<string, NamedSeries>();
  for (const each of series) {
    const known = finest.get(each.info.instrumentId);
    if (known === undefined || lengthOf(each) < lengthOf(known))
      finest.set(each.info.instrumentId, each);
  }
  return [...finest.values()];
}

function lengthOf({ info }: NamedSeries): number {
  return nominalIntervalMs(info.interval);
}

function seriesChange(change: MarketChange): (series: NamedSeries) => NamedSeries {
  const random = createRandom(change.seed);
  return (series) => {
    const { columns } = series;
    const known = countClosed(series, change.at);
    if (change.kind === 'cut') return { ...series, columns: mapColumns(columns, firsts(known)) };
    const changed = mapColumns(columns, (column) => column.slice());
    for (let row = known; row < columns.openTime.length; row += 1) {
      if (change.kind === 'noise') writeNoise(changed, row, random);
      else takeNext(changed, row);
    }
    return { ...series, columns: changed };
  };
}

function changeFunding(columns: FundingColumns, { kind, at, seed }: MarketChange): FundingColumns {
  const { time, rate } = columns;
  const settled = time.filter((each) => each <= at).length;
  if (kind === 'cut') return { time: firsts(settled)(time), rate: firsts(settled)(rate) };
  const random = createRandom(seed);
  const other = (each: number, row: number): number =>
    kind === 'noise' ? random() / 100 : (rate[row + 1] ?? each);
  return { time, rate: rate.map((each, row) => (row < settled ? each : other(each, row))) };
}

const firsts =
  (count: number) =>
  (column: Float64Array): Float64Array =>
    column.slice(0, count);

function mapColumns(
  { openTime, open, high, low, close, volume }: CandleColumns,
  change: (column: Float64Array) => Float64Array,
): CandleColumns {
  return {
    openTime: change(openTime),
    open: change(open),
    high: change(high),
    low: change(low),
    close: change(close),
    volume: change(volume),
  };
}

/** Writes a candle with prices between half and twice the old close, with six digits. */
function writeNoise(columns: CandleColumns, row: number, random: () => number): void {
  const base = columns.close[row] as number;
  const price = (): number => Number((base * (0.5 + 1.5 * random())).toPrecision(6));
  const prices = [price(), price(), price(), price()] as const;
  columns.open[row] = prices[0];
  columns.close[row] = prices[1];
  columns.high[row] = Math.max(...prices);
  columns.low[row] = Math.min(...prices);
  columns.volume[row] = (columns.volume[row] as number) * 3 * random();
}

/** The last candle has no next one and stays. */
function takeNext(columns: CandleColumns, row: number): void {
  for (const name of ['open', 'high', 'low', 'close', 'volume'] as const)
    columns[name][row] = columns[name][row + 1] ?? (columns[name][row] as number);
}

/** Number of candles of a series that have closed by an instant. */
export function countClosed(series: NamedSeries, at: EpochMs): number {
  let [count, open] = [0, series.columns.openTime.length];
  while (count < open) {
    const middle = (count + open) >>> 1;
    if (closeTimeAt(series, middle) <= at) count = middle + 1;
    else open = middle;
  }
  return count;
}

function closeTimeAt({ columns, info }: NamedSeries, row: number): EpochMs {
  return closeTimeOf(columns.openTime[row] as number, info.interval);
}
