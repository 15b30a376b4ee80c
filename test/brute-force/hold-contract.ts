/**
 * Works out the slow way what it costs in funding to hold a contract, and in which candle it is liquidated. It uses no project code but the
 * decimals. Tests compare marks, funding and liquidation of the simulated venue with it.
 */
import { Decimal } from '../../src/domain/index.js';

const Exact = Decimal.clone({ precision: 80 });
type Amount = InstanceType<typeof Exact>;

export interface Bars {
  readonly openTime: ArrayLike<number>;
  readonly open: ArrayLike<number>;
  readonly high: ArrayLike<number>;
  readonly low: ArrayLike<number>;
  readonly close: ArrayLike<number>;
}

export interface Hold {
  readonly isLong: boolean;
  readonly isInverse: boolean;
  readonly contracts: string;
  readonly face: string;
  readonly entryTime: number;
  readonly entryPrice: string;
  /** Isolated: the position's margin; cross: the account's balance. */
  readonly money: string;
  /** Maintenance margin as a share of the value at mark. */
  readonly keep: string;
}

export interface Outcome {
  /** Funding as decimal text. Positive: the position paid. */
  readonly funding: string;
  /** Open time of the candle of the liquidation. */
  readonly liquidatedIn: number | undefined;
}

const round = (amount: Amount): Amount => amount.toDecimalPlaces(18);

export function holdContract(
  candles: Bars,
  marks: Bars,
  rates: { readonly time: ArrayLike<number>; readonly rate: ArrayLike<number> },
  hold: Hold,
): Outcome {
  const markRows = new Map(Array.from(marks.openTime, (time, row) => [time, row]));
  const rateRows = new Map(Array.from(rates.time, (time, row) => [time, row]));
  const face = new Exact(hold.contracts).times(hold.face);
  const worth = (price: string | number): Amount =>
    round(hold.isInverse ? face.div(String(price)) : face.times(String(price)));
  const entry = worth(hold.entryPrice);
  const sign = hold.isLong ? 1 : -1;
  let money = new Exact(hold.money);
  let funding = new Exact(0);
  for (let row = 0; row < candles.openTime.length; row += 1) {
    const time = candles.openTime[row] as number;
    if (time < hold.entryTime) continue;
    const markRow = markRows.get(time);
    const [bars, place] = markRow === undefined ? [candles, row] : [marks, markRow];
    const rateRow = rateRows.get(time);
    if (rateRow !== undefined && time > hold.entryTime) {
      // The mark at the boundary. Without a mark candle: last at the end of the previous candle.
      const price = markRow === undefined ? candles.close[row - 1] : marks.open[markRow];
      const paid = round(worth(price as number).times(String(rates.rate[rateRow])));
      funding = funding.plus(paid.times(sign));
      money = money.minus(paid.times(sign));
    }
    // The liquidation check uses the worst price of the candle: the extreme against the position.
    const value = worth((hold.isLong ? bars.low[place] : bars.high[place]) as number);
    const gain = value.minus(entry).times(hold.isInverse ? -sign : sign);
    if (money.plus(gain).lte(value.times(hold.keep)))
      return { funding: funding.toFixed(), liquidatedIn: time };
  }
  return { funding: funding.toFixed(), liquidatedIn: undefined };
}
