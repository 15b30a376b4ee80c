/**
 * Works out the slow way what an SMA crossover trades on candles. It uses no project code. Tests compare engine, risk, venue and ledgers with
 * it. Amounts are whole numbers of 10^-18; decisions at a close trade at the next open.
 */
export interface Candles {
  readonly openTime: ArrayLike<number>;
  readonly open: ArrayLike<number>;
  readonly close: ArrayLike<number>;
  readonly volume: ArrayLike<number>;
}

export interface Terms {
  readonly fast: number;
  readonly slow: number;
  readonly cash: bigint;
  /** Parts per thousand of equity put into an entry, here 950. */
  readonly equityMille: bigint;
  /** Share of the notional, in 10^-18. */
  readonly feeRate: bigint;
  readonly feeInBase: boolean;
  /** Half spread and slippage of a taker, as a share of the price in 10^-18. */
  readonly cost: bigint;
  /** Percent of a candle's volume; undefined: no limit. */
  readonly participationPercent: bigint | undefined;
  readonly tick: bigint;
  readonly step: bigint;
}

export const ONE = 10n ** 18n;

/** The decimal shown by the shortest text of a double, in 10^-18. */
export function exact(value: number): bigint {
  const [digits = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = digits.split('.');
  const shift = 18 + Number(exponent) - fraction.length;
  return shift >= 0
    ? BigInt(whole + fraction) * 10n ** BigInt(shift)
    : BigInt(whole + fraction) / 10n ** BigInt(-shift);
}

const floor = (value: bigint, step: bigint): bigint => (value / step) * step;
const ceil = (value: bigint, step: bigint): bigint => ((value + step - 1n) / step) * step;
const least = (a: bigint, b: bigint | undefined): bigint => (b !== undefined && b < a ? b : a);
/** a × b, half to even at the 18th decimal. */
function times(a: bigint, b: bigint): bigint {
  const whole = (a * b) / ONE;
  const rest = (a * b) % ONE;
  return rest * 2n > ONE || (rest * 2n === ONE && whole % 2n === 1n) ? whole + 1n : whole;
}

/** The fast average minus the slow one, times both lengths: a whole number of 10^-18. `sums[row]` is the sum of all closes up to `row`. */
function distance(sums: readonly bigint[], last: number, { fast, slow }: Terms): bigint {
  const sum = (length: number): bigint =>
    (sums[last] as bigint) - (last < length ? 0n : (sums[last - length] as bigint));
  return sum(fast) * BigInt(slow) - sum(slow) * BigInt(fast);
}

export function tradeSmaCross(
  candles: Candles,
  terms: Terms,
): { readonly fills: readonly string[]; readonly equity: bigint } {
  const { openTime, open, close, volume } = candles;
  const { slow, feeRate, feeInBase, cost, step, tick } = terms;
  let total = 0n;
  const sums = Array.from(close, (value) => (total += exact(value)));
  const fills: string[] = [];
  let cash = terms.cash;
  let base = 0n;
  for (let row = slow; row < close.length; row += 1) {
    const now = distance(sums, row, terms);
    const before = distance(sums, row - 1, terms);
    const [isAbove, wasAbove] = [now > 0n, before > 0n];
    const [isBelow, wasBelow] = [now < 0n, before < 0n];
    const next = row + 1;
    if (next >= close.length) break;
    const pool =
      terms.participationPercent === undefined
        ? undefined
        : floor((exact(volume[next] as number) * terms.participationPercent) / 100n, step);
    const path = exact(open[next] as number);
    if (isAbove && !wasAbove && base < step) {
      const equity = cash + times(base, exact(close[row] as number));
      // Dust counts in equity and cannot be spent.
      const stake = least((equity * terms.equityMille) / 1_000n, cash);
      const amount = floor(feeInBase ? stake : (stake * ONE) / (ONE + feeRate), 10n ** 10n);
      // Risk refuses an amount that buys less than a step at the last price.
      if ((amount * ONE) / exact(close[row] as number) < step) continue;
      const price = ceil((path * (ONE + cost) + ONE - 1n) / ONE, tick);
      const quantity = least(floor((amount * ONE) / price, step), pool);
      if (quantity === 0n) continue;
      cash -= times(price, quantity);
      base += quantity;
      if (feeInBase) base -= times(quantity, feeRate);
      else cash -= times(times(price, quantity), feeRate);
      fills.push(`${String(openTime[next])},buy,${String(price)},${String(quantity)}`);
    } else if (isBelow && !wasBelow && base >= step) {
      const price = floor((path * (ONE - cost)) / ONE, tick);
      const quantity = least(floor(base, step), pool);
      if (quantity === 0n) continue;
      cash += times(price, quantity) - times(times(price, quantity), feeRate);
      base -= quantity;
      fills.push(`${String(openTime[next])},sell,${String(price)},${String(quantity)}`);
    }
  }
  return { fills, equity: cash + times(base, exact(close[close.length - 1] as number)) };
}
