const SQRT_2PI = Math.sqrt(2 * Math.PI);
/** Beyond this x the tail is computed by a continued fraction. */
const TAIL = 2.5;
/** More terms of the fraction change no digit at {@link TAIL}. */
const FRACTION_TERMS = 120;

/** Density of the standard normal distribution. */
export function normalDensity(x: number): number {
  return Math.exp((-x * x) / 2) / SQRT_2PI;
}

/**
 * Share of the standard normal distribution at or below x, to about 15 digits, even far out on the left.
 *
 * Source: near the middle 1/2 + φ(x)·Σ x^(2k+1)/(2k+1)!! (Marsaglia 2004), whose terms all have one sign; beyond 2.5 the continued fraction of Laplace,
 * φ(x)/(x + 1/(x + 2/(x + …))).
 */
export function normalCdf(x: number): number {
  if (Number.isNaN(x)) return NaN;
  if (x < -TAIL) return upperTail(-x);
  if (x > TAIL) return 1 - upperTail(x);
  let term = x;
  let sum = x;
  for (let odd = 3; Math.abs(term) > Math.abs(sum) * 1e-17; odd += 2) {
    term *= (x * x) / odd;
    sum += term;
  }
  return 0.5 + sum * normalDensity(x);
}

function upperTail(x: number): number {
  if (x === Infinity) return 0;
  let fraction = x;
  for (let term = FRACTION_TERMS; term >= 1; term -= 1) fraction = x + term / fraction;
  return normalDensity(x) / fraction;
}

type Coefficients = readonly number[];

const MIDDLE: Ratio = {
  above: [
    3.387132872796366608, 133.14166789178437745, 1971.5909503065514427, 13731.693765509461125,
    45921.953931549871457, 67265.770927008700853, 33430.575583588128105, 2509.0809287301226727,
  ],
  below: [
    1, 42.313330701600911252, 687.1870074920579083, 5394.1960214247511077, 21213.794301586595867,
    39307.89580009271061, 28729.085735721942674, 5226.495278852854561,
  ],
};
const NEAR: Ratio = {
  above: [
    1.42343711074968357734, 4.6303378461565452959, 5.7694972214606914055, 3.64784832476320460504,
    1.27045825245236838258, 0.24178072517745061177, 0.0227238449892691845833,
    7.7454501427834140764e-4,
  ],
  below: [
    1, 2.05319162663775882187, 1.6763848301838038494, 0.68976733498510000455,
    0.14810397642748007459, 0.0151986665636164571966, 5.475938084995344946e-4,
    1.05075007164441684324e-9,
  ],
};
const FAR: Ratio = {
  above: [
    6.6579046435011037772, 5.4637849111641143699, 1.7848265399172913358, 0.29656057182850489123,
    0.026532189526576123093, 0.0012426609473880784386, 2.71155556874348757815e-5,
    2.01033439929228813265e-7,
  ],
  below: [
    1, 0.59983220655588793769, 0.13692988092273580531, 0.0148753612908506148525,
    7.868691311456132591e-4, 1.8463183175100546818e-5, 1.4215117583164458887e-7,
    2.04426310338993978564e-15,
  ],
};

interface Ratio {
  readonly above: Coefficients;
  readonly below: Coefficients;
}

/**
 * The x at or below which a share p of the standard normal distribution lies. -Infinity for 0, Infinity for 1, NaN if p is not in 0…1.
 *
 * Source: Wichura 1988, algorithm AS 241 (PPND16), about 16 digits.
 */
export function normalQuantile(p: number): number {
  if (!(p >= 0 && p <= 1)) return NaN;
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) return q * evaluate(MIDDLE, 0.180625 - q * q);
  const tail = q < 0 ? p : 1 - p;
  if (tail === 0) return q < 0 ? -Infinity : Infinity;
  const r = Math.sqrt(-Math.log(tail));
  const x = r <= 5 ? evaluate(NEAR, r - 1.6) : evaluate(FAR, r - 5);
  return q < 0 ? -x : x;
}

function evaluate({ above, below }: Ratio, x: number): number {
  return horner(above, x) / horner(below, x);
}

function horner(coefficients: Coefficients, x: number): number {
  return coefficients.reduceRight((sum, coefficient) => sum * x + coefficient, 0);
}
