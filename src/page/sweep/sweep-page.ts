import { nounOf } from '../../domain/index.js';
import { binReturns, MOST_BINS, type ReturnBin } from '../../report/index.js';
import {
  constraintLines,
  describeLuck,
  describeSearch,
  figureOf,
  hasFigureConstraint,
  luckOfSearch,
  type SearchLuck,
  type Significance,
  type Sweep,
  type SweepTrial,
} from '../../research/index.js';
import type { PageAxis, PageNote, SweepPage } from '../page-data.js';
import { buildPageSignificance } from '../significance/significance-part.js';
import { noteTroubles } from '../trouble-notes.js';

type Value = string | number | boolean;

/**
 * Makes the page of a sweep. It computes no figure: all figures come from the document, from `significance` (a judgment of the search), and from the module
 * that judges searches.
 */
export function buildSweepPage(sweep: Sweep, significance?: Significance): SweepPage {
  const { strategy, instruments, objective, best, axes, constraints } = sweep.sweep;
  const names = axes.map(({ name }) => name);
  const trials = sweep.trials.map((trial) => ({
    parameters: names.map((name) => trial.parameters[name] ?? ''),
    figure: figureOf(trial, { name: objective }),
    isLeftOut:
      figureOf(trial, { name: objective }) !== null &&
      figureOf(trial, { name: objective, constraints }) === null,
    figures: figuresOf(trial),
    error: trial.status === 'failed' ? `${trial.code}: ${trial.message}` : null,
  }));
  const sharpes = trials.flatMap(({ figures }) => figures['sharpe'] ?? []);
  const luck = luckOfSearch(sweep, 0);
  return {
    kind: 'sweep',
    title: titleOf(sweep),
    objective,
    isLargestBest: best === 'largest',
    notes: [
      ...notesOf(sweep, `${strategy} on ${instruments.join(', ')}`),
      ...luckNotes(luck, strategy),
    ],
    axes: axes.map(({ name }, place): PageAxis => ({
      name,
      values: inOrder([...new Set(trials.map(({ parameters }) => parameters[place] as Value))]),
    })),
    trials,
    best:
      sweep.best === null
        ? null
        : { index: sweep.best.index, neighbors: sweep.best.neighbors.map(({ index }) => index) },
    sharpe: binsUpTo(binReturns(sharpes), luck?.expectedBest ?? 0),
    sharpeMarks:
      luck === undefined
        ? []
        : [
            ...(luck.expectedBest === null
              ? []
              : [{ at: luck.expectedBest, text: 'best of luck' }]),
            { at: luck.sharpe, text: 'best' },
          ],
    significance: significance === undefined ? null : buildPageSignificance(significance),
  };
}

function luckNotes(luck: SearchLuck | undefined, strategy: string): readonly PageNote[] {
  return luck === undefined ? [] : [{ label: 'Luck', lines: [describeLuck(luck, { strategy })] }];
}

/** Adds empty bins up to a value, so that the value can be marked in the histogram. */
function binsUpTo(bins: readonly ReturnBin[], value: number): readonly ReturnBin[] {
  const last = bins.at(-1);
  if (last === undefined || value <= last.to || last.to === last.from) return bins;
  const width = last.to - last.from;
  const more = Math.min(MOST_BINS, Math.ceil((value - last.to) / width));
  const added = Array.from({ length: more }, (_, place) => ({
    from: last.to + place * width,
    to: last.to + (place + 1) * width,
    count: 0,
  }));
  return [...bins, ...added];
}

function figuresOf(trial: SweepTrial): Readonly<Record<string, number | null>> {
  if (trial.status === 'failed') return {};
  const { totalReturn, sharpe, sortino, calmar, cagr, volatility } = trial.statistics;
  const { maxDrawdown, trades, winRate, profitFactor } = trial.statistics;
  return {
    ...{ totalReturn, sharpe, sortino, calmar, cagr, volatility },
    ...{ maxDrawdown, trades, winRate, profitFactor },
  };
}

function titleOf({ sweep, counts }: Sweep): readonly string[] {
  const kind = describeSearch(sweep.search, sweep.seed);
  return [
    `${sweep.strategy} on ${sweep.instruments.join(', ')}`,
    `${String(counts.combinations)} ${nounOf(counts.combinations, 'combination')} of ${kind}, by ${sweep.objective} (${sweep.best} is best)`,
    ...constraintLines(sweep.constraints),
  ];
}

function notesOf(document: Sweep, what: string): readonly PageNote[] {
  const { counts, best, sweep } = document;
  const isBound = hasFigureConstraint(sweep.constraints);
  const unranked = isBound ? 'that break a constraint or have no figure' : 'without a figure';
  const counted = `${String(counts.finished)} finished, ${String(counts.failed)} failed, ${String(counts.unranked)} ${unranked} for ${sweep.objective}`;
  // Sentences are ready here, and figures of the other tables get this minus sign in the page's script.
  const short = (figure: number): string =>
    String(Number(figure.toPrecision(4))).replace(/^-/, '−');
  const parameters = (given: Readonly<Record<string, Value>>): string =>
    Object.entries(given)
      .map(([name, value]) => `${name} ${String(value)}`)
      .join(', ');
  return [
    { label: 'Ran', lines: [`${what}: ${counted}`] },
    ...(best === null
      ? []
      : [
          {
            label: 'Best',
            lines: [
              `${parameters(best.parameters)}: ${sweep.objective} ${short(best.figure)}; median of all ${short(best.median)}, of its neighbors ${best.neighborMedian === null ? 'n/a' : short(best.neighborMedian)}`,
            ],
          },
          ...(best.peak === 'lone'
            ? [
                {
                  label: 'Lone',
                  lines: [
                    'Its neighbors keep less than half of its lead over the median: a lone peak.',
                  ],
                  tone: 'warn' as const,
                },
              ]
            : []),
          ...(best.edges.length > 0
            ? [
                {
                  label: 'Edge',
                  lines: [
                    `It is at the edge of ${best.edges.join(', ')}: better values may lie beyond.`,
                  ],
                  tone: 'warn' as const,
                },
              ]
            : []),
        ]),
    ...noteTroubles(document, 'combination'),
  ];
}

function inOrder(values: readonly Value[]): readonly Value[] {
  return values.every((value) => typeof value === 'number')
    ? values.toSorted((a, b) => a - b)
    : values;
}
