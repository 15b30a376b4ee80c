/** Figures of a trial's daily returns that the methods need if the returns themselves are not available. */
export interface ReturnMoments {
  /** Number of returns. */
  readonly count: number;
  /** Mean per day; 0.01 for 1 %. */
  readonly mean: number;
  /** Σ (r − mean)² ÷ (n − 1). */
  readonly variance: number;
  /** Third standardized moment, Σ (r − mean)³ ÷ n ÷ s³ with s² = Σ (r − mean)² ÷ n; 0 if all returns are equal. */
  readonly skewness: number;
  /** Fourth standardized moment, **not excess**: 3 for a normal distribution, and if all returns are equal. */
  readonly kurtosis: number;
  /** First autocorrelation, Σ (rᵢ − mean)·(rᵢ₊₁ − mean) ÷ Σ (r − mean)²; 0 if all returns are equal. */
  readonly autocorrelation: number;
}

/** Moments of returns in their order; undefined with fewer than two returns. */
export function momentsOf(returns: ArrayLike<number>): ReturnMoments | undefined {
  const count = returns.length;
  if (count < 2) return undefined;
  let sum = 0;
  let isFlat = true;
  for (let index = 0; index < count; index += 1) {
    sum += returns[index] ?? 0;
    isFlat &&= returns[index] === returns[0];
  }
  const mean = sum / count;
  // A rounded mean would leave a variance above 0.
  if (isFlat) return { count, mean, variance: 0, skewness: 0, kurtosis: 3, autocorrelation: 0 };
  let [second, third, fourth, lagged, before] = [0, 0, 0, 0, 0];
  for (let index = 0; index < count; index += 1) {
    const off = (returns[index] ?? 0) - mean;
    const square = off * off;
    second += square;
    third += square * off;
    fourth += square * square;
    lagged += off * before;
    before = off;
  }
  const spread = second / count;
  return {
    count,
    mean,
    variance: second / (count - 1),
    skewness: third / count / spread ** 1.5,
    kurtosis: fourth / count / (spread * spread),
    autocorrelation: lagged / second,
  };
}

/** Sharpe ratio **per day**: mean ÷ standard deviation (n − 1); 0 if all returns are equal. Multiplied by √365 it is annual. */
export function sharpeOf({ mean, variance }: Pick<ReturnMoments, 'mean' | 'variance'>): number {
  return variance > 0 ? mean / Math.sqrt(variance) : 0;
}
