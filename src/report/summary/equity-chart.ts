import { plot } from 'simple-ascii-chart';

import { shortAmount, instantText } from './figure-text.js';
import type { Result } from '../result/result-schema.js';

interface ChartOptions {
  /** Columns of the terminal for the chart, labels included. */
  readonly width: number;
  /** Rows of the curve; the dates take one more. */
  readonly height: number;
  /** Most decimals of the labels. */
  readonly decimals: number;
}

const SMALLEST_PLOT = 10;

/**
 * Draws an equity curve as text, with the lowest and highest drawn equity at the left and the dates below. Each column shows the equity at its instant, so
 * that a curve of a million points and one of ten look alike.
 *
 * Empty with fewer than two points, or without room for ten columns and two rows.
 */
export function renderEquityChart(
  curve: Result['equityCurve'],
  { width, height, decimals }: ChartOptions,
): string {
  const [first] = curve;
  const last = curve.at(-1);
  if (first === undefined || last === undefined || curve.length < 2 || height < 2) return '';
  const labelWidth = Math.max(...extremes(curve, decimals).map((label) => label.length));
  const plotWidth = width - labelWidth - 2;
  if (plotWidth < SMALLEST_PLOT) return '';
  const points = sampled(curve, plotWidth);
  // Points between two columns are not drawn, so the labels are those of the drawn points.
  const [lowest, highest] = extremes(points, decimals);
  const rows = plotRows(points, { width: plotWidth, height });
  const lines = rows.map((row, index) => {
    const top = index === 0 && highest !== lowest ? highest : '';
    const label = index === rows.length - 1 ? lowest : top;
    return `${label.padStart(labelWidth)} ${label === '' ? '│' : '┤'}${row}`.trimEnd();
  });
  const [from, to] = [instantText(first[0]), instantText(last[0])];
  const gap = ' '.repeat(Math.max(1, plotWidth - from.length - to.length));
  return [...lines, `${' '.repeat(labelWidth + 2)}${from}${gap}${to}`].join('\n');
}

function extremes(
  points: readonly (readonly [number, number | string])[],
  decimals: number,
): readonly [lowest: string, highest: string] {
  let [lowest, highest] = [Infinity, -Infinity];
  for (const [, equity] of points) {
    lowest = Math.min(lowest, Number(equity));
    highest = Math.max(highest, Number(equity));
  }
  return [shortAmount(String(lowest), decimals), shortAmount(String(highest), decimals)];
}

/** One point per column: the last equity at or before the column's instant. */
function sampled(curve: Result['equityCurve'], columns: number): [number, number][] {
  const start = curve[0]?.[0] ?? 0;
  const span = (curve.at(-1)?.[0] ?? start) - start;
  const points: [number, number][] = [];
  let index = 0;
  for (let column = 0; column < columns; column += 1) {
    const time = start + (span * column) / (columns - 1);
    while ((curve[index + 1]?.[0] ?? Infinity) <= time) index += 1;
    points.push([column, Number(curve[index]?.[1])]);
  }
  return points;
}

function plotRows(
  points: [number, number][],
  { width, height }: Omit<ChartOptions, 'decimals'>,
): readonly string[] {
  const text = plot(points, { width, height, hideXAxis: true, hideYAxis: true });
  // The library puts an empty line before and after the rows.
  return text.split('\n').slice(1, -1);
}
