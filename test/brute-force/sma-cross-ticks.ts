/**
 * Works out the fills of "long while the fast average is above the slow one, else flat". Averages are sums of whole ticks and are never divided.
 * Quantity 1, fee in quote, orders at the next open. It uses no project code. Tests compare the simple averages of the project with it.
 */
export interface TickCandles {
  readonly openTime: ArrayLike<number>;
  readonly open: ArrayLike<number>;
  readonly close: ArrayLike<number>;
}

export interface TickTerms {
  readonly fast: number;
  readonly slow: number;
  /** Decimals of the prices. */
  readonly decimals: number;
  readonly feePerMille: bigint;
}

export interface TickTrades {
  /** Time of the next open, side, price and fee in 10^-18. */
  readonly fills: readonly string[];
  /** Candles on which both averages are equal. */
  readonly ties: number;
}

export function tradeSmaCrossInTicks(candles: TickCandles, terms: TickTerms): TickTrades {
  const { openTime, open, close } = candles;
  const { fast, slow, decimals, feePerMille } = terms;
  const ticksOf = (price: number): bigint => BigInt(price.toFixed(decimals).replace('.', ''));
  const ticks = Array.from(close, ticksOf);
  const unit = 10n ** BigInt(18 - decimals);
  const sum = (last: number, length: number): bigint =>
    ticks.slice(last - length + 1, last + 1).reduce((total, each) => total + each, 0n);
  const fills: string[] = [];
  let isLong = false;
  let ties = 0;
  for (let row = slow - 1; row + 1 < ticks.length; row += 1) {
    // a / fast > b / slow, without a fraction
    const [left, right] = [sum(row, fast) * BigInt(slow), sum(row, slow) * BigInt(fast)];
    if (left === right) ties += 1;
    if (left > right === isLong) continue;
    isLong = !isLong;
    const price = ticksOf(open[row + 1] as number) * unit;
    const fee = (price * feePerMille) / 1_000n;
    fills.push([openTime[row + 1], isLong ? 'buy' : 'sell', price, fee].join(','));
  }
  return { fills, ties };
}
