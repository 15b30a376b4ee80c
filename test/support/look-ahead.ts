import type {
  CandleSeries,
  EpochMs,
  FundingColumns,
  InstrumentId,
} from '../../src/domain/index.js';
import type { RunRecord } from '../../src/report/index.js';
import type { Command, EngineEvent, Journal } from '../../src/engine/index.js';
import {
  changeMarket,
  endOfPast as endOfChangeable,
  type MarketChange,
} from '../../src/research/audit/market-change.js';

/** All market data that a run reads. */
export interface MarketHistory {
  /** Candles that the strategy receives. */
  readonly candles: readonly CandleSeries[];
  readonly marks: readonly CandleSeries[];
  /** Finer candles that the simulated path may follow. */
  readonly finer: readonly CandleSeries[];
  readonly funding: ReadonlyMap<InstrumentId, FundingColumns>;
}

/** A market of candles alone, as on spot. */
export function candlesOnly(candles: readonly CandleSeries[]): MarketHistory {
  return { candles, marks: [], finer: [], funding: new Map() };
}

/** Runs a strategy on some market and keeps its journal. */
export type Play = (market: MarketHistory, journal: Journal) => Promise<RunRecord>;

/** One order, fill or decision, as text with all its details. */
interface Happening {
  readonly time: EpochMs;
  readonly text: string;
}

/** Orders, fills and decisions of a run, in order. */
export interface History {
  readonly orders: readonly Happening[];
  readonly fills: readonly Happening[];
  /** Events of the engine with the resulting commands, without candles that led to no command. */
  readonly decisions: readonly Happening[];
  /** Number of decisions made up to the slice of each instant, the slice included. */
  readonly decisionsAfterSlice: ReadonlyMap<EpochMs, number>;
}

/** The parts that {@link pastOf} compares, one line each. */
export interface Past {
  readonly orders: readonly string[];
  readonly fills: readonly string[];
  readonly decisions: readonly string[];
}

/**
 * The part of a history that must not depend on candles that close after `end`. `end` is the close of the last known candle.
 *
 * - every order created before `end`, and every fill before it;
 * - every decision (an event of the engine and its commands) before `end`, and those at `end` itself up to the slice of the
 *   candles that close then. They include the orders of a strategy at that close. Later decisions of the same instant come after the
 *   next candle has opened (DESIGN R1, steps 5 and 6): fills at its open, their answers, and orders in reply to these. They know the
 *   next open, as in live trading, so a run without the next candle cannot have them.
 */
export function pastOf(history: History, end: EpochMs): Past {
  const before = (happenings: readonly Happening[]): readonly string[] =>
    happenings.filter(({ time }) => time < end).map(({ text }) => text);
  const slice = history.decisionsAfterSlice.get(end);
  return {
    orders: before(history.orders),
    // Fills of one instant are in the order in which the engine received them. A poll after `end` may report them in another order.
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
  // For candles only the commands matter: the candles themselves are equal in both runs.
  const cause = event.kind === 'candles' ? event.kind : textOf(event);
  return { time, text: `${String(time)} ${cause} -> ${textOf(commands)}` };
}

/** JSON in which exact amounts are their integers. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'bigint' ? String(member) : member,
  );
}

/** Close of the last candle known at `cut`, by the rule of the audit. */
export function endOfPast(market: MarketHistory, cut: EpochMs): EpochMs | undefined {
  const { candles } = market;
  const instruments = candles.map(({ instrumentId, interval }) => ({
    instrumentId,
    intervals: [interval],
  }));
  return endOfChangeable({ instruments }, changeable(market), cut);
}

/** The market without candles that have not closed by `cut`, and without funding that was not settled by then. */
export function truncate(market: MarketHistory, cut: EpochMs): MarketHistory {
  return change(market, { kind: 'cut', at: cut, seed: 0 });
}

/** The market with other candles in place of those that have not closed by `cut`, and other funding rates after it. */
export function withNoiseAfter(market: MarketHistory, cut: EpochMs, seed: number): MarketHistory {
  return change(market, { kind: 'noise', at: cut, seed });
}

/** Changes the future with the functions of the audit. */
function change(market: MarketHistory, how: MarketChange): MarketHistory {
  const { series, marks, funding } = changeMarket(changeable(market), how);
  const flat = ({ info, columns }: Named): CandleSeries => ({ ...info, columns });
  return {
    candles: series.filter(({ isFiner }) => !isFiner).map(flat),
    finer: series.filter(({ isFiner }) => isFiner).map(flat),
    marks: marks.map(flat),
    funding,
  };
}

type Named = ReturnType<typeof changeable>['marks'][number];

function changeable({ candles, finer, marks, funding }: MarketHistory) {
  const named = ({ instrumentId, interval, columns }: CandleSeries, isFiner = false) => ({
    info: { instrumentId, interval },
    columns,
    isFiner,
  });
  return {
    series: [...candles.map((each) => named(each)), ...finer.map((each) => named(each, true))],
    marks: marks.map((each) => named(each)),
    funding,
  };
}
