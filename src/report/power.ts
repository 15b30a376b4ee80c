/** Binary digits after the point of the numbers here: integers that count units of the last of them. */
const DIGITS = 160n;
const ONE = 1n << DIGITS;
/** Bases above this, or below one divided by it, take longer than decimals do. */
const MOST_OF_BASE = 4n;
/** Natural logarithm of the largest power. */
const MOST_OF_POWER = 32n << DIGITS;
/** So often is the exponent of e halved before its series is summed, and the sum squared after it. */
const HALVINGS = 12n;

/** An exact number; the divisor is above 0. */
export interface Ratio {
  readonly dividend: bigint;
  readonly divisor: bigint;
}

/**
 * base^exponent − 1 as the nearest float64, the same on every machine, in a tenth of the time that decimals take. Undefined where the base is not
 * in 1/4…4 or the power beyond e^±32, or where its digits do not tell the nearest.
 */
export function powerLessOne(base: Ratio, exponent: Ratio): number | undefined {
  const { dividend, divisor } = base;
  if (dividend > MOST_OF_BASE * divisor || divisor > MOST_OF_BASE * dividend) return undefined;
  const scaled = (logarithm(base) * exponent.dividend) / exponent.divisor;
  if (scaled > MOST_OF_POWER || scaled < -MOST_OF_POWER) return undefined;
  const power = exponential(scaled);
  // Each of at most 2^8 steps cuts less than a unit off; the exponent multiplies what the logarithm lacks, each squaring doubles it, and the power
  // multiplies all of it.
  const perOne = (exponent.dividend / exponent.divisor + 2n) << (8n + HALVINGS);
  const error = (perOne * (power + ONE)) >> DIGITS;
  const rate = power - ONE;
  const low = toNumber(rate - error);
  return low === toNumber(rate + error) ? low : undefined;
}

/** ln(a ÷ b) = 2 artanh((a − b) ÷ (a + b)). */
function logarithm({ dividend, divisor }: Ratio): bigint {
  const ratio = ((dividend - divisor) << DIGITS) / (dividend + divisor);
  const square = (ratio * ratio) >> DIGITS;
  let sum = 0n;
  let power = ratio;
  for (let order = 1n; power !== 0n && power !== -1n; order += 2n) {
    sum += power / order;
    power = (power * square) >> DIGITS;
  }
  return 2n * sum;
}

function exponential(exponent: bigint): bigint {
  const small = exponent >> HALVINGS;
  let sum = ONE;
  let term = small;
  for (let order = 2n; term !== 0n && term !== -1n; order += 1n) {
    sum += term;
    term = ((term * small) >> DIGITS) / order;
  }
  for (let squared = 0n; squared < HALVINGS; squared += 1n) sum = (sum * sum) >> DIGITS;
  return sum;
}

/** Rounds once: a float64 holds the quotient by a power of two as exactly as the number. */
function toNumber(value: bigint): number {
  return Number(value) / Number(ONE);
}
