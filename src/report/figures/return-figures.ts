import {
  DAY_MS,
  DAYS_PER_YEAR,
  Decimal,
  divideFixed,
  fixedToNumber,
  type Fixed,
} from '../../domain/index.js';
import { ratioOf, sumInOrder, type Figure } from './figure.js';
import { powerLessOne, type Ratio } from './power.js';

/** Fewest daily returns for annual figures. */
export const MINIMUM_RETURNS = 30;

/** Figures of the daily returns; all null with fewer than {@link MINIMUM_RETURNS} returns, or when all are equal. */
export interface ReturnFigures {
  readonly cagr: Figure;
  readonly volatility: Figure;
  readonly sharpe: Figure;
  readonly sortino: Figure;
}

const NO_FIGURES: ReturnFigures = { cagr: null, volatility: null, sharpe: null, sortino: null };

interface Growth {
  readonly initialEquity: Fixed;
  readonly finalEquity: Fixed;
  /** From the start to the end of the run. */
  readonly durationMs: number;
}

/** final ÷ initial − 1, divided exactly; null if the initial equity is not above 0. */
export function totalReturn({
  initialEquity,
  finalEquity,
}: Pick<Growth, 'initialEquity' | 'finalEquity'>): Figure {
  return initialEquity <= 0n
    ? null
    : fixedToNumber(divideFixed(finalEquity - initialEquity, initialEquity));
}

/**
 * Compound annual growth: (final ÷ initial)^(365 days ÷ duration) − 1, in integers or decimals, because float64 powers differ between machines.
 *
 * Null if an equity or the duration is not above 0.
 */
export function compoundAnnualGrowth({ initialEquity, finalEquity, durationMs }: Growth): Figure {
  if (initialEquity <= 0n || finalEquity <= 0n || durationMs <= 0) return null;
  const growth = { dividend: finalEquity, divisor: initialEquity };
  const exponent = { dividend: BigInt(DAYS_PER_YEAR * DAY_MS), divisor: BigInt(durationMs) };
  const rate = powerLessOne(growth, exponent) ?? decimalPowerLessOne(growth, exponent);
  return Number.isFinite(rate) ? rate : null;
}

/** {@link powerLessOne} for bases and powers of any size. */
function decimalPowerLessOne(base: Ratio, exponent: Ratio): number {
  const quotientOf = ({ dividend, divisor }: Ratio): Decimal =>
    new Decimal(dividend.toString()).div(divisor.toString());
  return quotientOf(base).pow(quotientOf(exponent)).minus(1).toNumber();
}

/**
 * Annual figures of n daily returns r, without a risk-free rate:
 *
 * - volatility = sd × √365, with sd = √(Σ (r − mean)² ÷ (n − 1))
 * - sharpe = mean ÷ sd × √365
 * - sortino = mean ÷ √(Σ min(r, 0)² ÷ n) × √365; null when no return is negative
 * - cagr: {@link compoundAnnualGrowth}
 *
 * Sums run from the first day to the last. A rate of return is 0.01 for 1 %.
 */
export function returnFigures(
  returns: readonly number[] | undefined,
  growth: Growth,
): ReturnFigures {
  const figures = figuresOfReturns(returns);
  return figures.volatility === null
    ? NO_FIGURES
    : { cagr: compoundAnnualGrowth(growth), ...figures };
}

/** The figures of {@link returnFigures} that depend on the returns only. */
export function figuresOfReturns(
  returns: readonly number[] | undefined,
): Omit<ReturnFigures, 'cagr'> {
  if (returns === undefined || returns.length < MINIMUM_RETURNS) return NO_FIGURES;
  if (areEqual(returns)) return NO_FIGURES;
  const count = returns.length;
  const mean = sumInOrder(returns) / count;
  const deviation = Math.sqrt(
    sumInOrder(returns.map((r) => (r - mean) * (r - mean))) / (count - 1),
  );
  const downside = Math.sqrt(sumInOrder(returns.map((r) => (r < 0 ? r * r : 0))) / count);
  const annual = Math.sqrt(DAYS_PER_YEAR);
  const sharpe = ratioOf(mean, deviation);
  const sortino = ratioOf(mean, downside);
  return {
    volatility: deviation * annual,
    sharpe: sharpe === null ? null : sharpe * annual,
    sortino: sortino === null ? null : sortino * annual,
  };
}

/** Whether all returns are equal. Their deviations from a rounded mean would not be 0. */
export function areEqual(returns: readonly number[]): boolean {
  return returns.every((value) => value === returns[0]);
}
