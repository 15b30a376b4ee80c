/** Uniform numbers in [0, 1). */
export type Random = () => number;

/**
 * Draws one path of the stationary bootstrap through `length` rows: blocks of geometric length with mean `meanBlock` (at least 1), which begin anywhere and
 * continue at row 0 after the last row. All columns of a sample follow one path.
 *
 * @see Source: Politis, Romano 1994, The Stationary Bootstrap
 */
export function drawStationaryPath(length: number, meanBlock: number, random: Random): Int32Array {
  const path = new Int32Array(length);
  const jump = 1 / meanBlock;
  let row = 0;
  for (let index = 0; index < length; index += 1) {
    row = index === 0 || random() < jump ? Math.floor(random() * length) : (row + 1) % length;
    path[index] = row;
  }
  return path;
}

/** Suitable mean block lengths for a series, in rows. */
interface BlockLengths {
  readonly stationary: number;
  readonly circular: number;
}

/**
 * Optimal block lengths of a series, from its autocovariances over all lags: g = Σ R(k) and G = Σ |k|·R(k).
 *
 * (2G²/D)^⅓·n^⅓ with D = 2g² for the stationary and 4/3·g² for the circular bootstrap. AR(1) with φ has g ∝ (1 + φ)/(1 − φ) and G ∝ 2φ/(1 − φ)².
 *
 * @see Source: Politis, White 2004, Automatic Block-Length Selection, with the correction of Patton, Politis, White 2009
 */
export function optimalBlockLengths(g: number, bigG: number, count: number): BlockLengths {
  const lengthFor = (d: number): number => Math.cbrt(((2 * bigG * bigG) / d) * count);
  return { stationary: lengthFor(2 * g * g), circular: lengthFor((4 / 3) * g * g) };
}

/**
 * Estimates {@link optimalBlockLengths} from a series. It uses autocovariances up to twice the lag after which K lags in a row are small, under a flat-top
 * window. At least 1 and at most ⌈min(3·√n, n/3)⌉; 1 if all values of the series are equal.
 */
export function estimateBlockLengths(series: ArrayLike<number>): BlockLengths {
  const count = series.length;
  const patience = Math.max(5, Math.ceil(Math.sqrt(Math.log10(count))));
  const mostLags = Math.min(count - 1, Math.ceil(Math.sqrt(count)) + patience);
  const covariances = autocovariances(series, Math.min(count - 1, mostLags + patience));
  const own = covariances[0] ?? 0;
  if (!(own > 0)) return { stationary: 1, circular: 1 };
  const bound = 2 * Math.sqrt(Math.log10(count) / count);
  const isSmall = (lag: number): boolean => Math.abs((covariances[lag] ?? 0) / own) < bound;
  const last = lastLag(mostLags, (lag) => allBetween(lag + 1, lag + patience, isSmall));
  const width = Math.min(2 * Math.max(1, last), mostLags);
  let [g, bigG] = [own, 0];
  for (let lag = 1; lag <= width; lag += 1) {
    const weighted = 2 * flatTop(lag / width) * (covariances[lag] ?? 0);
    g += weighted;
    bigG += lag * weighted;
  }
  const most = Math.ceil(Math.min(3 * Math.sqrt(count), count / 3));
  const { stationary, circular } = optimalBlockLengths(g, bigG, count);
  const within = (length: number): number =>
    Number.isFinite(length) ? Math.min(most, Math.max(1, length)) : most;
  return { stationary: within(stationary), circular: within(circular) };
}

/** The first lag from 0 on that is followed only by small lags; `most` if there is none. */
function lastLag(most: number, isQuietBehind: (lag: number) => boolean): number {
  let lag = 0;
  while (lag < most && !isQuietBehind(lag)) lag += 1;
  return lag;
}

function allBetween(from: number, to: number, isMeant: (lag: number) => boolean): boolean {
  for (let lag = from; lag <= to; lag += 1) if (!isMeant(lag)) return false;
  return true;
}

function flatTop(share: number): number {
  return share <= 0.5 ? 1 : 2 * (1 - share);
}

/** γ̂ᵢ = Σ (r_t − mean)·(r_{t+i} − mean) ÷ n for lags 0 to `most`. */
function autocovariances(series: ArrayLike<number>, most: number): Float64Array {
  const count = series.length;
  const centered = Float64Array.from(series);
  const mean = centered.reduce((sum, value) => sum + value, 0) / count;
  for (let index = 0; index < count; index += 1) centered[index] = (series[index] ?? 0) - mean;
  const result = new Float64Array(most + 1);
  for (let lag = 0; lag <= most; lag += 1) {
    let sum = 0;
    for (let index = lag; index < count; index += 1)
      sum += (centered[index] as number) * (centered[index - lag] as number);
    result[lag] = sum / count;
  }
  return result;
}
