import { addAmounts } from './amounts.js';
import {
  binReturns,
  curveReturns,
  describeResult,
  listDrawdowns,
  monthlyReturns,
  moneyDecimals,
  moneyText,
  percentText,
  ratioText,
  rollingFigures,
  type Result,
} from '../../report/index.js';
import type { Audit } from '../../research/index.js';
import { buildPageAudit } from '../audit/audit-page.js';
import { pageCandles, type ChartSeries, type Span } from '../candles/page-candles.js';
import type {
  PageCurve,
  PageFigure,
  PageReason,
  PagePlot,
  PagePoint,
  RunPage,
} from '../page-data.js';
import { thin } from '../thin.js';
import { fillColumns, TextTable, tradeColumns } from './columns.js';

/** Content of a run page in addition to the result. */
export interface RunExtras {
  /** Candles of its instruments. @defaultValue none: the page says so */
  readonly series?: readonly ChartSeries[] | undefined;
  /** Why there are no candles. */
  readonly noCandles?: string | undefined;
  /** Why the candles may differ from those of the run. @defaultValue they are the same */
  readonly doubt?: string | undefined;
  /** Only for a run with a journal. @defaultValue none */
  readonly reasons?: readonly PageReason[] | undefined;
  /** Audit of its bot. @defaultValue none */
  readonly audit?: Audit | undefined;
}

const ROLLING_DAYS = 30;
const WORST = 5;
/** A trade held for more candles is shown only around its fills. */
const WHOLE_TRADE_ROWS = 240;

/** Makes the page of a run. The same result and candles give the same data. */
export function buildRunPage(result: Result, extras: RunExtras = {}): RunPage {
  const { run, equity, trades, benchmark } = result;
  const { series = [] } = extras;
  const words = describeResult(result);
  const instruments = [
    ...new Set([...run.instruments, ...series.map(({ instrument }) => instrument)]),
  ];
  const placeOf = (instrument: string): number => instruments.indexOf(instrument);
  const texts = new TextTable();
  return {
    kind: 'run',
    title: words.title,
    currency: equity.currency,
    decimals: moneyDecimals(equity.currency),
    from: run.from,
    to: run.to,
    instruments,
    figures: words.figures,
    notes: [
      ...words.notes.filter(({ label }) => label !== 'Hashes'),
      ...(extras.doubt === undefined
        ? []
        : [{ label: 'Candles', lines: [extras.doubt], tone: 'warn' as const }]),
    ],
    hashes: hashesOf(result),
    curve: curveOf(result),
    benchmark: benchmark === undefined ? null : benchmarkOf(result, benchmark),
    ribbon: ribbonOf(result),
    ...returnsOf(result),
    candles: series.map((one) =>
      pageCandles(one, {
        ...{ from: run.from, to: run.to, instrument: placeOf(one.instrument) },
        spans: spansToSee(result, one),
      }),
    ),
    noCandles: extras.series === undefined ? (extras.noCandles ?? '') : '',
    plots: plotsOf(result, placeOf),
    trades: trades === undefined ? null : tradeColumns(result, placeOf, texts),
    fills: fillColumns(result, placeOf, texts),
    ...happeningsOf(result, series, placeOf),
    costs: costsOf(result),
    costNote: costNoteOf(result),
    breakdowns: result.breakdowns ?? [],
    parameters: Object.entries(run.parameters).map(([label, value]) => ({
      label,
      value: String(value),
    })),
    config: result.config === undefined ? '' : JSON.stringify(result.config, null, 2),
    reasons: extras.reasons ?? [],
    audit: extras.audit && buildPageAudit(extras.audit),
    texts: texts.all,
  };
}

function hashesOf({ run, hash }: Result): RunPage['hashes'] {
  return [
    { label: 'Run', value: run.id },
    { label: 'Configuration', value: run.configHash },
    { label: 'Data', value: run.dataHash },
    { label: 'Orders', value: hash.orders },
    { label: 'Fills', value: hash.fills },
    { label: 'Engine', value: run.engine },
  ];
}

function ribbonOf({ bounds: { ribbon } }: Result): RunPage['ribbon'] {
  if (ribbon === undefined) return null;
  return { text: ribbon.text, points: thin(ribbon.points, ([, low]) => Number(low)) };
}

function returnsOf({ equityCurve }: Result): Pick<RunPage, 'months' | 'bins' | 'rolling'> {
  const returns = curveReturns(equityCurve);
  return {
    months: monthlyReturns(equityCurve),
    bins: binReturns(returns.map(({ value }) => value)),
    rolling: { days: ROLLING_DAYS, points: rollingFigures(returns, ROLLING_DAYS) },
  };
}

/** What happened to the run, beside its orders and trades. */
function happeningsOf(
  result: Result,
  series: readonly ChartSeries[],
  placeOf: (instrument: string) => number,
): Pick<RunPage, 'refusals' | 'halts' | 'breaks' | 'undecided' | 'flows'> {
  return {
    refusals: result.refusals.map(({ time, last, count, instrument, check, text }) => ({
      ...{ time, last, count, check, text, instrument: placeOf(instrument) },
    })),
    halts: result.halts.map(({ time, until, reason, text }) => ({
      time,
      until,
      text: `${reason}: ${text}`,
    })),
    breaks: (result.breaks ?? []).map(({ instrument, time }) => ({
      instrument: placeOf(instrument),
      time,
      until: nextOpen(
        series.find((one) => one.instrument === instrument),
        time,
      ),
    })),
    undecided: (result.undecided ?? []).map(({ instrument, spans }) => ({
      instrument: placeOf(instrument),
      spans,
    })),
    flows: (result.flows ?? []).map(({ time, kind, instrument, amount }) => ({
      ...{ time, kind, amount, instrument: instrument === null ? -1 : placeOf(instrument) },
    })),
  };
}

function nextOpen(series: ChartSeries | undefined, time: number): number | null {
  if (series === undefined) return null;
  const { rows } = series;
  const next = rows.openTime(rows.rowBefore(time) + 1);
  return Number.isFinite(next) ? next : null;
}

function curveOf({ equityCurve }: Result): PageCurve {
  return {
    points: thin(equityCurve, ([, equity]) => Number(equity)),
    of: equityCurve.length,
    drawdowns: listDrawdowns(equityCurve, WORST),
  };
}

/** Curve of the initial equity held in the instrument. It is rounded and only for drawing: no figure is computed from it. */
function benchmarkOf(
  { equity }: Result,
  benchmark: NonNullable<Result['benchmark']>,
): RunPage['benchmark'] {
  const { instrument, curve, totalReturn, excessReturn, beta, correlation } = benchmark;
  const initial = Number(equity.initial);
  const first = Number(curve[0]?.[1] ?? 1);
  const points: PagePoint[] = curve.map(([time, price]) => [
    time,
    rounded((initial * Number(price)) / first),
  ]);
  return {
    name: instrument,
    figures: [
      { label: `Holding ${instrument}`, value: percentText(totalReturn) },
      { label: 'Excess return', value: percentText(excessReturn) },
      { label: 'Beta', value: ratioText(beta) },
      { label: 'Correlation', value: ratioText(correlation) },
    ],
    points: thin(points, ([, value]) => Number(value)),
  };
}

/** Writes an amount with two decimals, or with eight below 1,000, such as some bitcoins: two would draw them in steps. */
function rounded(amount: number): string {
  return amount.toFixed(amount < 1_000 ? 8 : 2);
}

function costsOf({ statistics, equity, trades }: Result): readonly PageFigure[] {
  const money = (label: string, amount: string): PageFigure => ({
    ...{ label, value: moneyText(amount, equity.currency) },
  });
  const known = (trades ?? []).flatMap(({ shortfall }) => shortfall ?? []);
  return [
    money('Fees', statistics.fees),
    money('Funding', statistics.funding),
    money('Interest', statistics.interest),
    money('Paid by the venue', statistics.insurance),
    ...(known.length === 0
      ? []
      : [money('Shortfall of the trades (in their profits)', addAmounts(known))]),
  ];
}

function costNoteOf({ statistics: { fees, funding, interest } }: Result): string {
  return [fees, funding, interest].some((amount) => amount.startsWith('-'))
    ? 'After fees, funding and interest. Negative costs were received.'
    : '';
}

function plotsOf({ plots }: Result, placeOf: (instrument: string) => number): readonly PagePlot[] {
  return (plots ?? []).map(({ name, instrument, points }) => {
    const kept = thin(points, ([, value]) => value);
    return {
      ...{ name, instrument: placeOf(instrument) },
      time: kept.map(([time]) => time),
      value: kept.map(([, value]) => value),
    };
  });
}

/**
 * Spans of the trades first, the largest profits and losses before the others. A short trade is one span; a long trade has a span at each fill. Undecided
 * candles follow.
 */
function spansToSee(
  { trades = [], undecided = [], fills }: Result,
  series: ChartSeries,
): readonly Span[] {
  const longest = WHOLE_TRADE_ROWS * series.stepMs;
  const own = trades
    .filter(({ instrument }) => instrument === series.instrument)
    .map((trade) => ({ trade, size: Math.abs(Number(trade.profit)) }))
    .sort((a, b) => b.size - a.size);
  const ofTrades = own.flatMap(({ trade }): Span[] => {
    const [from, to] = [trade.entry.time, trade.entry.time + trade.duration];
    if (to - from <= longest) return [[from, to]];
    return [...trade.entry.fills, ...(trade.exit?.fills ?? [])].flatMap((place): Span[] => {
      const time = fills[place]?.time;
      return time === undefined ? [] : [[time, time]];
    });
  });
  const hidden = undecided.find(({ instrument }) => instrument === series.instrument)?.spans ?? [];
  return [...ofTrades, ...hidden.map(([from, to]): Span => [from, Math.min(to, from + longest)])];
}
