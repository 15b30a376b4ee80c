import { divideHalfEven, FIXED_ONE, formatFixed, type Fixed } from '../../domain/index.js';
import type { FillValue } from '../figures/fill-value.js';
import type { ResultFill, Trade } from '../result/result-schema.js';

/** A fill with its index in the result and its entry there. */
export interface PlacedFill {
  readonly place: number;
  readonly entry: ResultFill;
  readonly value: FillValue;
}

/** Fills of one end of a trade: of its entry, or of its exit. */
export interface TradeEnd {
  readonly first: PlacedFill;
  last: ResultFill;
  /** Indexes of the fills in the result. It starts with one element: V8 reserves room for many more when an empty list grows. */
  readonly fills: number[];
  /** Undefined with one fill. */
  sum: EndSum | undefined;
}

/** Sums over several fills of an end. */
interface EndSum {
  /** Whether all fills have the price of the first. Then it is the average, without rounding. */
  isOnePrice: boolean;
  /** Quantity of the fills. A fee in base is not deducted. */
  traded: Fixed;
  /** Σ price × quantity, not rounded; for inverse contracts Σ quantity ÷ price. */
  worth: bigint;
  /** Quantity that entered or left the position. */
  quantity: Fixed;
}

/** Adds a fill to an end. `end`: undefined before its first fill. */
export function addToEnd(end: TradeEnd | undefined, fill: PlacedFill): TradeEnd {
  const { place, entry, value } = fill;
  if (end === undefined) return { first: fill, last: entry, fills: [place], sum: undefined };
  const { price, quantity } = value.fill.record;
  const first = end.first.value;
  end.last = entry;
  end.fills.push(place);
  const sum = (end.sum ??= {
    isOnePrice: true,
    traded: first.fill.record.quantity,
    worth: worthOf(first),
    quantity: first.quantity,
  });
  sum.isOnePrice &&= first.fill.record.price === price;
  sum.traded += quantity;
  sum.worth += worthOf(value);
  sum.quantity += value.quantity;
  return end;
}

/** An end in the form of a result. `fill`: the fill that gives its time, label and cause. */
export function describeEnd(
  { first: { entry, value }, fills, sum }: TradeEnd,
  { time, label, cause }: ResultFill,
): Trade['entry'] {
  let { price, quantity } = entry;
  if (sum !== undefined) {
    price = formatFixed(averagePrice(value, sum));
    quantity = formatFixed(sum.quantity);
  } else if (value.quantity !== value.fill.record.quantity) quantity = formatFixed(value.quantity);
  return { time, price, quantity, fills, label, cause };
}

function averagePrice(
  { fill: { record }, isInverse }: FillValue,
  { isOnePrice, traded, worth }: EndSum,
): Fixed {
  if (isOnePrice || worth === 0n) return record.price;
  return isInverse ? divideHalfEven(traded * FIXED_ONE, worth) : divideHalfEven(worth, traded);
}

function worthOf({ fill: { record }, isInverse }: FillValue): bigint {
  return isInverse
    ? divideHalfEven(record.quantity * FIXED_ONE, record.price)
    : record.quantity * record.price;
}
