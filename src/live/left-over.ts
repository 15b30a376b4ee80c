import { formatFixed, type Direction } from '../domain/index.js';
import type { Engine } from '../engine/index.js';
import type { LifeReason } from './bot-life.js';
import { frozenCondition, goneCondition } from './health-news.js';

/** Whether all that is held is frozen by the venue, or of what it has no more: it refuses to close it meanwhile. `conditions`: of the bot. */
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

const DIRECTIONS: readonly Direction[] = ['long', 'short'];

/** What a bot still has at the venue, for people, position by position and then the number of its orders; what is too small to be sold is left out. */
export function describeLeft(
  engine: Pick<Engine, 'portfolio' | 'dust' | 'workingOrders'>,
): readonly string[] {
  const dust = new Set(engine.dust.held.map(({ instrumentId }) => instrumentId));
  const held = [...engine.portfolio.instruments()].flatMap((account) =>
    DIRECTIONS.filter(
      (direction) => account[direction].isExposed && !dust.has(account.instrument.id),
    ).map(
      (direction) =>
        `${direction} ${formatFixed(account[direction].holding.quantity)} of ${account.instrument.id}`,
    ),
  );
  const { length } = engine.workingOrders;
  return length === 0 ? held : [...held, `${String(length)} ${length === 1 ? 'order' : 'orders'}`];
}
