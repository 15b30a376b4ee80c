import { nounOf } from '../../domain/index.js';
import { countText, instantText, percentText, ratioText } from '../../report/index.js';
import type { MonteCarlo } from '../../research/index.js';
import { formatTable, type TextColumn } from '../data/text-table.js';

type Days = NonNullable<MonteCarlo['days']>;
type Figure = Days['totalReturn'];

/** Describes a Monte Carlo for reading: the bounds of each figure, and the share of paths that end in ruin. */
export function renderMonteCarlo(document: MonteCarlo): string {
  return [
    describeHead(document),
    describeTrades(document),
    describeDays(document),
    ...describeCandles(document),
  ].join('\n');
}

function describeHead({ monteCarlo }: MonteCarlo): string {
  const { strategy, parameters, from, to, paths, seed } = monteCarlo;
  const set = Object.entries(parameters).map(([name, value]) => `${name} ${String(value)}`);
  return [
    `${[strategy, ...set].join(', ')}, ${instantText(from)} to ${instantText(to)}`,
    `${countText(paths)} ${nounOf(paths, 'path')} each, seed ${String(seed)}; p % of them are below each bound`,
    '',
  ].join('\n');
}

function describeTrades({ trades, monteCarlo }: MonteCarlo): string {
  if (trades === null) return 'Trades     none to shuffle, or the result does not list them\n';
  const { count, maxDrawdown, longestFall, ruin } = trades;
  return [
    `Trades     ${countText(count)} in shuffled order; their total profit stays the same`,
    tableOf([
      ['drawdown', maxDrawdown, percentText],
      ['longest fall, trades', longestFall, countedText],
    ]),
    ruinText(ruin, monteCarlo),
  ].join('\n');
}

function describeDays({ days, monteCarlo }: MonteCarlo): string {
  if (days === null) return 'Days       none: fewer than 30 daily returns\n';
  const { count, block } = days;
  return [
    `Days       ${countText(count)} in blocks of ${ratioText(block)} days on average, drawn with replacement`,
    ...describeBounds(days, monteCarlo),
  ].join('\n');
}

function describeCandles({ candles, monteCarlo }: MonteCarlo): readonly string[] {
  if (candles === null) return [];
  const { count, block, histories, failed } = candles;
  const lost = failed === 0 ? '' : `; it failed on ${countText(failed)} more`;
  return [
    `Candles    the bot backtested on ${countText(histories)} histories of ${countText(count)} days, made of its own candles in blocks of ${countText(block)} ${nounOf(block, 'day')}${lost}`,
    ...describeBounds(candles, monteCarlo),
  ];
}

function describeBounds(
  figures: Omit<Days, 'count' | 'block'>,
  monteCarlo: MonteCarlo['monteCarlo'],
): readonly string[] {
  const { totalReturn, maxDrawdown, longestFall, loss, ruin } = figures;
  return [
    tableOf([
      ['return', totalReturn, percentText],
      ['drawdown', maxDrawdown, percentText],
      ['longest fall, days', longestFall, countedText],
    ]),
    `Loss       ${percentText(loss)} of the paths end with a loss`,
    ruinText(ruin, monteCarlo),
  ];
}

function ruinText(share: number, { ruin }: MonteCarlo['monteCarlo']): string {
  return `Ruin       ${percentText(share)} of the paths lose ${percentText(ruin)} of the initial equity\n`;
}

function countedText(count: number): string {
  return countText(Math.round(count));
}

function tableOf(
  rows: readonly (readonly [name: string, figure: Figure, text: (value: number) => string])[],
): string {
  const right = (head: string): TextColumn => ({ head, align: 'right' });
  const columns: readonly TextColumn[] = [
    { head: '', align: 'left' },
    ...['the run', '5 %', '25 %', '50 %', '75 %', '95 %'].map(right),
  ];
  return formatTable(
    columns,
    rows.map(([name, { run, p5, p25, p50, p75, p95 }, text]) => [
      name,
      ...[run, p5, p25, p50, p75, p95].map(text),
    ]),
  ).trimEnd();
}
