import type { Direction, Fixed, InstrumentId } from '../../../domain/index.js';
import { firingLevel, type Guard } from './guard.js';
import type { PositionSide } from '../position-side.js';

/** A level that a driver has to watch: the next sample that matters is the one where last reaches `level`, or a new best. */
export interface StopWatch {
  readonly instrumentId: InstrumentId;
  readonly direction: Direction;
  readonly level: Fixed;
  /** Held quantity, as far as the engine knows: base or contracts. */
  readonly quantity: Fixed;
  /** How the level follows the best price; undefined if it does not. */
  readonly trail: Guard['trail'];
  readonly best: Fixed;
  /** See {@link PositionSide.guardNumber}. */
  readonly guardNumber: number;
}

/** What to watch for one side whose stop may fire; undefined if it has no stop. */
export function watchStop(positionSide: PositionSide): StopWatch | undefined {
  const { guard, guardNumber, instrumentId, direction, ledger } = positionSide;
  const level = guard && firingLevel(guard, direction);
  if (guard === undefined || level === undefined) return undefined;
  const { trail, best } = guard;
  const { quantity } = ledger.holding;
  return { instrumentId, direction, level, quantity, trail, best, guardNumber };
}

/**
 * Instruments whose last is sampled, each once, in the order of the configuration. The order of the watches cannot be used: a backtest takes only
 * the samples that matter, a bot takes all of them, and the commands that follow from the first sample go out first.
 */
export function inSampleOrder(
  watches: Iterable<Pick<StopWatch, 'instrumentId'>>,
  configured: Iterable<InstrumentId>,
): readonly InstrumentId[] {
  const sampled = new Set<InstrumentId>();
  for (const { instrumentId } of watches) sampled.add(instrumentId);
  return sampled.size < 2 ? [...sampled] : [...configured].filter((id) => sampled.has(id));
}
