import { lowerBound } from '../../archive/index.js';
import { createRandom } from '../../assembly/backtest/index.js';
import {
  DAY_MS,
  nominalIntervalMs,
  present,
  UsageError,
  type CandleColumns,
  type FundingColumns,
} from '../../domain/index.js';
import { finestOf, type NamedSeries } from '../audit/market-change.js';
import { estimateBlockLengths } from '../statistics/stationary-bootstrap.js';
import type { SnapshotSeries, MarketSnapshot } from '../trials/market-snapshot.js';
import type { Redraw, TrialSpan } from '../trials/trial-job.js';

/** Number of rows that show how many decimals prices have. */
const ROWS_OF_DECIMALS = 500;
const MOST_DECIMALS = 12;

/**
 * The market with redrawn days (moving blocks). All candles of a day come together: every instrument and interval, marks and funding. The prices of a block
 * are scaled so that its first candle keeps its relation to the close before it. So each move is one that really happened, also between two blocks. Candles
 * before the range stay; those after it are scaled to continue the redrawn days.
 *
 * @throws {UsageError} `E_USAGE` for candles that are longer than a day.
 * @see Source: Künsch 1989, The Jackknife and the Bootstrap for General Stationary Observations
 */
export function redrawMarket(snapshot: MarketSnapshot, redraw: Redraw): MarketSnapshot {
  const { series, marks, funding } = snapshot;
  requireWithinDays(series);
  const lines = finestOf(series).map((line) => new PriceLine(line, redraw));
  const sources = drawDays(redraw, lines.every(({ hasBefore }) => hasBefore) ? 0 : 1);
  const factors = new Map(lines.map((line) => [line.instrumentId, line.factorsOf(sources)]));
  const redrawn = (held: SnapshotSeries): SnapshotSeries => {
    const { instrumentId } = held.info;
    const line = present(
      lines.find((one) => one.instrumentId === instrumentId),
      'candles of an instrument',
    );
    const days = { redraw, sources, factors: present(factors.get(instrumentId), 'factors') };
    return { ...held, columns: redrawColumns(held.columns, days, line.decimals) };
  };
  return {
    ...snapshot,
    series: series.map(redrawn),
    marks: marks.map(redrawn),
    funding: new Map(
      [...funding].map(([id, columns]) => [id, redrawFunding(columns, redraw, sources)]),
    ),
  };
}

/** Block length of prices in days: the longest that the daily moves of any instrument, or the sizes of these moves, suggest. */
export function blockOfMarket({ series }: MarketSnapshot, span: TrialSpan): number {
  const lengths = finestOf(series).flatMap((line) => {
    const moves = new PriceLine(line, span).moves();
    return [moves, moves.map(Math.abs)].map((values) => estimateBlockLengths(values).circular);
  });
  return Math.ceil(Math.max(1, ...lengths));
}

function requireWithinDays(series: readonly NamedSeries[]): void {
  const long = series.find(({ info }) => nominalIntervalMs(info.interval) > DAY_MS);
  if (long === undefined) return;
  throw new UsageError(
    'E_USAGE',
    `--candles puts whole days together: expected candles of at most a day, received ${long.info.instrumentId} ${long.info.interval}`,
  );
}

function countDays({ from, to }: TrialSpan): number {
  return (to - from) / DAY_MS;
}

/** For each day of the range, the day from which it is taken. */
function drawDays(redraw: Redraw, first: number): Int32Array {
  const count = countDays(redraw);
  const length = Math.min(redraw.block, count - first);
  const random = createRandom(redraw.seed);
  const sources = new Int32Array(count);
  for (let day = 0; day < count; day += length) {
    const start = first + Math.floor(random() * (count - first - length + 1));
    for (let step = 0; step < length && day + step < count; step += 1)
      sources[day + step] = start + step;
  }
  return sources;
}

/** The finest candles of an instrument, day by day. */
class PriceLine {
  readonly instrumentId: string;
  readonly decimals: number;
  readonly #close: Float64Array;
  /** First row of each day, and of the part after the last day. */
  readonly #rows: readonly number[];

  constructor({ info, columns }: NamedSeries, span: TrialSpan) {
    this.instrumentId = info.instrumentId;
    this.#close = columns.close;
    this.decimals = decimalsOf(columns.close);
    this.#rows = rowsOfDays(columns.openTime, span);
  }

  /** Whether a close before the first day is known. */
  get hasBefore(): boolean {
    return present(this.#rows[0], 'day') > 0;
  }

  /** Relative changes from day to day. */
  moves(): Float64Array {
    const closes = this.#rows
      .map((_, day) => this.#before(day))
      .filter((close) => close !== undefined);
    return Float64Array.from(closes.slice(1), (close, day) => close / (closes[day] ?? NaN) - 1);
  }

  /** Factors for the prices of each day, and of the part after the last day. */
  factorsOf(sources: Int32Array): Float64Array {
    const count = sources.length;
    const factors = new Float64Array(count + 1);
    let built = this.#before(0);
    for (let day = 0; day <= count; day += 1) {
      const source = sources[day] ?? count;
      const before = this.#before(source);
      const factor = built === undefined || before === undefined ? 1 : built / before;
      factors[day] = factor;
      if (day < count) built = multiplied(this.#before(source + 1), factor) ?? built;
    }
    return factors;
  }

  /** The last close before a day. */
  #before(day: number): number | undefined {
    return this.#close[present(this.#rows[day], 'day') - 1];
  }
}

function multiplied(close: number | undefined, factor: number): number | undefined {
  return close === undefined ? undefined : close * factor;
}

function rowsOfDays(times: Float64Array, span: TrialSpan): readonly number[] {
  return Array.from({ length: countDays(span) + 1 }, (_, day) =>
    lowerBound(times, span.from + day * DAY_MS),
  );
}

/** Number of decimals in the first prices. */
function decimalsOf(prices: Float64Array): number {
  let decimals = 0;
  for (const price of prices.subarray(0, ROWS_OF_DECIMALS))
    while (decimals < MOST_DECIMALS && Number(price.toFixed(decimals)) !== price) decimals += 1;
  return decimals;
}

interface RedrawnDays {
  readonly redraw: Redraw;
  readonly sources: Int32Array;
  readonly factors: Float64Array;
}

function redrawColumns(
  columns: CandleColumns,
  { redraw, sources, factors }: RedrawnDays,
  decimals: number,
): CandleColumns {
  const { openTime, open, high, low, close, volume } = columns;
  const pieces = piecesOf(rowsOfDays(openTime, redraw), sources, openTime.length);
  const scale = 10 ** decimals;
  const rescaled = (price: number, { day }: Piece): number => {
    const factor = day === undefined ? 1 : (factors[day] as number);
    return factor === 1 ? price : Math.max(1, Math.round(price * factor * scale)) / scale;
  };
  return {
    openTime: joinPieces(pieces, openTime, moved),
    open: joinPieces(pieces, open, rescaled),
    high: joinPieces(pieces, high, rescaled),
    low: joinPieces(pieces, low, rescaled),
    close: joinPieces(pieces, close, rescaled),
    volume: joinPieces(pieces, volume, kept),
  };
}

function redrawFunding(
  { time, rate }: FundingColumns,
  redraw: Redraw,
  sources: Int32Array,
): FundingColumns {
  const pieces = piecesOf(rowsOfDays(time, redraw), sources, time.length);
  return { time: joinPieces(pieces, time, moved), rate: joinPieces(pieces, rate, kept) };
}

const kept = (value: number): number => value;
const moved = (time: number, { shift }: Piece): number => time + shift;

/** Joins the rows of all pieces of a column, one piece after the other. */
function joinPieces(
  pieces: readonly Piece[],
  column: Float64Array,
  change: (value: number, piece: Piece) => number,
): Float64Array {
  const joined = new Float64Array(pieces.reduce((sum, { start, end }) => sum + end - start, 0));
  let row = 0;
  for (const piece of pieces) {
    for (let source = piece.start; source < piece.end; source += 1) {
      joined[row] = change(column[source] as number, piece);
      row += 1;
    }
  }
  return joined;
}

/** Consecutive rows. */
interface Piece {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  /** Index of the day that the rows become, or of the part after the last day; undefined before the range. */
  readonly day: number | undefined;
  /** Milliseconds by which the rows are moved in time. */
  readonly shift: number;
}

function piecesOf(rows: readonly number[], sources: Int32Array, length: number): readonly Piece[] {
  const at = (day: number): number => present(rows[day], 'day');
  const count = sources.length;
  return [
    { start: 0, end: at(0), day: undefined, shift: 0 },
    ...Array.from(sources, (source, day) => ({
      start: at(source),
      end: at(source + 1),
      day,
      shift: (day - source) * DAY_MS,
    })),
    { start: at(count), end: length, day: count, shift: 0 },
  ];
}
