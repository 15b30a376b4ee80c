import type { SweepPage } from '../page-data.js';

type Trials = Pick<SweepPage, 'trials' | 'best'>;

/** The cell of a heat map in which a trial lies, by its values of the two parameters. */
export function cellOf(value: unknown, other: unknown): string {
  // Not joined by a separator: a word may contain it.
  return JSON.stringify([value, other]);
}

/** The figures of a heat map, and the same figures from the worst to the best. */
interface HeatCells {
  readonly values: ReadonlyMap<string, number>;
  readonly ranked: readonly number[];
}

/** For each cell of two axes: the best figure over all other parameters, or the median. Only ranked trials count. */
export function heatCells(
  { trials, isLargestBest }: Pick<SweepPage, 'trials' | 'isLargestBest'>,
  [rows, columns]: readonly [rows: number, columns: number],
  kind: 'best' | 'median',
): HeatCells {
  const found = new Map<string, number[]>();
  for (const { parameters, figure, isLeftOut } of trials) {
    if (figure === null || isLeftOut) continue;
    const cell = cellOf(parameters[rows], parameters[columns]);
    const figures = found.get(cell);
    if (figures === undefined) found.set(cell, [figure]);
    else figures.push(figure);
  }
  const sign = isLargestBest ? -1 : 1;
  const values = new Map(
    [...found].map(([cell, figures]) => {
      const sorted = figures.toSorted((a, b) => sign * (a - b));
      return [cell, sorted[kind === 'best' ? 0 : Math.floor(sorted.length / 2)] as number];
    }),
  );
  return { values, ranked: [...values.values()].sort((a, b) => sign * (b - a)) };
}

/** Indexes of the trials with a figure, one of `every`. The best is always among them. */
export function drawnTrials({ trials, best }: Trials, every: number): readonly number[] {
  return trials.flatMap(({ figure }, place) =>
    figure !== null && (place % every === 0 || place === best?.index) ? [place] : [],
  );
}

/** Lowest and highest of the figures of trials: a sweep may have more of them than a call can take arguments. */
export function rangeOf(figures: readonly number[]): readonly [lowest: number, highest: number] {
  return [
    figures.reduce((least, figure) => Math.min(least, figure), Number.POSITIVE_INFINITY),
    figures.reduce((most, figure) => Math.max(most, figure), Number.NEGATIVE_INFINITY),
  ];
}
