import { formatFixed, maxFixed, UsageError } from '../../domain/index.js';
import type { Engine, EngineEvent, VenueStop } from '../../engine/index.js';
import type { BotStatus } from './bot-control.js';

type ClearTriggers = Extract<EngineEvent, { readonly action: 'clear-triggers' }>;

/** Triggers at the venue that may fire, as far as the bot knows, with the part of the position that they leave uncovered. */
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

/** Whether two triggers cover the same position together. A stop and a take-profit each cover it alone; several of one kind are parts of one. */
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
 * The event for triggers that the owner has removed by hand. See {@link BotControl.clearTriggers}.
 *
 * @throws {UsageError} `E_TRIGGER_UNKNOWN` if an id is unknown, or if `ids` is empty and no trigger has outlived its position.
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
      'no trigger of this bot has outlived its position; to clear another trigger, name its id',
    );
  return { kind: 'operator', action: 'clear-triggers', ids };
}
