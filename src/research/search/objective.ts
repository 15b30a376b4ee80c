import type { Result } from '../../report/index.js';

/** Figures that combinations can be ranked by, and which way is better. */
const DIRECTIONS = {
  sharpe: 'largest',
  sortino: 'largest',
  calmar: 'largest',
  totalReturn: 'largest',
  cagr: 'largest',
  profitFactor: 'largest',
  winRate: 'largest',
  maxDrawdown: 'smallest',
  volatility: 'smallest',
} as const satisfies Partial<Record<keyof Result['statistics'], 'largest' | 'smallest'>>;

export type ObjectiveName = keyof typeof DIRECTIONS;
type ObjectiveDirection = (typeof DIRECTIONS)[ObjectiveName];

export const OBJECTIVES = Object.keys(DIRECTIONS) as readonly ObjectiveName[];

/** A figure of the statistics, and whether its largest or its smallest value is the best. */
export interface Objective {
  readonly name: ObjectiveName;
  readonly best: ObjectiveDirection;
}

export function objectiveOf(name: ObjectiveName): Objective {
  return { name, best: DIRECTIONS[name] };
}

/** Negative if `a` is better than `b`, positive if it is worse. A missing figure is the worst. */
export function compareFigures(
  a: number | null,
  b: number | null,
  { best }: Pick<Objective, 'best'>,
): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return best === 'largest' ? b - a : a - b;
}
