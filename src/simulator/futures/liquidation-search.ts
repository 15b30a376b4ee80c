import {
  divideHalfEven,
  FIXED_ONE,
  maxFixed,
  minFixed,
  type EpochMs,
  type Fixed,
  type InstrumentId,
} from '../../domain/index.js';
import type { PathSegment } from '../candle-path.js';
import type { ContractPosition } from './contract-position.js';
import { cushionOf, largestRate, maintenanceRate, type Cushion } from './maintenance.js';
import type { MarginBook } from './margin-book.js';

/** The mark at an instant of a straight piece, rounded once, half to even; before and after the piece, its ends. */
export function markAt({ fromTime, toTime, from, to }: PathSegment, time: EpochMs): Fixed {
  if (time >= toTime) return to;
  if (time <= fromTime) return from;
  const span = BigInt(toTime - fromTime);
  return divideHalfEven(from * span + (to - from) * BigInt(time - fromTime), span);
}

/** Where the marks of an account go, one straight piece for each contract that moves; the others stay. */
export type MarkMoves = ReadonlyMap<InstrumentId, PathSegment>;

/**
 * First whole millisecond within [`fromTime`, `toTime`] at which the venue liquidates: an isolated position, or the cross account.
 * Undefined when there is none. Exact: marks are those of {@link markAt}, and every millisecond that is passed over is proved safe.
 */
export function firstLiquidation(
  book: MarginBook,
  moves: MarkMoves,
  { fromTime, toTime }: { readonly fromTime: EpochMs; readonly toTime: EpochMs },
): EpochMs | undefined {
  let found: EpochMs | undefined;
  for (const account of standingAccounts(book, moves)) {
    const until = found ?? toTime;
    found =
      (account.isShortAt(fromTime) ? fromTime : firstShort(account, fromTime, until)) ?? found;
    if (found === fromTime) return found;
  }
  return found;
}

/** Money that stands for itself: of one isolated position, or of all cross positions together. */
interface StandingAccount {
  isShortAt(time: EpochMs): boolean;
  /** Whether it is proved that the money suffices from `a` to `b`. */
  isSafeWithin(a: EpochMs, b: EpochMs): boolean;
}

/** First millisecond in (a, b] at which the money does not suffice; halves what is not proved safe. */
function firstShort(account: StandingAccount, a: EpochMs, b: EpochMs): EpochMs | undefined {
  if (a >= b || account.isSafeWithin(a, b)) return undefined;
  if (b - a === 1) return account.isShortAt(b) ? b : undefined;
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
  const valueAt = (position: ContractPosition, time: EpochMs): Fixed => {
    const move = moves.get(position.terms.instrument.id);
    return position.valueAt(move === undefined ? position.terms.mark : markAt(move, time));
  };
  return {
    isShortAt: (time) =>
      positions.reduce((cushion, position) => {
        const value = valueAt(position, time);
        return cushion + cushionOf(position, value, maintenanceRate(position.terms, value));
      }, money * FIXED_ONE) <= 0n,
    isSafeWithin: (a, b) => smallestCushion(positions, valueAt, { a, b }) + money * FIXED_ONE > 0n,
  };
}

/**
 * A lower bound of the cushions' sum over a span. With the largest rate of the tiers between its ends, each is linear in the value, and the
 * value moves one way, so each is smallest at an end. Values of linear contracts move evenly, so there the sum is smallest at an end too,
 * but for what rounding does.
 */
function smallestCushion(
  positions: readonly ContractPosition[],
  valueAt: (position: ContractPosition, time: EpochMs) => Fixed,
  { a, b }: { readonly a: EpochMs; readonly b: EpochMs },
): Cushion {
  let atStart = 0n;
  let atEnd = 0n;
  let apart = 0n;
  let rounding = 0n;
  let isEven = true;
  for (const position of positions) {
    const { terms } = position;
    const [from, to] = [valueAt(position, a), valueAt(position, b)];
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
