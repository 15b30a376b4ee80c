import { formatFixed, type Fixed } from '../../domain/index.js';
import { firingLevel, type EngineCheckpoint } from '../../engine/index.js';
import type { BotStatus } from './bot-control.js';

type Position = BotStatus['positions'][number];
type Guard = BotStatus['guards'][number];
type Trigger = BotStatus['triggers'][number];

/** Positions and orders that a stopped bot has at its venue. */
interface LeftBehind {
  readonly positions: readonly Pick<
    Position,
    'instrumentId' | 'direction' | 'quantity' | 'isDust'
  >[];
  readonly guards: readonly Pick<Guard, 'instrumentId' | 'direction' | 'stop' | 'trailingStop'>[];
  readonly triggers: readonly Pick<
    Trigger,
    'instrumentId' | 'direction' | 'trigger' | 'level' | 'state'
  >[];
  readonly orders: readonly unknown[];
}

/** Describes it for people: positions with the levels of their stops, triggers at the venue, the number of orders. Empty if nothing is left. */
export function describeLeftBehind(left: LeftBehind): readonly string[] {
  const { positions, guards, triggers, orders } = left;
  const held = positions
    .filter(({ isDust }) => !isDust)
    .map(({ instrumentId, direction, quantity }) => {
      const levels = guards
        .filter((guard) => guard.instrumentId === instrumentId && guard.direction === direction)
        .flatMap(({ stop, trailingStop }) => [stop, trailingStop])
        .filter((level) => level !== undefined);
      const stops = levels.length === 0 ? 'no stop' : `stop ${levels.join(', ')}`;
      return `${direction} ${quantity} of ${instrumentId} (${stops})`;
    });
  const standing = triggers
    .filter(({ state }) => state !== 'gone' && state !== 'canceled')
    .map(
      ({ instrumentId, direction, trigger, level }) =>
        `a ${trigger} trigger at the venue, at ${level}, for the ${direction} of ${instrumentId}`,
    );
  const { length } = orders;
  const working = length === 0 ? [] : [`${String(length)} ${length === 1 ? 'order' : 'orders'}`];
  return [...held, ...standing, ...working];
}

/** Positions and orders of a bot whose journal ends with this checkpoint. */
export function leftByEnding(ending: EngineCheckpoint): LeftBehind {
  const { positions, sides, triggers = [], orders } = ending;
  const text = (level: Fixed | undefined): string | undefined =>
    level === undefined ? undefined : formatFixed(level);
  return {
    positions: positions
      .filter(({ quantity }) => quantity > 0n)
      .map(({ instrumentId, direction, quantity, isHeld }) => ({
        ...{ instrumentId, direction, quantity: formatFixed(quantity), isDust: !isHeld },
      })),
    guards: sides.flatMap(({ instrumentId, direction, guard, brackets = [] }) =>
      [guard, ...brackets.map((bracket) => bracket.guard)].flatMap((each) => {
        if (each === undefined) return [];
        const stop = text(firingLevel(each, direction));
        return [{ instrumentId, direction, stop, trailingStop: undefined }];
      }),
    ),
    triggers: triggers.map(({ request, direction, trigger, level, state }) => ({
      ...{ instrumentId: request.instrumentId, direction, trigger, level: formatFixed(level) },
      state,
    })),
    orders,
  };
}
