import fc from 'fast-check';

import {
  closeTimeOf,
  MINUTE_MS,
  nominalIntervalMs,
  type CandleSeries,
  type EpochMs,
  type InstrumentId,
} from '../../../src/domain/index.js';
import type { RunRecord } from '../../../src/report/index.js';
import type { EngineEvent, RecordedFinancing } from '../../../src/engine/index.js';
import { isOrderUpdate } from '../../../src/venue/index.js';
import { FUNDING_MS } from '../arbitraries/contract-market.js';
import { columnsOf, type CandleRow } from '../candle-columns.js';
import type { MarketHistory } from '../look-ahead.js';

/** Time from an end to the next candles in {@link withoutWhatFollows}. */
const LATER_MS = 120 * MINUTE_MS;

/** Instants within a millisecond of a close, a settlement, the boundary of a coarse candle, or the end of a list. */
export function endsNear({ candles, marks }: MarketHistory): fc.Arbitrary<EpochMs> {
  const series = [...candles, ...marks];
  const start = Math.min(...series.map(({ columns }) => columns.openTime[0] ?? Infinity));
  const ends = series.map(lastClose);
  const length = Math.max(...ends) - start;
  const within = (stepMs: number): fc.Arbitrary<EpochMs> =>
    fc
      .integer({ min: 2, max: Math.max(2, Math.floor(length / stepMs)) })
      .map((step) => Math.ceil(start / stepMs) * stepMs + step * stepMs);
  const coarsest = Math.max(...candles.map(({ interval }) => nominalIntervalMs(interval)));
  const near = fc.oneof(
    { weight: 1, arbitrary: within(MINUTE_MS) },
    { weight: 1, arbitrary: within(coarsest) },
    { weight: 3, arbitrary: within(FUNDING_MS) },
    { weight: 1, arbitrary: fc.constantFrom(...ends) },
  );
  return fc
    .tuple(near, fc.constantFrom(-1, 0, 0, 1, 30_000))
    .map(([instant, offset]) => instant + offset);
}

function lastClose({ columns, interval }: CandleSeries): EpochMs {
  return closeTimeOf(columns.openTime.at(-1) ?? 0, interval);
}

/** The series that are traded: the finest of each instrument. */
function traded(candles: readonly CandleSeries[]): ReadonlySet<CandleSeries> {
  const finest = new Map<InstrumentId, CandleSeries>();
  for (const series of candles) {
    const known = finest.get(series.instrumentId);
    if (
      known === undefined ||
      nominalIntervalMs(series.interval) < nominalIntervalMs(known.interval)
    )
      finest.set(series.instrumentId, series);
  }
  return new Set(finest.values());
}

/**
 * Time until which a run to `end` and any longer run on the same candles are equal, steps 1 to 4 of that instant included. It is the first open
 * of a traded or mark candle that opens before the end and closes after it; otherwise `end`.
 */
export function commonUntil({ candles, marks }: MarketHistory, end: EpochMs): EpochMs {
  const opens = [...traded(candles), ...marks].flatMap(({ columns, interval }) =>
    [...columns.openTime].filter((open) => open < end && closeTimeOf(open, interval) > end),
  );
  return Math.min(end, ...opens);
}

/** The market without traded candles that are open at `end`, or that open in the two hours after it. */
export function withoutWhatFollows(market: MarketHistory, end: EpochMs): MarketHistory {
  const cut = traded(market.candles);
  return {
    ...market,
    candles: market.candles.map((series) => (cut.has(series) ? interrupted(series, end) : series)),
  };
}

function interrupted(series: CandleSeries, end: EpochMs): CandleSeries {
  const { columns, interval } = series;
  const rows: CandleRow[] = [...columns.openTime.keys()]
    .map((row) => rowOf(series, row))
    .filter(({ time }) => closeTimeOf(time, interval) <= end);
  const step = nominalIntervalMs(interval);
  // A holding from the start that has no price by then is valued at the next open.
  const price = columns.open[rows.length] ?? rows.at(-1)?.close ?? 100;
  const time = Math.ceil((end + LATER_MS) / step) * step;
  const later = { time, open: price, high: price, low: price, close: price, volume: 1 };
  return { ...series, columns: columnsOf([...rows, later]) };
}

function rowOf({ columns }: CandleSeries, row: number): Required<CandleRow> {
  const read = (column: Float64Array): number => column[row] ?? Number.NaN;
  return {
    time: read(columns.openTime),
    open: read(columns.open),
    high: read(columns.high),
    low: read(columns.low),
    close: read(columns.close),
    volume: read(columns.volume),
  };
}

/** A run, and every event that its engine took; undefined if they were not kept. */
export interface PlayedRun {
  readonly record: RunRecord;
  readonly events: readonly EngineEvent[] | undefined;
}

/** The visible results of a run up to a time: fills, charges, points of the equity curves, and sent orders. */
export interface SeenRun {
  readonly fills: readonly string[];
  /** Funding. If the events of the run were kept: also interest, warnings and forced fills. */
  readonly charges: readonly string[];
  readonly equity: readonly string[];
  readonly days: readonly string[];
  readonly orders: readonly string[];
}

/** Results before `until`. With `at` also results at `until`, without orders and ends of days, which come after the updates of that instant. */
export function seenUntil(
  { record, events }: PlayedRun,
  until: EpochMs,
  { at }: { readonly at: boolean },
): SeenRun {
  const isSeen = (time: EpochMs): boolean => time < until || (at && time === until);
  const { candleEquity, dayEquity } = record;
  return {
    fills: [...record.fills]
      .filter(({ record: { eventTime } }) => isSeen(eventTime))
      .map(({ record: fill }) => textOf(fill)),
    charges: (events === undefined ? fundingOf(record) : accountUpdates(events))
      .filter(({ eventTime }) => isSeen(eventTime))
      .map(textOf)
      .toSorted(),
    // Equity is sampled in step 4.
    equity: [...(candleEquity?.time ?? [])]
      .map((time, index) => ({ time, value: candleEquity?.value[index] }))
      .filter(({ time }) => time <= until)
      .map(textOf),
    days: [...dayEquity.time]
      .map((time, index) => ({ time, value: dayEquity.equity[index] }))
      .filter(({ time }) => time < until)
      .map(textOf),
    orders: [...record.orders]
      .filter(({ state }) => state.createdTime < until)
      .map(({ request }) => textOf(request)),
  };
}

interface Charge {
  readonly eventTime: EpochMs;
}

/** Without interest: the books learn of it only together with the loan for which it is owed. */
function fundingOf({ financings }: RunRecord): readonly Charge[] {
  return (financings as readonly RecordedFinancing[])
    .filter(({ kind }) => kind === 'funding')
    .map(({ time, instrumentId, direction, amount, asset }) => {
      return { eventTime: time, instrumentId, direction, amount, asset };
    });
}

function accountUpdates(events: readonly EngineEvent[]): readonly Charge[] {
  return events.flatMap((event) =>
    event.kind === 'venue' && !isOrderUpdate(event.update) ? [event.update] : [],
  );
}

function textOf(value: object): string {
  return Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) =>
      typeof member === 'object'
        ? `${name}=(${textOf(member as object)})`
        : `${name}=${String(member)}`,
    )
    .toSorted()
    .join(' ');
}
