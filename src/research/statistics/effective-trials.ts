import { eigenvaluesOf, type SymmetricMatrix } from './eigenvalues.js';
import { requireReturns, type TrialReturns } from './trial-returns.js';

/**
 * Effective rank of a symmetric matrix without negative eigenvalues: exp(−Σ p·ln p) over the shares p of its eigenvalues. For a correlation matrix it is the
 * size if nothing is correlated, and 1 if everything is fully correlated.
 *
 * @see Source: Roy, Vetterli 2007, The Effective Rank
 */
export function effectiveRank(matrix: SymmetricMatrix): number {
  const eigenvalues = eigenvaluesOf(matrix).map((value) => Math.max(0, value));
  const sum = eigenvalues.reduce((total, value) => total + value, 0);
  if (sum === 0) return 0;
  const entropy = eigenvalues.reduce((total, value) => {
    const share = value / sum;
    return share > 0 ? total - share * Math.log(share) : total;
  }, 0);
  return Math.exp(entropy);
}

/**
 * Number of independent trials that N correlated trials are worth: the effective rank of the correlation matrix of their returns. Estimators of this number
 * differ by orders of magnitude; it is the lower end of a band whose upper end is N.
 *
 * The N×N correlations and the T×T products of days have the same eigenvalues apart from zeros, so the smaller matrix is decomposed. That takes N·T·min(N,
 * T)/2 + 4/3·min(N, T)³ multiplications, and 8 bytes × N × T. Trials whose returns are all equal have no correlation and are left out; 0 if no other trial is
 * left.
 *
 * @throws {DataError} `E_SAMPLE` with fewer than two days.
 */
export function effectiveTrials(returns: TrialReturns): number {
  requireReturns(returns, { days: 2, trials: 1 });
  const rows = returns.columns
    .map(standardize)
    .filter((row): row is Float64Array => row !== undefined);
  if (rows.length === 0) return 0;
  return effectiveRank(productsOf(rows.length <= returns.days ? rows : transpose(rows)));
}

/** Scales a column to mean 0 and sum of squares 1; undefined if all values are equal. */
function standardize(column: Float64Array): Float64Array | undefined {
  if (column.every((value) => value === column[0])) return undefined;
  const mean = column.reduce((sum, value) => sum + value, 0) / column.length;
  const length = Math.sqrt(column.reduce((sum, value) => sum + (value - mean) ** 2, 0));
  return column.map((value) => (value - mean) / length);
}

function transpose(rows: readonly Float64Array[]): readonly Float64Array[] {
  const width = rows[0]?.length ?? 0;
  return Array.from({ length: width }, (_, day) => Float64Array.from(rows, (row) => row[day] ?? 0));
}

/** Rows that are multiplied together, so that another row is read from memory only once for all of them. */
const TOGETHER = 16;

/** Lower half of the products of all pairs of rows. */
function productsOf(rows: readonly Float64Array[]): SymmetricMatrix {
  const size = rows.length;
  const values = new Float64Array(size * size);
  for (let from = 0; from < size; from += TOGETHER) {
    const some = rows.slice(from, from + TOGETHER);
    for (let i = from; i < size; i += 1) {
      const one = rows[i] as Float64Array;
      for (const [at, other] of some.entries()) values[i * size + from + at] = dot(one, other);
    }
  }
  return { size, values };
}

function dot(one: Float64Array, two: Float64Array): number {
  let [a, b] = [0, 0];
  for (let index = 1; index < one.length; index += 2) {
    a += (one[index - 1] as number) * (two[index - 1] as number);
    b += (one[index] as number) * (two[index] as number);
  }
  if (one.length % 2 === 1) a += (one[one.length - 1] as number) * (two[one.length - 1] as number);
  return a + b;
}
