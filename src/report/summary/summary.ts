import { createColors } from 'picocolors';

import { nounOf } from '../../domain/index.js';
import { describeCallNeed } from './call-needs.js';
import { countRefusals } from './count-refusals.js';
import {
  shortAmount,
  countText,
  durationText,
  instantText,
  moneyDecimals,
  moneyText,
  percentText,
  ratioText,
  shortHash,
} from './figure-text.js';
import { explainNoFills } from './no-fill-cause.js';
import type { Figure } from '../figures/figure.js';
import { figuresOf, type ResultFigures } from '../result/result-figures.js';
import type { Result } from '../result/result-schema.js';
import { layGrid, layNote, wrap, type Cell, type Note } from './summary-layout.js';
import { tally } from './tally.js';
import { workedLines } from './worked.js';

interface SummaryOptions {
  /** Whether to write ANSI colors. */
  readonly color: boolean;
  /** Columns of the terminal. From 66 on the figures stand in two columns. */
  readonly width: number;
}

/**
 * Renders a result for a terminal: figures and costs, then orders, refusals and their reasons, the range over candle paths, gaps, warnings, the accounting
 * residual and shortened hashes. Ends without a line feed; the same result gives the same text.
 */
export function renderSummary(
  result: Result | ResultFigures,
  { color, width }: SummaryOptions,
): string {
  const paint = createColors(color);
  const words = describeResult(result);
  const [title, ...details] = words.title.flatMap((line) => wrap(line, width));
  return [
    paint.bold(title ?? ''),
    ...details,
    '',
    ...layGrid(words.figures, width, paint),
    '',
    ...words.notes.flatMap((note) => layNote(note, width, paint)),
  ].join('\n');
}

/** Texts of a summary, for places other than a terminal. */
interface ResultWords {
  /** The first line names the strategy and its instruments. */
  readonly title: readonly string[];
  readonly figures: readonly Cell[];
  readonly notes: readonly Note[];
}

/** Describes a result in the words of {@link renderSummary}. */
export function describeResult(result: Result | ResultFigures): ResultWords {
  const figures = figuresOf(result);
  return {
    title: titleLines(figures),
    figures: figureCells(figures),
    notes: summaryNotes(figures).filter(({ lines }) => lines.length > 0),
  };
}

function titleLines({ run }: ResultFigures): readonly string[] {
  const parameters = Object.entries(run.parameters).map(
    ([name, value]) => `${name} ${String(value)}`,
  );
  return [
    `${run.strategy} on ${run.instruments.join(', ')}`,
    `${instantText(run.from)} to ${instantText(run.to)}, ${countText(run.candles)} ${nounOf(run.candles, 'candle')}`,
    ...(parameters.length === 0 ? [] : [parameters.join(', ')]),
  ];
}

function figureCells({ equity, statistics }: ResultFigures): readonly Cell[] {
  const { currency } = equity;
  const growth = statistics.totalReturn ?? 0;
  const tone = growth === 0 ? 'plain' : growth > 0 ? 'good' : 'bad';
  return [
    { label: 'Initial equity', value: moneyText(equity.initial, currency) },
    { label: 'Final equity', value: moneyText(equity.final, currency), tone },
    { label: 'Total return', value: percentText(statistics.totalReturn), tone },
    { label: 'CAGR', value: percentText(statistics.cagr) },
    { label: 'Max drawdown', value: percentText(statistics.maxDrawdown) },
    { label: 'Longest drawdown', value: durationText(statistics.maxDrawdownDuration) },
    { label: 'Volatility', value: percentText(statistics.volatility) },
    { label: 'Sharpe', value: ratioText(statistics.sharpe) },
    { label: 'Sortino', value: ratioText(statistics.sortino) },
    { label: 'Calmar', value: ratioText(statistics.calmar) },
    { label: 'Trades', value: countText(statistics.trades) },
    { label: 'Win rate', value: percentText(statistics.winRate) },
    { label: 'Profit factor', value: ratioText(statistics.profitFactor) },
    { label: 'Expectancy', value: moneyText(statistics.expectancy, currency) },
    { label: 'Exposure', value: percentText(statistics.exposure) },
    { label: 'Turnover', value: ratioText(statistics.turnover) },
    { label: 'Fees', value: moneyText(statistics.fees, currency) },
    { label: 'Funding', value: moneyText(statistics.funding, currency) },
    { label: 'Interest', value: moneyText(statistics.interest, currency) },
  ];
}

function summaryNotes(result: ResultFigures): readonly Note[] {
  const { run, accounting, equity, hash, warnings, gaps } = result;
  const cause = explainNoFills(result);
  const isBalanced = accounting.residual === '0';
  return [
    { label: 'Orders', lines: [orderLine(result)] },
    { label: 'Worked', lines: workedLines(result) },
    { label: 'Forced', lines: forcedLines(result), tone: 'bad' },
    { label: 'No trades', lines: cause === undefined ? [] : [cause], tone: 'warn' },
    { label: 'Protected', lines: protectionLines(result) },
    { label: 'Refused', lines: refusalLines(result) },
    { label: 'Halted', lines: haltLines(result), tone: 'warn' },
    { label: 'Range', lines: rangeLines(result) },
    { label: 'Costs', lines: receivedLines(result) },
    { label: 'Fees', lines: otherFeeLines(result), tone: 'warn' },
    {
      label: 'Gaps',
      lines:
        gaps.count === 0
          ? []
          : [
              `${countText(gaps.count)}, ${countText(gaps.missing)} ${nounOf(gaps.missing, 'candle')} missing, ${moneyText(gaps.moneyHeld, equity.currency)} held across them`,
            ],
    },
    { label: 'Calls', lines: callLines(result) },
    { label: 'Warnings', lines: warnings, tone: 'warn' },
    {
      label: 'Residual',
      lines: [`${accounting.residual} ${equity.currency}`],
      tone: isBalanced ? 'plain' : 'bad',
    },
    {
      label: 'Hashes',
      lines: [
        `run ${shortHash(run.id)}, orders ${shortHash(hash.orders)}, fills ${shortHash(hash.fills)}`,
      ],
    },
  ];
}

function orderLine({ counts, intents, refusals }: ResultFigures): string {
  const statuses = tally(
    counts.orders,
    ({ status }) => status,
    ({ count }) => count,
  );
  const orders = statuses.reduce((sum, { count }) => sum + count, 0);
  const parts = statuses.map(({ key, count }) => `${countText(count)} ${key}`);
  const detail = parts.length === 0 ? '' : ` (${parts.join(', ')})`;
  const counted = (count: number, noun: string): string =>
    `${countText(count)} ${nounOf(count, noun)}`;
  const refused = countRefusals(refusals);
  // Stops, take-profits and exits that wait are tried again and again, and risk may refuse each try.
  const tries = refused > intents ? ' (each try counts)' : '';
  return `${counted(intents, 'intent')}, ${counted(refused, 'refusal')}${tries}, ${counted(orders, 'order')}${detail}, ${counted(counts.fills, 'fill')}`;
}

/** Trades that the venue forced, and losses that it paid. */
function forcedLines({ counts, statistics, equity }: ResultFigures): readonly string[] {
  const lines = tally(counts.forced, ({ cause }) => cause).map(
    ({ key, count, first }) =>
      `${countText(count)} × ${key}; first at ${instantText(first.time)} on ${first.instrument}`,
  );
  return statistics.insurance === '0'
    ? lines
    : [...lines, `${moneyText(statistics.insurance, equity.currency)} paid by the venue`];
}

/** The limit with the largest share used in its busiest minute. */
function callLines({ calls }: ResultFigures): readonly string[] {
  const [tightest] = calls.toSorted((a, b) => b.peak / b.allowed - a.peak / a.allowed);
  return tightest === undefined ? [] : [`live ${describeCallNeed(tightest)}`];
}

/** Fees, funding and interest are costs. Of a negative figure nobody could see whether it was paid or received. */
function receivedLines({ statistics }: ResultFigures): readonly string[] {
  const names = (['fees', 'funding', 'interest'] as const).filter((name) =>
    statistics[name].startsWith('-'),
  );
  return names.length === 0 ? [] : [`received, not paid: ${names.join(', ')}`];
}

function otherFeeLines({ otherFees, equity }: ResultFigures): readonly string[] {
  return otherFees.map(({ asset, amount, value, valuedBy }) =>
    value === null
      ? `${amount} ${asset} are in no figure: no instrument of the run values ${asset} in ${equity.currency}`
      : `${amount} ${asset}, ${moneyText(value, equity.currency)} of all fees, at the last closes of ${valuedBy ?? equity.currency}`,
  );
}

function refusalLines({ refusals }: ResultFigures): readonly string[] {
  return tally(
    refusals,
    ({ check }) => check,
    ({ count }) => count,
  ).map(
    ({ key, count, first }) =>
      `${countText(count)} × ${key}; first at ${instantText(first.time)} on ${first.instrument}: ${first.text}`,
  );
}

function protectionLines({ protections }: ResultFigures): readonly string[] {
  const limits = protections.map(({ check, limit }) => `${check} ${limit}`);
  return limits.length === 0 ? [] : [limits.join('; ')];
}

function haltLines({ halts }: ResultFigures): readonly string[] {
  return tally(halts, ({ reason }) => reason).map(({ key, count, first }) => {
    const end = first.until === null ? 'resumed' : instantText(first.until);
    return `${countText(count)} × ${key}; first at ${instantText(first.time)} until ${end} (${first.action}): ${first.text}`;
  });
}

/** Names the paths that were tried. */
function coverageText({ exact, search }: Result['bounds']): string {
  if (search === undefined) return 'over all paths';
  const runs = `in ${countText(search.runs)} ${nounOf(search.runs, 'run')}`;
  if (exact) return `over all paths, ${runs}`;
  const { cut } = search;
  return cut === null
    ? `over all paths but those of finer candles, ${runs}`
    : `over a part of the paths, ${runs}: of ${countText(cut.candles)} ${nounOf(cut.candles, 'candle')} from ${instantText(cut.from)} to ${instantText(cut.to)} one order was not tried everywhere`;
}

function knownCount(count: Figure | undefined): string {
  return count === null || count === undefined ? 'n/a' : countText(count);
}

function rangeLines({ bounds, equity }: ResultFigures): readonly string[] {
  const { low, high, undecidedCandles, undecidedShare } = bounds;
  const share =
    undecidedShare === null ? '' : `, carrying ${percentText(undecidedShare)} of the traded money`;
  const undecided = `${countText(undecidedCandles)} undecided ${nounOf(undecidedCandles, 'candle')}${undecidedCandles === 0 ? '' : share}`;
  if (low.finalEquity === undefined || high.finalEquity === undefined) {
    return undecidedCandles === 0
      ? []
      : [
          `${undecided}: ${nounOf(undecidedCandles, 'its', 'their')} hidden path may change the figures; bounds give the range`,
        ];
  }
  const decimals = moneyDecimals(equity.currency);
  const span = (name: string, from: string, to: string): string =>
    from === to ? `${name} ${from}` : `${name} ${from} … ${to}`;
  return [
    `${undecided} ${coverageText(bounds)}`,
    `${span('final equity', shortAmount(low.finalEquity, decimals), shortAmount(high.finalEquity, decimals))} ${equity.currency}`,
    span('total return', percentText(low.totalReturn), percentText(high.totalReturn)),
    span('CAGR', percentText(low.cagr), percentText(high.cagr)),
    span('Sharpe', ratioText(low.sharpe), ratioText(high.sharpe)),
    span('max drawdown', percentText(low.maxDrawdown), percentText(high.maxDrawdown)),
    span('trades', knownCount(low.trades), knownCount(high.trades)),
    span('win rate', percentText(low.winRate), percentText(high.winRate)),
    span('profit factor', ratioText(low.profitFactor), ratioText(high.profitFactor)),
  ];
}
