import { percentText, ratioText } from '../../report/index.js';
import type { ObjectiveName } from '../search/objective.js';
import type { SweepTrial } from './sweep-schema.js';

const SHARES: ReadonlySet<ObjectiveName> = new Set<ObjectiveName>([
  'totalReturn',
  'cagr',
  'winRate',
  'maxDrawdown',
  'volatility',
]);

/** Writes a figure for reading, as a share or as a ratio. */
export function figureText(name: ObjectiveName, figure: number | null): string {
  return SHARES.has(name) ? percentText(figure) : ratioText(figure);
}

/** Writes parameters for reading: `fast 5, slow 20`. */
export function parametersText(parameters: SweepTrial['parameters']): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ');
}
