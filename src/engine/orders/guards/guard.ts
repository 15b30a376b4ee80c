import {
  fixedFromInput,
  formatFixed,
  maxFixed,
  minFixed,
  multiplyFixed,
  type DecimalInput,
  type Direction,
  type Fixed,
  type Level,
  type Protection,
} from '../../../domain/index.js';
import { describeSaid } from '../forms/intent-keys.js';

/** The exits that guard one position: levels in quote, all exact. */
export interface Guard {
  /** Fires when last is at or beyond it. */
  readonly stop: Fixed | undefined;
  readonly takeProfit: Fixed | undefined;
  readonly trail: { readonly kind: 'ratio' | 'distance'; readonly amount: Fixed } | undefined;
  /** Best last price sampled since entry; the trailing stop follows it. */
  readonly best: Fixed;
}

/** The problem of an invalid protection, as a value: expected and received. */
export interface GuardProblem {
  readonly field: 'stopLoss' | 'takeProfit' | 'trailingStop';
  readonly expected: string;
  readonly received: string;
}

/** Turns a protection into levels around an entry price, or returns what is wrong with it. */
export function createGuard(
  protection: Protection,
  entryPrice: Fixed,
  direction: Direction,
):
  | { readonly kind: 'guard'; readonly guard: Guard }
  | { readonly kind: 'problem'; readonly problem: GuardProblem } {
  const away = direction === 'long' ? -1n : 1n;
  try {
    const stop = protection.stopLoss && levelPrice(protection.stopLoss, entryPrice, away);
    const takeProfit =
      protection.takeProfit && levelPrice(protection.takeProfit, entryPrice, -away);
    const trail = protection.trailingStop && trailOf(protection.trailingStop);
    const guard = { stop, takeProfit, trail, best: entryPrice };
    const problem = checkSigns(guard, protection, direction);
    return problem === undefined ? { kind: 'guard', guard } : { kind: 'problem', problem };
  } catch {
    // Decimal texts come from strategy code; a bad one is an outcome, not a crash.
    return { kind: 'problem', problem: findUnreadable(protection) };
  }
}

/** Finds the level whose amount is not a decimal. */
function findUnreadable(protection: Protection): GuardProblem {
  const fields = ['stopLoss', 'takeProfit', 'trailingStop'] as const;
  const isUnreadable = (amount: DecimalInput): boolean => readFixed(amount) === undefined;
  const field =
    fields.find((one) => Object.values<DecimalInput>(protection[one] ?? {}).some(isUnreadable)) ??
    'stopLoss';
  const level = protection[field];
  return {
    field,
    expected: `a ${Object.keys(level ?? {}).join()} in decimal text such as "0.02"`,
    received: describeSaid(level),
  };
}

function checkSigns(
  guard: Guard,
  protection: Protection,
  direction: Direction,
): GuardProblem | undefined {
  const { stop, takeProfit, trail } = guard;
  const describe = (level: Level | undefined): string => describeSaid(level);
  if (stop !== undefined && stop <= 0n) {
    return {
      field: 'stopLoss',
      expected: 'a level above 0',
      received: describe(protection.stopLoss),
    };
  }
  if (takeProfit !== undefined && takeProfit <= 0n) {
    return {
      field: 'takeProfit',
      expected: 'a level above 0',
      received: describe(protection.takeProfit),
    };
  }
  if (protection.trailingStop !== undefined && (trail === undefined || trail.amount <= 0n)) {
    return {
      field: 'trailingStop',
      expected: 'a ratio or distance above 0',
      received: describe(protection.trailingStop),
    };
  }
  const trailing = firingLevel({ ...guard, stop: undefined }, direction);
  if (trailing === undefined || trailing > 0n) return undefined;
  return {
    field: 'trailingStop',
    expected: `a ratio below 1, or a distance below ${formatFixed(guard.best)}: the stop would lie at ${formatFixed(trailing)}, where it never fires`,
    received: describe(protection.trailingStop),
  };
}

/** Price at which an entry would fill: last, or its limit if that is better. Ignores a limit that cannot be read, because risk refuses it. */
export function entryPriceBy(
  limitPrice: DecimalInput | undefined,
  last: Fixed,
  direction: Direction,
): Fixed {
  const limit = limitPrice === undefined ? undefined : readFixed(limitPrice);
  if (limit === undefined) return last;
  return direction === 'long' ? minFixed(limit, last) : maxFixed(limit, last);
}

/** Finds a stop or a target that an entry at this price would reach at once. */
export function findWrongSide(
  { stopLoss, takeProfit }: Protection,
  entryPrice: Fixed,
  direction: Direction,
): GuardProblem | undefined {
  const isLong = direction === 'long';
  return (
    (stopLoss && wrongSideOf('stopLoss', stopLoss, entryPrice, isLong)) ??
    (takeProfit && wrongSideOf('takeProfit', takeProfit, entryPrice, !isLong))
  );
}

function wrongSideOf(
  field: GuardProblem['field'],
  level: Level,
  entryPrice: Fixed,
  isBelow: boolean,
): GuardProblem | undefined {
  const problem = (expected: string): GuardProblem => ({
    field,
    expected,
    received: describeSaid(level),
  });
  if ('price' in level) {
    const price = fixedFromInput(level.price);
    if (isBelow ? price < entryPrice : price > entryPrice) return undefined;
    return problem(`a price ${isBelow ? 'below' : 'above'} ${formatFixed(entryPrice)}`);
  }
  const isDistance = 'distance' in level;
  if (fixedFromInput(isDistance ? level.distance : level.ratio) > 0n) return undefined;
  return problem(`a ${isDistance ? 'distance' : 'ratio'} above 0`);
}

function readFixed(input: DecimalInput): Fixed | undefined {
  try {
    return fixedFromInput(input);
  } catch {
    return undefined;
  }
}

function levelPrice(level: Level, entryPrice: Fixed, sign: bigint): Fixed {
  if ('price' in level) return fixedFromInput(level.price);
  if ('distance' in level) return entryPrice + sign * fixedFromInput(level.distance);
  return entryPrice + sign * multiplyFixed(entryPrice, fixedFromInput(level.ratio));
}

function trailOf(level: Level): Guard['trail'] {
  if ('price' in level) return undefined;
  if ('distance' in level) return { kind: 'distance', amount: fixedFromInput(level.distance) };
  return { kind: 'ratio', amount: fixedFromInput(level.ratio) };
}

/** The level at which the guard fires now: the tighter of stop-loss and trailing stop. Undefined when it has neither. */
export function firingLevel(guard: Guard, direction: Direction): Fixed | undefined {
  const { stop, trail, best } = guard;
  if (trail === undefined) return stop;
  const distance = trail.kind === 'distance' ? trail.amount : multiplyFixed(best, trail.amount);
  const trailing = direction === 'long' ? best - distance : best + distance;
  if (stop === undefined) return trailing;
  return (direction === 'long') === trailing > stop ? trailing : stop;
}

/** Updates the best price of a trailing stop after a sample. Returns the same guard if nothing changed. */
export function sampleGuard(guard: Guard, last: Fixed, direction: Direction): Guard {
  // Without a trailing stop, a driver may take only the samples at the level, so no sample may move the best price.
  if (guard.trail === undefined) return guard;
  return improveGuard(guard, last, direction);
}

/** Returns the guard with `price` as its best price, if that is better. */
export function improveGuard(guard: Guard, price: Fixed, direction: Direction): Guard {
  const isBetter = direction === 'long' ? price > guard.best : price < guard.best;
  return isBetter ? { ...guard, best: price } : guard;
}
