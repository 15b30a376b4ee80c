import { countText, percentText, ratioText } from '../../report/index.js';
import type { WalkForward } from './walk-forward-schema.js';

/** Describes how far luck goes in a walk-forward, in the same words on the terminal and on a page; undefined if the figures are missing. */
export function describeLuckOfWalk({
  outside: { luck, sharpe },
}: Pick<WalkForward, 'outside'>): string | undefined {
  if (luck === null || sharpe === null) return undefined;
  return `the best of ${countText(luck.trials)} training runs without an edge would reach a sharpe of ${ratioText(luck.lucky)}; that of the tests, ${ratioText(sharpe)}, is truly above it with a probability of ${percentText(luck.dsr2014)} (deflated, 2014; by the edition of 2026 ${percentText(luck.dsr2026)})`;
}
