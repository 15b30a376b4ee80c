import {
  divideHalfEven,
  FIXED_ONE,
  maxFixed,
  minFixed,
  type EpochMs,
  type Fixed,
  type InstrumentId,
} from '../../domain/index.js';
import {
  atMillisecond,
  PARTS_OF_MS,
  type Crossing,
  type PathSegment,
} from '../path/candle-path.js';
import type { ContractPosition } from './contract-position.js';
import { cushionOf, largestRate, maintenanceRate, type Cushion } from './maintenance.js';
import type { MarginBook } from './margin-book.js';

/** The mark at an instant of a straight segment, rounded once, half to even. Before and after the segment, its ends. */
export function markOnSegment({ fromTime, toTime, from, to }: PathSegment, time: EpochMs): Fixed {
  if (time >= toTime) return to;
  if (time <= fromTime) return from;
  const span = BigInt(toTime - fromTime);
  return divideHalfEven(from * span + (to - from) * BigInt(time - fromTime), span);
}

/** As {@link markOnSegment}, at a crossing. */
export function markAtCrossing(piece: PathSegment, { time, part }: Crossing): Fixed {
  const { fromTime, toTime, from, to } = piece;
  if (part === PARTS_OF_MS || time > toTime || time <= fromTime) return markOnSegment(piece, time);
  const span = BigInt(toTime - fromTime) * PARTS_OF_MS;
  const passed = BigInt(time - 1 - fromTime) * PARTS_OF_MS + part;
  return divideHalfEven(from * span + (to - from) * passed, span);
}

/** The moves of an account's marks: one straight segment for each contract that moves. All other marks stay. */
export type MarkMoves = ReadonlyMap<InstrumentId, PathSegment>;

/**
 * The first instant within [`fromTime`, `toTime`] at which the venue liquidates an isolated position or the cross account. Undefined if there is
 * none. Exact: marks are those of {@link markAtCrossing}, and every skipped millisecond is proved safe. A liquidation that is already due at
 * `fromTime` was not caused by these moves: its crossing is the whole millisecond.
 */
export function firstLiquidation(
  book: MarginBook,
  moves: MarkMoves,
  { fromTime, toTime }: { readonly fromTime: EpochMs; readonly toTime: EpochMs },
): Crossing | undefined {
  let found: EpochMs | undefined;
  for (const account of standingAccounts(book, moves)) {
    const until = found ?? toTime;
    found =
      (isShortAt(account, fromTime) ? fromTime : firstShort(account, fromTime, until)) ?? found;
    if (found === fromTime) return atMillisecond(found);
  }
  return found === undefined ? undefined : firstWithin(book, moves, { time: found, part: 0n });
}

/** As {@link firstLiquidation}, within the one millisecond that ends at `time`, after its first `part`. */
export function firstWithin(
  book: MarginBook,
  moves: MarkMoves,
  { time, part }: Crossing,
): Crossing | undefined {
  let first: bigint | undefined;
  for (const account of standingAccounts(book, moves)) {
    if (!isShortAt(account, time)) continue;
    // The money suffices at `enough` and does not suffice at `short`.
    let [enough, short] = [part, PARTS_OF_MS];
    while (short - enough > 1n) {
      const middle = (enough + short) / 2n;
      if (account.isShortAt({ time, part: middle })) short = middle;
      else enough = middle;
    }
    if (first === undefined || short < first) first = short;
  }
  return first === undefined ? undefined : { time, part: first };
}

/** One separate pool of money: of one isolated position, or of all cross positions together. */
interface StandingAccount {
  isShortAt(at: Crossing): boolean;
  /** Whether it is proved that the money suffices from `a` to `b`. */
  isSafeWithin(a: EpochMs, b: EpochMs): boolean;
}

function isShortAt(account: StandingAccount, time: EpochMs): boolean {
  return account.isShortAt(atMillisecond(time));
}

/** First millisecond in (a, b] at which the money does not suffice. Halves each span that is not proved safe. */
function firstShort(account: StandingAccount, a: EpochMs, b: EpochMs): EpochMs | undefined {
  if (a >= b || account.isSafeWithin(a, b)) return undefined;
  if (b - a === 1) return isShortAt(account, b) ? b : undefined;
  const middle = a + Math.floor((b - a) / 2);
  return firstShort(account, a, middle) ?? firstShort(account, middle, b);
}

function* standingAccounts(book: MarginBook, moves: MarkMoves): Generator<StandingAccount> {
  const cross: ContractPosition[] = [];
  for (const contract of book.contracts)
    for (const position of contract.positions) {
      if (!position.isHeld) continue;
      if (!position.isIsolated) cross.push(position);
      else yield standing(moves, [position], position.money.margin + position.money.kept);
    }
  if (cross.length > 0) yield standing(moves, cross, book.crossBalance);
}

function standing(
  moves: MarkMoves,
  positions: readonly ContractPosition[],
  money: Fixed,
): StandingAccount {
  const valueAt = (position: ContractPosition, at: Crossing): Fixed => {
    const move = moves.get(position.terms.instrument.id);
    return position.valueAt(move === undefined ? position.terms.mark : markAtCrossing(move, at));
  };
  return {
    isShortAt: (at) =>
      positions.reduce((cushion, position) => {
        const value = valueAt(position, at);
        return cushion + cushionOf(position, value, maintenanceRate(position.terms, value));
      }, money * FIXED_ONE) <= 0n,
    isSafeWithin: (a, b) => smallestCushion(positions, valueAt, { a, b }) + money * FIXED_ONE > 0n,
  };
}

/**
 * A lower bound of the cushions' sum over a span. It uses the largest tier rate between the two values. Each cushion is then linear in the value, and
 * the value moves in one direction, so each cushion is smallest at an end. Values of linear contracts move evenly, so their sum is smallest at an end
 * too, apart from rounding.
 */
function smallestCushion(
  positions: readonly ContractPosition[],
  valueAt: (position: ContractPosition, at: Crossing) => Fixed,
  { a, b }: { readonly a: EpochMs; readonly b: EpochMs },
): Cushion {
  let atStart = 0n;
  let atEnd = 0n;
  let apart = 0n;
  let rounding = 0n;
  let isEven = true;
  for (const position of positions) {
    const { terms } = position;
    const from = valueAt(position, atMillisecond(a));
    const to = valueAt(position, atMillisecond(b));
    const rate = from < to ? largestRate(terms, from, to) : largestRate(terms, to, from);
    const [start, end] = [cushionOf(position, from, rate), cushionOf(position, to, rate)];
    atStart += start;
    atEnd += end;
    apart += minFixed(start, end);
    // Half a unit of the mark and half a unit of the value, on both sides, at a weight of at most 1 + rate.
    rounding += (position.holding.quantity * terms.instrument.multiplier) / FIXED_ONE + FIXED_ONE;
    isEven &&= terms.instrument.contract === 'linear';
  }
  return isEven ? maxFixed(apart, minFixed(atStart, atEnd) - 4n * rounding) : apart;
}
