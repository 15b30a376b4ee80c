/** Strategies that always hold a position, as classes and by hand: they buy when flat, and exits on each position close it. */
import type { CandleColumns, Protection, Size } from '../../src/domain/index.js';
import { CandleStrategy, type EntryTerms } from '../../src/strategy/index.js';
import { FIRES_AT_END, HandGuard, SOLD, STAYS, type HandExits } from './hand-guard.js';
import type { History } from './history.js';
import type { HandResult, HandWork } from './reference-by-hand.js';

const ONE_COIN: Size = { quantity: '1' };
/** 1,000 contracts of 0.001 each. */
const CONTRACTS: Size = { quantity: '1000' };
const BRACKET: EntryTerms = {
  protection: { stopLoss: { ratio: '0.01' }, takeProfit: { ratio: '0.01' } } satisfies Protection,
};
const TRAILING: EntryTerms = {
  protection: { trailingStop: { ratio: '0.01' } } satisfies Protection,
};

/** A stop 1 % below the entry price, a target 1 % above. */
export const HAND_BRACKET = { stop: 1, target: 1 } as const;
export const HAND_TRAILING = { trailing: 1 } as const;

abstract class AlwaysIn extends CandleStrategy({}) {
  abstract readonly size: Size;
  abstract readonly terms: EntryTerms;

  /** An entry does nothing while a position or an entry order is open. */
  override onCandle(): void {
    this.enterLong(this.size, this.terms);
  }
}

export class AlwaysGuarded extends AlwaysIn {
  readonly size = ONE_COIN;
  readonly terms = BRACKET;
}

export class AlwaysGuardedContracts extends AlwaysIn {
  readonly size = CONTRACTS;
  readonly terms = BRACKET;
}

export class AlwaysTrailing extends AlwaysIn {
  readonly size = ONE_COIN;
  readonly terms = TRAILING;
}

export class AlwaysTrailingContracts extends AlwaysIn {
  readonly size = CONTRACTS;
  readonly terms = TRAILING;
}

/** Buys a coin at the open after each candle that closes flat. A sale is known at the close of its candle. */
export function guardByHand(columns: CandleColumns, exits: HandExits): HandResult {
  const { open, high, low, close } = columns;
  const guard = new HandGuard(exits);
  let [below, above] = [guard.below, guard.above];
  let [cash, equity, highest, fills] = [10_000_000, 10_000_000, 0, 0];
  let outcome = SOLD;
  for (let row = 1; row < close.length; row += 1) {
    if (outcome === FIRES_AT_END) {
      outcome = SOLD;
      cash += (open[row] as number) * 0.999;
      fills += 1;
      // Flat from here, and the next entry is decided at this candle's close.
      equity = cash;
      continue;
    }
    if (outcome === SOLD) {
      const paid = open[row] as number;
      outcome = STAYS;
      cash -= paid * 1.001;
      fills += 1;
      guard.enter(paid);
      [below, above] = [guard.below, guard.above];
    }
    if ((low[row] as number) < below || (high[row] as number) > above) {
      outcome = guard.walk(columns, row);
      [below, above] = [guard.below, guard.above];
      if (outcome === SOLD) {
        cash += guard.price * 0.999;
        fills += 1;
      }
    }
    equity = outcome === SOLD ? cash : cash + (close[row] as number);
    if (equity > highest) highest = equity;
  }
  return { cash: highest, equity, fills };
}

/**
 * Works out by hand a strategy that is long while one average is above another, with exits on each position. After such an exit it buys again
 * as long as the averages say so.
 */
export function guardAveragesByHand(
  columns: CandleColumns,
  { fast: fastPeriod, slow: slowPeriod }: HandWork,
  exits: HandExits,
): HandResult {
  const { open, high, low, close } = columns;
  const guard = new HandGuard(exits);
  let [below, above] = [guard.below, guard.above];
  let [cash, fills, fast, slow] = [10_000_000, 0, 0, 0];
  let [outcome, isAbove] = [SOLD, false];
  for (let row = 0; row < close.length; row += 1) {
    if (outcome === FIRES_AT_END || (outcome === STAYS && !isAbove)) {
      outcome = SOLD;
      cash += (open[row] as number) * 0.999;
      fills += 1;
    } else if (outcome === SOLD && isAbove) {
      outcome = STAYS;
      const paid = open[row] as number;
      cash -= paid * 1.001;
      fills += 1;
      guard.enter(paid);
      [below, above] = [guard.below, guard.above];
    }
    const isReached = (low[row] as number) < below || (high[row] as number) > above;
    if (isReached && outcome === STAYS) {
      outcome = guard.walk(columns, row);
      [below, above] = [guard.below, guard.above];
      if (outcome === SOLD) {
        cash += guard.price * 0.999;
        fills += 1;
      }
    }
    fast += close[row] as number;
    slow += close[row] as number;
    if (row >= fastPeriod) fast -= close[row - fastPeriod] as number;
    if (row >= slowPeriod) slow -= close[row - slowPeriod] as number;
    // Exact sums of prices lie on the tick grid. The tolerance covers the rounding of floats.
    isAbove = row >= slowPeriod - 1 && fast * slowPeriod - slow * fastPeriod > 0.005;
  }
  return { cash, equity: outcome === SOLD ? cash : cash + (close.at(-1) as number), fills };
}

/** {@link guardByHand} with 1,000 contracts of 0.001: equity at the mark of each candle, and funding at its boundaries. */
export function guardContractsByHand(
  { columns, marks, funding }: History,
  exits: HandExits,
): HandResult {
  const { openTime, open, high, low, close } = columns;
  const guard = new HandGuard(exits);
  let [below, above] = [guard.below, guard.above];
  let [cash, entry, equity, highest, fills, settled] = [10_000_000, 0, 10_000_000, 0, 0, 0];
  let outcome = SOLD;
  for (let row = 1; row < close.length; row += 1) {
    while ((funding.time[settled] ?? Infinity) <= (openTime[row] as number)) {
      if (outcome !== SOLD) cash -= (marks.open[row] as number) * (funding.rate[settled] as number);
      settled += 1;
    }
    if (outcome === FIRES_AT_END) {
      outcome = SOLD;
      cash += (open[row] as number) * 0.999 - entry;
      fills += 1;
      equity = cash;
      continue;
    }
    if (outcome === SOLD) {
      entry = open[row] as number;
      outcome = STAYS;
      cash -= entry * 0.001;
      fills += 1;
      guard.enter(entry);
      [below, above] = [guard.below, guard.above];
    }
    if ((low[row] as number) < below || (high[row] as number) > above) {
      outcome = guard.walk(columns, row);
      [below, above] = [guard.below, guard.above];
      if (outcome === SOLD) {
        cash += guard.price * 0.999 - entry;
        fills += 1;
      }
    }
    equity = outcome === SOLD ? cash : cash + (marks.close[row] as number) - entry;
    if (equity > highest) highest = equity;
  }
  return { cash: highest, equity, fills };
}
