import { absFixed, multiplyFixed, parseFixed, type EpochMs, type Fixed } from '../domain/index.js';
import type { VenueStop } from '../engine/index.js';
import type { AccountSource, VenueOrder, VenueTrade } from '../venue/index.js';
import { groupByOrder, type ExternalClose } from './external-closes.js';

/** How much earlier than a trigger was placed, by our clock, its executions may be, by the venue's. */
const MARGIN_MS = 60_000;
/** How much better than its level a trigger's order may trade: last has touched it and gone back. */
const NEAR: Fixed = parseFixed('0.02');

/**
 * Which triggers have fired, and the orders that they have made, by executions of orders that no journal knows.
 *
 * @throws errors of the source.
 */
export async function findFired(
  executions: readonly VenueTrade[],
  stops: readonly VenueStop[],
  {
    source,
    signal,
  }: { readonly source: Pick<AccountSource, 'order'>; readonly signal: AbortSignal },
): Promise<readonly { readonly stop: VenueStop; readonly state: VenueOrder }[]> {
  const fired: { readonly stop: VenueStop; readonly state: VenueOrder }[] = [];
  for (const close of groupByOrder(executions)) {
    const [first] = close.trades;
    const { venueOrderId } = close;
    const state =
      first && (await source.order({ instrumentId: first.instrumentId, venueOrderId }, { signal }));
    const left = stops.filter((stop) => fired.every((one) => one.stop !== stop));
    const stop = state && triggerOf(close, state, left);
    if (state !== undefined && stop !== undefined) fired.push({ stop, state });
  }
  return fired;
}

/**
 * The trigger of which an order that no journal knows is: a MARKET order that closes, of its side and quantity, which has traded at its level or beyond,
 * after it was placed. Of several the likeliest: see {@link byLikelihood}.
 */
export function triggerOf(
  { trades }: ExternalClose,
  order: VenueOrder,
  stops: readonly VenueStop[],
): VenueStop | undefined {
  const [first] = trades;
  if (first === undefined || order.action !== 'close' || order.type === 'limit') return undefined;
  const fits = stops.filter(
    (stop) =>
      stop.request.side === order.side &&
      stop.request.quantity === order.quantity &&
      hasTouched(stop, first.price) &&
      isAfter(stop.placedTime, first.time),
  );
  return fits.toSorted((one, other) => byLikelihood(one, other, first.price))[0];
}

/**
 * Those that were taken away come last. A stop and a take-profit have the price between them, and the nearer one has fired; of one kind it is the one that
 * the price comes to first.
 */
function byLikelihood(one: VenueStop, other: VenueStop, price: Fixed): number {
  const rank = ({ state }: VenueStop): number => Number(state === 'canceled');
  if (one.level === other.level || rank(one) !== rank(other)) return rank(one) - rank(other);
  if (one.trigger !== other.trigger)
    return absFixed(one.level - price) < absFixed(other.level - price) ? -1 : 1;
  return one.level > other.level === firesBelow(one) ? -1 : 1;
}

/** A stop of a long fires at or below its level, a take-profit at or above; of a short the other way round. */
function hasTouched({ trigger, direction, level }: VenueStop, price: Fixed): boolean {
  const tolerance = multiplyFixed(level, NEAR);
  return firesBelow({ trigger, direction })
    ? price <= level + tolerance
    : price >= level - tolerance;
}

/** Whether a trigger fires at or below its level. */
function firesBelow({ trigger, direction }: Pick<VenueStop, 'trigger' | 'direction'>): boolean {
  return (trigger === 'stop-loss') === (direction === 'long');
}

function isAfter(placed: EpochMs, traded: EpochMs): boolean {
  return traded >= placed - MARGIN_MS;
}
