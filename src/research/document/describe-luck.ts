import { nounOf } from '../../domain/index.js';
import { countText, percentText, ratioText } from '../../report/index.js';
import type { SearchLuck } from './luck-of-search.js';

/** Smallest probability that is written as a number; the largest is as far from 1. */
const LEAST_TOLD = 0.001;

/** Describes how far luck goes in a search, in the same words on the terminal and on a page. `before`: number of trials before the sweep. */
export function describeLuck(
  { trials, sharpe, probability, expectedBest }: SearchLuck,
  { strategy, before = 0 }: { readonly strategy: string; readonly before?: number },
): string {
  const share =
    probability < LEAST_TOLD
      ? `less than ${percentText(LEAST_TOLD)}`
      : `up to ${percentText(Math.min(probability, 1 - LEAST_TOLD))}`;
  const average = expectedBest === null ? '' : `, and ${ratioText(expectedBest)} on average`;
  const earlier = before === 0 ? '' : `, ${countText(before)} of them before this sweep`;
  return `${countText(trials)} ${nounOf(trials, 'trial')} of ${strategy} on these data${earlier}; by luck alone such a search reaches a best sharpe of ${ratioText(sharpe)} in ${share} of cases${average}`;
}
