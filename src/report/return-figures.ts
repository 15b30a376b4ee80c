import {
  DAY_MS,
  Decimal,
  decimalFromFixed,
  divideFixed,
  fixedToNumber,
  type Fixed,
} from '../domain/index.js';
import { ratioOf, sumInOrder, type Figure } from './figure.js';

/** Days of a year of a market that never closes. */
export const DAYS_PER_YEAR = 365;
/** Fewer daily returns carry no annual figure. */
export const MINIMUM_RETURNS = 30;

const QUICK_DIGITS = 24;
const QuickDecimal = Decimal.clone({ precision: QUICK_DIGITS });
/** The most that a unit of the last digit is of a number. */
const QUICK_UNIT = new QuickDecimal(10).pow(1 - QUICK_DIGITS);

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

/** final ÷ initial − 1, divided exactly; null when the initial equity is not above 0. */
export function totalReturn({
  initialEquity,
  finalEquity,
}: Pick<Growth, 'initialEquity' | 'finalEquity'>): Figure {
  return initialEquity <= 0n
    ? null
    : fixedToNumber(divideFixed(finalEquity - initialEquity, initialEquity));
}

/**
 * Compound annual growth: (final ÷ initial)^(365 days ÷ duration) − 1, in decimals, because float64 powers differ between machines.
 *
 * Null when an equity is not above 0 or nothing lasted.
 */
export function compoundAnnualGrowth({ initialEquity, finalEquity, durationMs }: Growth): Figure {
  if (initialEquity <= 0n || finalEquity <= 0n || durationMs <= 0) return null;
  const growth = decimalFromFixed(finalEquity).div(decimalFromFixed(initialEquity));
  const years = new Decimal(durationMs).div(DAYS_PER_YEAR * DAY_MS);
  const exponent = new Decimal(1).div(years);
  const rate = quickPower(growth, exponent) ?? growth.pow(exponent).minus(1).toNumber();
  return Number.isFinite(rate) ? rate : null;
}

/**
 * base^exponent − 1 as a float64, in half the time that all digits of a {@link Decimal} take. Undefined where these could give another: the
 * ends of what fewer digits leave open are then not one float64.
 */
function quickPower(base: Decimal, exponent: Decimal): number | undefined {
  const logarithm = new QuickDecimal(base).ln().times(exponent);
  const power = logarithm.exp();
  // The library promises logarithm and power within a unit of the last digit, and all else within half of one. Twice that, and once for 1.
  const error = power.plus(1).times(logarithm.abs().times(3).plus(3)).times(QUICK_UNIT);
  const rate = power.minus(1);
  const low = rate.minus(error).toNumber();
  return low === rate.plus(error).toNumber() ? low : undefined;
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
  if (returns === undefined || returns.length < MINIMUM_RETURNS) return NO_FIGURES;
  if (returns.every((value) => value === returns[0])) return NO_FIGURES;
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
    cagr: compoundAnnualGrowth(growth),
    volatility: deviation * annual,
    sharpe: sharpe === null ? null : sharpe * annual,
    sortino: sortino === null ? null : sortino * annual,
  };
}
