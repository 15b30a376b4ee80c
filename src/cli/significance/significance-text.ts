import { countText, percentText } from '../../report/index.js';
import type { TrialAlone } from '../../research/index.js';

/** A number of trials, with one decimal where it is no whole one. */
export function numberOfTrials(trials: number): string {
  return Number.isInteger(trials) ? countText(trials) : trials.toFixed(1);
}

/** A share, told as less, or as more, than what is the least that can be said. */
export function shareText(share: number, least: number): string {
  if (share < least) return `less than ${percentText(least)}`;
  return share > 1 - least ? `more than ${percentText(1 - least)}` : percentText(share);
}

export function parametersText(parameters: TrialAlone['parameters']): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ');
}
