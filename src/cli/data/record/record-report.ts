import { formatUtc } from '../../../domain/index.js';
import { formatCount, formatNoun } from '../format.js';
import type { CommandResult } from '../give-result.js';
import type { RecordedSeries } from './record-venue.js';

/** Most gaps of one series that are listed one by one. */
const SHOWN_GAPS = 10;

/** Describes the result of a recording, for people and for programs. */
export function recordResult(series: readonly RecordedSeries[]): CommandResult {
  return {
    text: series.map(seriesText).join(''),
    json: series.map(({ name, added, gaps }) => ({
      series: name,
      added,
      gaps: gaps.map(({ from, to }) => ({ from: formatUtc(from), to: formatUtc(to) })),
    })),
  };
}

function seriesText({ name, added, gaps }: RecordedSeries): string {
  const count = gaps.length === 0 ? 'no gaps' : formatNoun(gaps.length, 'gap');
  const longest = gaps.toSorted((a, b) => b.to - b.from - (a.to - a.from)).slice(0, SHOWN_GAPS);
  return [
    `${name}: ${formatNoun(added, 'row')} recorded, ${count}`,
    ...longest.map(({ from, to }) => `  from ${formatUtc(from)} to ${formatUtc(to)}`),
    ...(gaps.length > SHOWN_GAPS ? [`  … ${formatCount(gaps.length - SHOWN_GAPS)} more`] : []),
    '',
  ].join('\n');
}
