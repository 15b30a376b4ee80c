import {
  formatFixed,
  present,
  type Halt,
  type InstrumentId,
  type RecordedRefusal,
} from '../../domain/index.js';
import { CallCount, listCallWarnings, type CallNeed } from '../summary/call-needs.js';
import { dailyEquity, type DailyEquity } from '../figures/daily-returns.js';
import type { FollowedFills } from '../figures/follow-fills.js';
import { hashLists } from './list-hash.js';
import { readFills, type ListingInputs } from './read-fills.js';
import { readTotals } from './read-totals.js';
import type { ResultFigures, TradeEntries } from './result-figures.js';
import type { CurveKind, Result, ResultOrder } from './result-schema.js';
import { RESULT_VERSION } from './result-version.js';
import type { CandleSpans, RunOrder, RunRecord } from '../run-record.js';
import { computeStatistics, type Statistics } from '../figures/statistics.js';
import { workedEntries } from '../summary/worked.js';
import { compareWithHolding, HeldDays } from '../trades/benchmark.js';
import { flowEntries } from '../trades/flows.js';
import type { RunPrices } from '../trades/held-prices.js';
import type { ListedTrades } from '../trades/list-trades.js';

interface ResultOptions {
  /** `candle` needs a run that kept its closes. @defaultValue 'daily' */
  readonly curve?: CurveKind;
  /** Candles of the run, to list its trades. @defaultValue no trades are listed, as in a sweep */
  readonly prices?: RunPrices | undefined;
  /** Lines that the strategy plotted. @defaultValue nothing */
  readonly plots?: Result['plots'] | undefined;
  /** Instrument to hold as the benchmark. @defaultValue its first instrument */
  readonly benchmark?: InstrumentId | undefined;
}

/**
 * Builds the result of a run (DESIGN §9). The same record gives the same result, key by key.
 *
 * `bounds` holds no range yet: {@link withBounds} adds it if several paths were run.
 * @throws {InvariantError} when the record contradicts itself: the errors of {@link computeStatistics}.
 */
export function buildResult(record: RunRecord, options: ResultOptions = {}): Result {
  const callCount = new CallCount(record);
  const orders = orderEntries(record, callCount);
  const calls = callCount.needs();
  const listing = listingInputs(record, options);
  const { fills, followed, listed } = readFills(record, orders, listing);
  const { daily, head, refusals, worked, tail } = figureParts(record, options, { calls, followed });
  const lists = { orders, fills, refusals };
  return {
    version: RESULT_VERSION,
    ...head,
    ...lists,
    ...worked,
    ...(options.plots && { plots: options.plots }),
    ...(listed && tradeEntries(record, listed, { days: listing?.days, daily })),
    ...tail,
    hash: hashLists(lists),
  };
}

/**
 * Builds the figures of a run for a summary: its result without the entries of orders, fills and trades. With many orders it takes a third of the time of
 * {@link buildResult} and keeps none of them.
 *
 * @throws {InvariantError} as {@link buildResult}.
 */
export function buildFigures(
  record: RunRecord,
  options: Pick<ResultOptions, 'curve'> = {},
): ResultFigures {
  const { hash, counts, ...read } = readTotals(record);
  const { head, refusals, worked, tail } = figureParts(record, options, read);
  return { version: RESULT_VERSION, ...head, refusals, ...worked, ...tail, hash, counts };
}

/** What was read of orders and fills. */
interface ReadOrders {
  readonly calls: readonly CallNeed[];
  readonly followed: FollowedFills;
}

/** The parts of a result other than orders, fills and trades: the keys before these lists, after them and between them. */
function figureParts(
  record: RunRecord,
  { curve = 'daily' }: Pick<ResultOptions, 'curve'>,
  { calls, followed }: ReadOrders,
) {
  const { run, gaps } = record;
  const daily = dailyEquity(record);
  const worked = workedEntries(record);
  const statistics = computeStatistics(record, followed, daily);
  const head = {
    run: {
      id: run.id,
      strategy: run.strategy,
      parameters: inAlphabeticalOrder(run.parameters),
      instruments: record.instruments.map(({ id }) => id),
      from: run.from,
      to: run.to,
      candles: run.candles,
      configHash: run.configHash,
      dataHash: run.dataHash,
      engine: run.engine,
    },
    equity: {
      initial: formatFixed(record.initialEquity),
      final: formatFixed(record.finalEquity),
      currency: record.equityCurrency,
    },
    statistics: formatStatistics(statistics),
    bounds: {
      low: {},
      high: {},
      undecidedCandles: record.undecidedCandles,
      undecidedMoney: formatFixed(record.undecidedMoney),
      undecidedShare: statistics.undecidedShare,
      exact: !record.isPathAsked,
    },
    accounting: { residual: formatFixed(record.residual) },
    otherFees: statistics.otherFees.map((fee) => otherFeeEntry(fee, record)),
    gaps: {
      count: gaps.count,
      missing: gaps.missing,
      moneyHeld: formatFixed(statistics.moneyHeldInGaps),
    },
    calls,
    warnings: [...record.warnings, ...listCallWarnings(calls)],
    intents: record.intents,
  };
  const tail = {
    protections: record.protections.map(({ name, limit }) => ({ check: name, limit })),
    halts: record.halts.map(haltEntry),
    curve,
    equityCurve: curve === 'daily' ? dailyPoints(daily) : candlePoints(record),
  };
  const refusals = record.refusals.map(refusalEntry);
  return { daily, head, refusals, worked: worked.length > 0 ? { worked } : {}, tail };
}

/** Undefined if no trades are to be listed. */
function listingInputs(
  record: RunRecord,
  { prices, benchmark }: ResultOptions,
): ListingInputs | undefined {
  if (prices === undefined) return undefined;
  const compared = benchmark ?? record.instruments[0]?.id;
  return { prices, days: compared && new HeldDays(record, compared, prices) };
}

function tradeEntries(
  record: RunRecord,
  listed: ListedTrades,
  { days, daily }: { readonly days: HeldDays | undefined; readonly daily: DailyEquity },
): TradeEntries {
  const comparison = days && compareWithHolding(record, daily.returns, days);
  return {
    ...listed,
    ...(comparison && { benchmark: comparison }),
    flows: flowEntries(record),
    undecided: [...record.undecidedSpans].map(([instrument, candles]) => ({
      instrument,
      spans: joinNeighbors(candles),
    })),
    breaks: record.gaps.starts.map(({ instrumentId, time }) => ({
      instrument: instrumentId,
      time,
    })),
    ...(record.run.config && { config: record.run.config }),
  };
}

/** Joins candles that follow one another into one span. */
function joinNeighbors({ opens, closes }: CandleSpans): (readonly [number, number])[] {
  const spans: [number, number][] = [];
  for (const [index, open] of opens.entries()) {
    const close = closes[index] ?? open;
    const last = spans.at(-1);
    if (last?.[1] === open) last[1] = close;
    else spans.push([open, close]);
  }
  return spans;
}

/** Sorts keys in code-unit order, so that the order of keys in a configuration file changes no byte. */
function inAlphabeticalOrder<T>(entries: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Formats statistics as in a result file: money as decimal text. */
export function formatStatistics(statistics: Statistics): Result['statistics'] {
  return {
    totalReturn: statistics.totalReturn,
    cagr: statistics.cagr,
    volatility: statistics.volatility,
    sharpe: statistics.sharpe,
    sortino: statistics.sortino,
    calmar: statistics.calmar,
    maxDrawdown: statistics.maxDrawdown,
    maxDrawdownDuration: statistics.maxDrawdownDuration,
    trades: statistics.trades,
    winRate: statistics.winRate,
    profitFactor: statistics.profitFactor,
    expectancy: statistics.expectancy === null ? null : formatFixed(statistics.expectancy),
    exposure: statistics.exposure,
    turnover: statistics.turnover,
    fees: formatFixed(statistics.fees),
    funding: formatFixed(statistics.funding),
    interest: formatFixed(statistics.interest),
    insurance: formatFixed(statistics.insurance),
  };
}

/** Each order is made anew when it is read, so calls are counted in the same pass. */
function orderEntries({ orders, closingOrders }: RunRecord, calls: CallCount): ResultOrder[] {
  const closing = orders.length - closingOrders;
  return Array.from(orders, (order, index) => {
    if (index >= closing) return orderEntry(order, 'end');
    calls.take(order);
    return orderEntry(order, order.cause);
  });
}

/** Reads the members one by one: a copy of a working order would lack the members that are computed on reading. */
function orderEntry({ request, state, label }: RunOrder, cause: ResultOrder['cause']): ResultOrder {
  return {
    id: request.clientOrderId,
    intent: request.intentId,
    label: label ?? null,
    cause,
    time: state.createdTime,
    instrument: request.instrumentId,
    action: request.action,
    side: request.side,
    type: request.type,
    price: request.type === 'limit' ? formatFixed(request.limitPrice) : null,
    quantity: formatFixed(request.quantity),
    unit: request.unit,
    filled: formatFixed(state.filledQuantity),
    status: state.status,
    reason: state.reason?.code ?? null,
    reasonText: state.reason?.text ?? null,
  };
}

function refusalEntry({
  time,
  lastTime,
  count,
  instrumentId,
  refusal,
}: RecordedRefusal): Result['refusals'][number] {
  return {
    time,
    last: lastTime,
    count,
    instrument: instrumentId,
    check: refusal.check,
    limit: refusal.limit,
    actual: refusal.actual,
    unit: refusal.unit,
    text: refusal.text,
  };
}

function haltEntry({ since, reason, until, action, text }: Halt): Result['halts'][number] {
  return { time: since, reason, until: until ?? null, action, text };
}

function otherFeeEntry(
  { asset, amount, value }: Statistics['otherFees'][number],
  { instruments, equityCurrency }: RunRecord,
): Result['otherFees'][number] {
  const valuedBy =
    instruments.find(({ base, quote }) => base === asset && quote === equityCurrency) ??
    instruments.find(({ base, quote }) => base === equityCurrency && quote === asset);
  return {
    asset,
    amount: formatFixed(amount),
    value: value === undefined ? null : formatFixed(value),
    valuedBy: (value === undefined ? undefined : valuedBy?.id) ?? null,
  };
}

function dailyPoints({ curve }: DailyEquity): Result['equityCurve'] {
  return curve.map(({ time, equity }) => [time, formatFixed(equity)] as const);
}

/** Ends with the run, as the daily curve does: the last point includes amounts booked after the last close. */
function candlePoints({
  run,
  initialEquity,
  finalEquity,
  candleEquity,
}: RunRecord): Result['equityCurve'] {
  const { time, value } = present(candleEquity, 'closes that were kept');
  const points: (readonly [number, string])[] = [[run.from, formatFixed(initialEquity)]];
  for (const [index, equity] of value.entries()) {
    const at = time[index] ?? Number.NaN;
    if (at < run.to) points.push([at, formatFixed(equity)]);
  }
  if (run.to > run.from) points.push([run.to, formatFixed(finalEquity)]);
  return points;
}
