import { countText, percentText, ratioText } from '../../report/index.js';
import type { WalkForward } from './walk-forward-schema.js';

/** Describes how far luck goes in a walk-forward, in the same words on the terminal and on a page; undefined if the figures are missing. */
export function describeLuckOfWalk({
  outside: { luck, sharpe },
}: Pick<WalkForward, 'outside'>): string | undefined {
  if (luck === null || sharpe === null) return undefined;
  return `without an edge, the best of ${countText(luck.trials)} training runs is expected to reach a sharpe of ${ratioText(luck.lucky)}; the sharpe of the tests, ${ratioText(sharpe)}, is above that with a probability of ${percentText(luck.dsr2014)} (deflated Sharpe ratio of 2014; edition of 2026: ${percentText(luck.dsr2026)})`;
}
