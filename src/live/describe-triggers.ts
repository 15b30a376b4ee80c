import { formatFixed, maxFixed, UsageError } from '../domain/index.js';
import type { Engine, EngineEvent, VenueStop } from '../engine/index.js';
import type { BotStatus } from './bot-control.js';

type ClearTriggers = Extract<EngineEvent, { readonly action: 'clear-triggers' }>;

/** The triggers at the venue that may fire, as far as the bot knows, and what the position is left with that they do not cover. */
export function listTriggers({
  venueStops,
  portfolio,
}: Pick<Engine, 'venueStops' | 'portfolio'>): BotStatus['triggers'] {
  const stops = venueStops?.book.list ?? [];
  return stops.map((stop) => {
    const { request, direction, trigger, level, triggerId, state, since, isOrphan } = stop;
    const { instrumentId, clientOrderId, quantity } = request;
    const held = portfolio.instrument(instrumentId)[direction].holding.quantity;
    const covered = stops
      .filter((other) => standsBeside(stop, other))
      .reduce((sum, other) => sum + other.request.quantity, 0n);
    return {
      ...{ clientOrderId, triggerId, instrumentId, direction, trigger, state, since, isOrphan },
      quantity: formatFixed(quantity),
      level: formatFixed(level),
      uncovered: isOrphan ? undefined : formatFixed(maxFixed(held - covered, 0n)),
    };
  });
}

/** Stop and take-profit each cover the position; several of one kind are parts of one. */
function standsBeside(stop: VenueStop, other: VenueStop): boolean {
  return (
    !other.isOrphan &&
    other.state !== 'gone' &&
    other.state !== 'canceled' &&
    other.trigger === stop.trigger &&
    other.direction === stop.direction &&
    other.request.instrumentId === stop.request.instrumentId
  );
}

/**
 * That the owner has removed triggers by hand. See {@link BotControl.clearTriggers}.
 *
 * @throws {UsageError} `E_TRIGGER_UNKNOWN` where an id is of none of them, or none is named and none has outlived its position.
 */
export function clearingOf(
  { venueStops }: Pick<Engine, 'venueStops'>,
  ids: readonly string[],
): Pick<ClearTriggers, 'kind' | 'action' | 'ids'> {
  const stops = venueStops?.book.list ?? [];
  const known = new Set<string | undefined>(
    stops.flatMap(({ request, triggerId }) => [request.clientOrderId, triggerId]),
  );
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length > 0)
    throw new UsageError(
      'E_TRIGGER_UNKNOWN',
      `no trigger of this bot has the id ${unknown.join(', ')}; nothing was cleared`,
    );
  if (ids.length === 0 && !stops.some(({ isOrphan }) => isOrphan))
    throw new UsageError(
      'E_TRIGGER_UNKNOWN',
      'no trigger of this bot has outlived its position; one that has not is cleared by its id',
    );
  return { kind: 'operator', action: 'clear-triggers', ids };
}
