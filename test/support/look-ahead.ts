import {
  closeTimeOf,
  nominalIntervalMs,
  type CandleColumns,
  type CandleSeries,
  type EpochMs,
  type FundingColumns,
  type InstrumentId,
} from '../../src/domain/index.js';
import type { RunRecord } from '../../src/report/index.js';
import type { Command, EngineEvent, Journal } from '../../src/engine/index.js';
import { createRandom } from '../../src/engine/random.js';
import { firstRows } from './memory-archive.js';

/** All that a run reads of the market. */
export interface MarketHistory {
  /** What is delivered. */
  readonly candles: readonly CandleSeries[];
  readonly marks: readonly CandleSeries[];
  /** Finer candles that a path may walk. */
  readonly finer: readonly CandleSeries[];
  readonly funding: ReadonlyMap<InstrumentId, FundingColumns>;
}

/** A market of candles alone, as on spot. */
export function candlesOnly(candles: readonly CandleSeries[]): MarketHistory {
  return { candles, marks: [], finer: [], funding: new Map() };
}

/** Runs a strategy on some market and keeps its journal. */
export type Play = (market: MarketHistory, journal: Journal) => Promise<RunRecord>;

/** One thing that happened, as text that holds everything about it. */
interface Happening {
  readonly time: EpochMs;
  readonly text: string;
}

/** What a run did, in the order in which it did it. */
export interface History {
  readonly orders: readonly Happening[];
  readonly fills: readonly Happening[];
  /** Events of the engine with the commands they led to, but for candles that led to nothing. */
  readonly decisions: readonly Happening[];
  /** How many decisions had been made after the slice of each instant. */
  readonly decisionsAfterSlice: ReadonlyMap<EpochMs, number>;
}

/** What {@link pastOf} compares, one line each. */
export interface Past {
  readonly orders: readonly string[];
  readonly fills: readonly string[];
  readonly decisions: readonly string[];
}

/**
 * What of a history must not depend on candles that close after `end`, the close of the last candle known:
 *
 * - every order created before `end`, and every fill before it;
 * - every decision (an event of the engine and the commands it led to) before `end`, and those at `end` itself up to the slice of the
 *   candles that close then. They include the orders a strategy wants at that close. What follows at the same instant comes after the
 *   next candle has opened (DESIGN R1, steps 5 and 6): fills at its open, their answers, and orders that answer those. They know the
 *   next open, as they would in live trading, so a run without the next candle cannot have them.
 */
export function pastOf(history: History, end: EpochMs): Past {
  const before = (happenings: readonly Happening[]): readonly string[] =>
    happenings.filter(({ time }) => time < end).map(({ text }) => text);
  const slice = history.decisionsAfterSlice.get(end);
  return {
    orders: before(history.orders),
    // Fills of one instant stand in the order in which the engine learned of them; a poll after `end` may tell it in another.
    fills: before(history.fills).toSorted(),
    decisions:
      slice === undefined
        ? before(history.decisions)
        : history.decisions.slice(0, slice).map(({ text }) => text),
  };
}

export async function historyOf(play: Play, market: MarketHistory): Promise<History> {
  const decisions: Happening[] = [];
  const decisionsAfterSlice = new Map<EpochMs, number>();
  const record = await play(market, {
    append: (event, commands) => {
      const isSlice = event.kind === 'candles';
      if (!isSlice || commands.length > 0) decisions.push(decisionOf(event, commands));
      if (isSlice) decisionsAfterSlice.set(event.time, decisions.length);
    },
  });
  return {
    orders: [...record.orders].map(({ request, state }) => ({
      time: state.createdTime,
      text: `${String(state.createdTime)} ${textOf(request)}`,
    })),
    fills: [...record.fills].map(({ record: fill }) => ({
      time: fill.eventTime,
      text: textOf(fill),
    })),
    decisions,
    decisionsAfterSlice,
  };
}

function decisionOf(event: EngineEvent, commands: readonly Command[]): Happening {
  const { time } = event;
  // Of candles only what they led to says something: the given ones are equal.
  const cause = event.kind === 'candles' ? event.kind : textOf(event);
  return { time, text: `${String(time)} ${cause} -> ${textOf(commands)}` };
}

/** JSON in which exact amounts are their integers. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'bigint' ? String(member) : member,
  );
}

/**
 * When the last candle closes that is known at `cut`, mark candles included; a candle still open then is not known. Undefined where a
 * series has none.
 */
export function endOfPast(
  { candles, marks, funding }: MarketHistory,
  cut: EpochMs,
): EpochMs | undefined {
  const series = [...candles, ...marks];
  const finest = new Map<string, CandleSeries>();
  for (const candidate of series) {
    const key = `${marks.includes(candidate) ? 'mark ' : ''}${candidate.instrumentId}`;
    const known = finest.get(key);
    const isFiner =
      known === undefined ||
      nominalIntervalMs(candidate.interval) < nominalIntervalMs(known.interval);
    if (isFiner) finest.set(key, candidate);
  }
  if (series.some((each) => countClosed(each, cut) === 0)) return undefined;
  // An instrument whose path ends earlier ends the past of all: what it would have filled next nobody knows.
  const end = Math.min(
    ...[...finest.values()].map((each) => closeTimeAt(each, countClosed(each, cut) - 1)),
  );
  // Funding is settled at the mark that opens then (DESIGN R11): the past knows it only until just before.
  const isSettled = [...funding.values()].some(({ time }) => time.includes(end));
  return isSettled ? end - 1 : end;
}

/** Every series without the candles that have not closed by `cut`, and funding without what was not settled by then. */
export function truncate(market: MarketHistory, cut: EpochMs): MarketHistory {
  const cutSeries = (each: CandleSeries): CandleSeries => ({
    ...each,
    columns: firstRows(each.columns, countClosed(each, cut)),
  });
  return {
    candles: market.candles.map(cutSeries),
    marks: market.marks.map(cutSeries),
    finer: market.finer.map(cutSeries),
    funding: mapFunding(market, ({ time, rate }) => {
      const settled = time.filter((each) => each <= cut).length;
      return { time: time.slice(0, settled), rate: rate.slice(0, settled) };
    }),
  };
}

/** Every series with other candles in place of those that have not closed by `cut`, and other rates after it. */
export function withNoiseAfter(market: MarketHistory, cut: EpochMs, seed: number): MarketHistory {
  const random = createRandom(seed);
  const spoil = (each: CandleSeries): CandleSeries => {
    const columns = firstRows(each.columns, each.columns.openTime.length);
    for (let row = countClosed(each, cut); row < columns.openTime.length; row += 1)
      writeNoise(columns, row, random);
    return { ...each, columns };
  };
  return {
    candles: market.candles.map(spoil),
    marks: market.marks.map(spoil),
    finer: market.finer.map(spoil),
    funding: mapFunding(market, ({ time, rate }) => ({
      time,
      rate: rate.map((each, row) => ((time[row] ?? 0) <= cut ? each : random() / 100)),
    })),
  };
}

function mapFunding(
  { funding }: MarketHistory,
  change: (columns: FundingColumns) => FundingColumns,
): ReadonlyMap<InstrumentId, FundingColumns> {
  return new Map([...funding].map(([id, columns]) => [id, change(columns)]));
}

/** A candle between half of the old close and twice of it, on a grid of 0.01. */
function writeNoise(columns: CandleColumns, row: number, random: () => number): void {
  const base = columns.close[row] as number;
  const price = (): number => Math.round(base * (0.5 + 1.5 * random()) * 100) / 100;
  const prices = [price(), price(), price(), price()] as const;
  columns.open[row] = prices[0];
  columns.close[row] = prices[1];
  columns.high[row] = Math.max(...prices);
  columns.low[row] = Math.min(...prices);
  columns.volume[row] = (columns.volume[row] as number) * 3 * random();
}

function countClosed(series: CandleSeries, cut: EpochMs): number {
  const { length } = series.columns.openTime;
  let count = 0;
  for (let step = 2 ** Math.floor(Math.log2(Math.max(1, length))); step >= 1; step /= 2) {
    if (count + step <= length && closeTimeAt(series, count + step - 1) <= cut) count += step;
  }
  return count;
}

function closeTimeAt({ columns, interval }: CandleSeries, row: number): EpochMs {
  return closeTimeOf(columns.openTime[row] as number, interval);
}
