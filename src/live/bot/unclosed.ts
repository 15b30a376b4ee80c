import { formatFixed } from '../../domain/index.js';
import { heldPositions, type Engine } from '../../engine/index.js';
import type { LifeReason } from './bot-life.js';
import { frozenCondition, goneCondition } from './health-news.js';

/** Whether the venue refuses to close everything that is held, because it is frozen or the instrument is gone. `conditions`: of the bot. */
export function isAllHeldBack(
  { portfolio }: Pick<Engine, 'portfolio'>,
  conditions: readonly Pick<LifeReason, 'name'>[],
): boolean {
  const names = new Set(conditions.map(({ name }) => name));
  const held = [...portfolio.instruments()].filter(({ long, short }) =>
    [long, short].some(({ isExposed }) => isExposed),
  );
  return (
    held.length > 0 &&
    held.every(
      ({ instrument: { id } }) => names.has(frozenCondition(id)) || names.has(goneCondition(id)),
    )
  );
}

/** Positions that a bot still has, for people, and then the number of its orders. Positions too small to sell are left out. */
export function describeLeft(
  engine: Pick<Engine, 'portfolio' | 'dust' | 'workingOrders'>,
): readonly string[] {
  const held = heldPositions(engine).map(
    ({ instrumentId, direction, quantity }) =>
      `${direction} ${formatFixed(quantity)} of ${instrumentId}`,
  );
  const { length } = engine.workingOrders;
  return length === 0 ? held : [...held, `${String(length)} ${length === 1 ? 'order' : 'orders'}`];
}
