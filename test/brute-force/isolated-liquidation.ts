/**
 * Works out the slow way when an isolated position is liquidated, at what price and how much of it, from candles, marks and tiers. It uses no
 * project code but the decimals. Tests compare the liquidations of the simulated venue with it.
 */
import { Decimal } from '../../src/domain/index.js';
import type { Bars } from './hold-contract.js';

const Exact = Decimal.clone({ precision: 80 });
type Amount = InstanceType<typeof Exact>;

export interface IsolatedEntry {
  readonly isLong: boolean;
  readonly isInverse: boolean;
  readonly contracts: string;
  /** Base of a linear contract, or quote of an inverse one. */
  readonly face: string;
  /** Open time of a candle. */
  readonly entryTime: number;
  readonly entryPrice: string;
  readonly leverage: string;
  /** Smallest first; the last has no maximum. */
  readonly tiers: readonly { readonly max: string | undefined; readonly keep: string }[];
  readonly maxFeeRate: string;
  /** Half the spread and the slippage, as a ratio of the price. */
  readonly cost: string;
  readonly tick: string;
}

export interface ForcedClose {
  readonly time: number;
  readonly price: string;
  readonly contracts: string;
}

/** A straight piece of a candle's path: start and end of mark, of last and of time. */
interface Piece {
  readonly from: number;
  readonly to: number;
  readonly mark: readonly [from: Amount, to: Amount];
  readonly last: readonly [from: Amount, to: Amount];
}

/** Money and contracts of a position, in the margin asset. */
interface Position {
  contracts: Amount;
  entry: Amount;
  margin: Amount;
  kept: Amount;
}

/** Factor just above 1: a value on the border of a tier times this lies in the next tier. The difference changes no result. */
const ABOVE = '1.0000000000000000000000000000000000000001';

const round = (amount: Amount): Amount => amount.toDecimalPlaces(18, Decimal.ROUND_HALF_EVEN);

/** Returns the forced closes of a position without other orders, until nothing is left or the candles end. */
export function liquidationsOf(
  candles: Bars,
  marks: Bars,
  entry: IsolatedEntry,
): readonly ForcedClose[] {
  const closes: ForcedClose[] = [];
  const position = open(entry);
  const markRows = new Map(Array.from(marks.openTime, (time, row) => [time, row]));
  const first = Array.from(candles.openTime).indexOf(entry.entryTime);
  for (let row = first; row < candles.openTime.length; row += 1) {
    for (const piece of piecesOf(candles, row, {
      marks,
      row: markRows.get(candles.openTime[row] ?? 0),
    }))
      walk(piece, position, entry, closes);
    if (position.contracts.eq(0)) break;
  }
  return closes;
}

function open({ contracts, entryPrice, leverage, ...terms }: IsolatedEntry): Position {
  const entry = round(worth(terms, new Exact(contracts), new Exact(entryPrice)));
  return {
    contracts: new Exact(contracts),
    entry,
    margin: round(entry.div(leverage)),
    kept: new Exact(0),
  };
}

function worth(
  { isInverse, face }: Pick<IsolatedEntry, 'isInverse' | 'face'>,
  contracts: Amount,
  price: Amount,
): Amount {
  const size = contracts.times(face);
  return isInverse ? size.div(price) : size.times(price);
}

/** The path goes to the nearer extreme first. Mark visits its extremes in the same order as last. */
function piecesOf(
  candles: Bars,
  row: number,
  mark: { readonly marks: Bars; readonly row: number | undefined },
): readonly Piece[] {
  const start = candles.openTime[row] as number;
  const next = candles.openTime[row + 1] ?? start + 3_600_000;
  const third = Math.min(3_600_000, next - start) / 3;
  const up = corner(candles.high, row).minus(corner(candles.open, row));
  const down = corner(candles.open, row).minus(corner(candles.low, row));
  const rises = corner(candles.close, row).gte(corner(candles.open, row));
  const isHighFirst = up.eq(down) ? !rises : up.lt(down);
  const last = cornersOf(candles, row, isHighFirst);
  const marked = mark.row === undefined ? last : cornersOf(mark.marks, mark.row, isHighFirst);
  return [0, 1, 2].map((index) => ({
    from: start + index * third,
    to: start + (index + 1) * third,
    mark: [marked[index] as Amount, marked[index + 1] as Amount],
    last: [last[index] as Amount, last[index + 1] as Amount],
  }));
}

function cornersOf(bars: Bars, row: number, isHighFirst: boolean): readonly Amount[] {
  const [high, low] = [corner(bars.high, row), corner(bars.low, row)];
  const extremes = isHighFirst ? [high, low] : [low, high];
  return [corner(bars.open, row), ...extremes, corner(bars.close, row)];
}

function corner(column: ArrayLike<number>, row: number): Amount {
  return new Exact(String(column[row]));
}

/** Makes the forced closes that the piece triggers, step by step. */
function walk(piece: Piece, position: Position, entry: IsolatedEntry, closes: ForcedClose[]): void {
  let passed = new Exact(0);
  while (position.contracts.gt(0)) {
    const at = shareAt(piece, passed, levelOf(position, entry, markAt(piece, passed)), entry);
    if (at === undefined) return;
    passed = at;
    for (
      let isFirst = true;
      isFirst || isShort(position, entry, markAt(piece, at));
      isFirst = false
    ) {
      if (position.contracts.eq(0)) return;
      closes.push(takeDown(piece, at, position, entry));
    }
  }
}

const markAt = ({ mark: [from, to] }: Piece, share: Amount): Amount =>
  from.plus(to.minus(from).times(share));

/** Share of the piece at which the mark reaches the level; `passed` if the mark is already beyond it. */
function shareAt(
  piece: Piece,
  passed: Amount,
  level: Amount | undefined,
  { isLong }: IsolatedEntry,
): Amount | undefined {
  if (level === undefined) return undefined;
  const [from, to] = piece.mark;
  const now = markAt(piece, passed);
  if (isLong ? now.lte(level) : now.gte(level)) return passed;
  if (isLong ? to.gt(level) : to.lt(level)) return undefined;
  return from.minus(level).div(from.minus(to));
}

/** The mark on the losing side of `mark` at which the money is used up. */
function levelOf(position: Position, entry: IsolatedEntry, mark: Amount): Amount | undefined {
  const { tiers, maxFeeRate, isInverse, face } = entry;
  const money = position.margin.plus(position.kept);
  const value = worth(entry, position.contracts, mark);
  const priceOf = (worthThere: Amount): Amount => {
    const size = position.contracts.times(face);
    return isInverse ? size.div(worthThere) : worthThere.div(size);
  };
  const rateOf = (tier: number): Amount => new Exact(tiers[tier]?.keep ?? 0).plus(maxFeeRate);
  if (isShort(position, entry, mark)) return mark;
  const start = tierOf(entry, value);
  if (earnsWithValue(entry)) {
    for (let tier = start; tier >= 0; tier -= 1) {
      const there = position.entry.minus(money).div(new Exact(1).minus(rateOf(tier)));
      const floor = new Exact(tiers[tier - 1]?.max ?? 0);
      if (there.gt(floor)) return priceOf(there);
    }
    return undefined;
  }
  for (let tier = start; tier < tiers.length; tier += 1) {
    const there = position.entry.plus(money).div(rateOf(tier).plus(1));
    const floor = tier === start ? new Exact(0) : new Exact(tiers[tier - 1]?.max ?? 0);
    // Past the border the larger rate of the next tier applies and can liquidate at once. Then the level lies just above the border.
    if (there.lte(floor)) return priceOf(floor.times(ABOVE));
    const ceiling = tiers[tier]?.max;
    if (ceiling === undefined || there.lte(ceiling)) return priceOf(there);
  }
  return undefined;
}

/** Whether the position gains when its value in the margin asset rises. An inverse contract's value rises as the price falls. */
function earnsWithValue({ isLong, isInverse }: IsolatedEntry): boolean {
  return isLong !== isInverse;
}

function tierOf({ tiers }: IsolatedEntry, value: Amount): number {
  return tiers.findIndex(({ max }) => max === undefined || value.lte(max));
}

function isShort(position: Position, entry: IsolatedEntry, mark: Amount): boolean {
  const value = worth(entry, position.contracts, mark);
  const gain = value.minus(position.entry).times(earnsWithValue(entry) ? 1 : -1);
  const keep = new Exact(entry.tiers[tierOf(entry, value)]?.keep ?? 0).plus(entry.maxFeeRate);
  // Rounded as the ledger rounds: a remainder below its last digit counts as zero.
  return round(position.margin.plus(position.kept).plus(gain).minus(value.times(keep))).lte(0);
}

/** Closes down to the maximum of the tier below, or everything in the lowest tier, at last with costs. */
function takeDown(
  piece: Piece,
  share: Amount,
  position: Position,
  entry: IsolatedEntry,
): ForcedClose {
  const mark = markAt(piece, share);
  const tier = tierOf(entry, worth(entry, position.contracts, mark));
  const max = entry.tiers[tier - 1]?.max;
  const kept =
    max === undefined
      ? new Exact(0)
      : (entry.isInverse
          ? new Exact(max).times(mark).div(entry.face)
          : new Exact(max).div(mark.times(entry.face))
        ).floor();
  const contracts = position.contracts.minus(kept);
  const [from, to] = piece.last;
  const last = from.plus(to.minus(from).times(share));
  const sign = entry.isLong ? -1 : 1;
  // A third of a price can have endless decimals.
  const traded = last.times(new Exact(entry.cost).times(sign).plus(1)).toDecimalPlaces(30);
  const ticks = traded.div(entry.tick);
  const paid = entry.isLong ? ticks.floor() : ticks.ceil();
  const price = paid.times(entry.tick);
  close(position, entry, contracts, price);
  const passed = share.times(piece.to - piece.from).toDecimalPlaces(45);
  return {
    time: piece.from + passed.ceil().toNumber(),
    price: price.toFixed(),
    contracts: contracts.toFixed(),
  };
}

/** A loss is paid from the margin of the closed contracts. A profit stays with the position. */
function close(position: Position, entry: IsolatedEntry, contracts: Amount, price: Amount): void {
  const shareOf = (amount: Amount): Amount =>
    contracts.eq(position.contracts)
      ? amount
      : round(amount.times(contracts).div(position.contracts));
  const cost = shareOf(position.entry);
  const margin = shareOf(position.margin);
  const exact = worth(entry, contracts, price);
  const gain = round(exact)
    .minus(cost)
    .times(earnsWithValue(entry) ? 1 : -1);
  const result = gain.minus(round(exact.times(entry.maxFeeRate)));
  const paid = Exact.min(margin, Exact.max(0, result.neg()));
  position.contracts = position.contracts.minus(contracts);
  position.entry = position.entry.minus(cost);
  position.margin = position.margin.minus(margin);
  position.kept = position.kept.plus(result).plus(paid);
}
