import type { Direction, Fixed, InstrumentId } from '../../domain/index.js';
import { firingLevel, type Guard } from './guard.js';
import { isWatched, type PositionSide } from './position-side.js';

/** What a driver has to watch for the order manager's stops: the next sample that matters is where last reaches `level`, or a new best. */
export interface StopWatch {
  readonly instrumentId: InstrumentId;
  readonly direction: Direction;
  readonly level: Fixed;
  /** What of the position is known to be held: base, or contracts. */
  readonly quantity: Fixed;
  /** How the level follows the best price; undefined where it does not. */
  readonly trail: Guard['trail'];
  readonly best: Fixed;
  /** See {@link PositionSide.guardNumber}. */
  readonly guardNumber: number;
}

/** What to watch for one side; undefined while it has no stop that may fire. */
export function watchStop(positionSide: PositionSide): StopWatch | undefined {
  const { guard, guardNumber, instrumentId, direction, ledger } = positionSide;
  const level = guard && firingLevel(guard, direction);
  if (guard === undefined || level === undefined || !isWatched(positionSide)) return undefined;
  const { trail, best } = guard;
  const { quantity } = ledger.holding;
  return { instrumentId, direction, level, quantity, trail, best, guardNumber };
}

/**
 * Instruments of which last is sampled, each once, in the order of the configuration. It cannot be the order of the watches: a backtest takes only
 * the samples that matter, a bot takes them all, and what the first one leads to goes out first.
 */
export function inSampleOrder(
  watches: Iterable<Pick<StopWatch, 'instrumentId'>>,
  configured: Iterable<InstrumentId>,
): readonly InstrumentId[] {
  const sampled = new Set<InstrumentId>();
  for (const { instrumentId } of watches) sampled.add(instrumentId);
  return sampled.size < 2 ? [...sampled] : [...configured].filter((id) => sampled.has(id));
}
