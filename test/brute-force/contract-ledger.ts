/**
 * Works out again what a run on one contract owns at its end, from the fills of its result file. It uses no project code but the decimals.
 * Tests compare fees, funding, realized profit and equity with it. Cross margin; every posting is rounded once, half to even, to 18 decimals.
 */
import { Decimal } from '../../src/domain/index.js';

const Exact = Decimal.clone({ precision: 80, rounding: Decimal.ROUND_HALF_EVEN });
type Amount = InstanceType<typeof Exact>;

/** Causes of fills that the venue made itself. They pay the forced fee. */
const FORCED: ReadonlySet<string | null> = new Set(['liquidation', 'netting', 'margin-call']);

/** A fill in the form of the result file. */
export interface LedgerFill {
  readonly time: number;
  readonly action: string;
  readonly side: string;
  readonly price: string;
  readonly quantity: string;
  readonly fee: string;
  readonly liquidity: string;
  readonly cause: string | null;
}

export interface LedgerTerms {
  readonly isInverse: boolean;
  readonly multiplier: string;
  readonly initial: string;
  readonly maker: string;
  readonly taker: string;
  /** Fee rate of forced orders. */
  readonly forced: string;
  readonly from: number;
  readonly to: number;
}

export interface LedgerData {
  readonly marks: {
    readonly openTime: ArrayLike<number>;
    readonly open: ArrayLike<number>;
    readonly close: ArrayLike<number>;
  };
  readonly rates: { readonly time: ArrayLike<number>; readonly rate: ArrayLike<number> };
}

export interface Ledger {
  /** Fee of each fill. */
  readonly fees: readonly string[];
  readonly feesPaid: string;
  /** Each payment of each side, in order: time, direction, amount paid. */
  readonly funding: readonly string[];
  readonly fundingPaid: string;
  readonly profit: string;
  readonly finalEquity: string;
  /** Equity at each UTC midnight after the start, up to the end. */
  readonly midnights: readonly (readonly [time: number, equity: string])[];
  readonly isFlat: boolean;
}

interface Side {
  contracts: Amount;
  /** Sum of the rounded values it was opened at. */
  entryValue: Amount;
}

const DAY_MS = 86_400_000;
const round = (amount: Amount): Amount => amount.toDecimalPlaces(18);

export function keepLedger(
  fills: readonly LedgerFill[],
  { marks, rates }: LedgerData,
  terms: LedgerTerms,
): Ledger {
  const markRows = new Map(Array.from(marks.openTime, (time, row) => [time, row]));
  const rateAt = new Map(Array.from(rates.time, (time, row) => [time, rates.rate[row] as number]));
  const sides: Record<'long' | 'short', Side> = {
    long: { contracts: new Exact(0), entryValue: new Exact(0) },
    short: { contracts: new Exact(0), entryValue: new Exact(0) },
  };
  const worth = (contracts: Amount, price: string | number): Amount => {
    const face = contracts.times(terms.multiplier);
    return terms.isInverse ? face.div(String(price)) : face.times(String(price));
  };
  const gain = (direction: 'long' | 'short', from: Amount, to: Amount): Amount =>
    (direction === 'long') === terms.isInverse ? from.minus(to) : to.minus(from);
  const markOf = (time: number, column: 'open' | 'close'): number => {
    const row = markRows.get(time);
    if (row === undefined)
      throw new Error(`expected a mark candle of ${new Date(time).toISOString()}, received none`);
    return marks[column][row] as number;
  };

  const fees: string[] = [];
  const funding: string[] = [];
  const midnights: (readonly [number, string])[] = [];
  let [feesPaid, fundingPaid, profit] = [new Exact(0), new Exact(0), new Exact(0)];

  const equityAt = (time: number): string => {
    // At this time the latest known mark is the close of the mark candle that ends now.
    const mark = markOf(time - 3_600_000, 'close');
    let equity = new Exact(terms.initial).plus(profit).minus(feesPaid).minus(fundingPaid);
    for (const direction of ['long', 'short'] as const) {
      const { contracts, entryValue } = sides[direction];
      if (!contracts.isZero())
        equity = equity.plus(gain(direction, entryValue, round(worth(contracts, mark))));
    }
    return equity.toFixed();
  };

  const settle = (time: number): void => {
    const rate = rateAt.get(time);
    if (rate === undefined) return;
    for (const direction of ['long', 'short'] as const) {
      const { contracts } = sides[direction];
      if (contracts.isZero()) continue;
      const due = round(worth(contracts, markOf(time, 'open')).times(String(rate)));
      const paid = direction === 'long' ? due : due.negated();
      funding.push(`${String(time)} ${direction} ${paid.toFixed()}`);
      fundingPaid = fundingPaid.plus(paid);
    }
  };

  const book = (fill: LedgerFill): void => {
    const isOpening = fill.action === 'open';
    const direction = (fill.side === 'buy') === isOpening ? 'long' : 'short';
    const side = sides[direction];
    const contracts = new Exact(fill.quantity);
    const exact = worth(contracts, fill.price);
    const value = round(exact);
    const ordinary = fill.liquidity === 'maker' ? terms.maker : terms.taker;
    const fee = round(exact.times(FORCED.has(fill.cause) ? terms.forced : ordinary));
    fees.push(fee.toFixed());
    feesPaid = feesPaid.plus(fee);
    if (isOpening) {
      side.contracts = side.contracts.plus(contracts);
      side.entryValue = side.entryValue.plus(value);
      return;
    }
    // A partial close takes its share of the entry value. The last close takes the rest.
    const share = contracts.eq(side.contracts)
      ? side.entryValue
      : round(side.entryValue.times(contracts).div(side.contracts));
    profit = profit.plus(gain(direction, share, value));
    side.contracts = side.contracts.minus(contracts);
    side.entryValue = side.entryValue.minus(share);
  };

  // Funding and the end of a day fall on full minutes. Fills before that time are booked first.
  const instants = new Set([
    ...Array.from(rates.time).filter((time) => time > terms.from && time <= terms.to),
    ...midnightsBetween(terms.from, terms.to),
  ]);
  let next = 0;
  for (const time of [...instants].sort((a, b) => a - b)) {
    for (let fill = fills[next]; fill !== undefined && fill.time < time; fill = fills[next]) {
      book(fill);
      next += 1;
    }
    settle(time);
    if (time % DAY_MS === 0) midnights.push([time, equityAt(time)]);
  }
  for (const fill of fills.slice(next)) book(fill);
  return {
    fees,
    feesPaid: feesPaid.toFixed(),
    funding,
    fundingPaid: fundingPaid.toFixed(),
    profit: profit.toFixed(),
    finalEquity: equityAt(terms.to),
    midnights,
    isFlat: sides.long.contracts.isZero() && sides.short.contracts.isZero(),
  };
}

function midnightsBetween(from: number, to: number): readonly number[] {
  const times: number[] = [];
  for (let time = (Math.floor(from / DAY_MS) + 1) * DAY_MS; time <= to; time += DAY_MS)
    times.push(time);
  return times;
}
