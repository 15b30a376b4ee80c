import {
  absFixed,
  compareIds,
  multiplyFixed,
  parseFixed,
  type EpochMs,
  type Fixed,
} from '../../domain/index.js';
import type { VenueStop } from '../../engine/index.js';
import type { AccountSource, VenueOrder, VenueTrade } from '../../venue/index.js';
import { findNetted, groupByOrder, type ExternalClose } from '../account/external-closes.js';

/** Executions of a trigger may be dated this much before its placement: the two times are of the venue's clock and of ours. */
const MARGIN_MS = 60_000;
/** A trigger's order may trade at a price better than its level by this share: last has touched the level and moved back. */
const NEAR: Fixed = parseFixed('0.02');

/**
 * Finds the triggers that have fired, and the orders that they made, from executions of orders that no journal knows. Closes that the
 * venue made by itself are of no trigger, although a liquidation may look like a stop.
 *
 * @throws errors of the source.
 */
export async function findFired(
  executions: readonly VenueTrade[],
  stops: readonly VenueStop[],
  {
    source,
    signal,
    isForced,
  }: {
    readonly source: Pick<AccountSource, 'order'>;
    readonly signal: AbortSignal;
    /** Whether the venue made a close by itself, although the close fits a trigger. @defaultValue it made none */
    readonly isForced?: ((close: ExternalClose, stop: VenueStop) => boolean) | undefined;
  },
): Promise<readonly { readonly stop: VenueStop; readonly state: VenueOrder }[]> {
  const fired: { readonly stop: VenueStop; readonly state: VenueOrder }[] = [];
  const closes = groupByOrder(executions);
  const netted = findNetted(closes);
  for (const close of closes) {
    if (netted.has(close)) continue;
    const [first] = close.trades;
    const { venueOrderId } = close;
    const state =
      first && (await source.order({ instrumentId: first.instrumentId, venueOrderId }, { signal }));
    const left = stops.filter((stop) => fired.every((one) => one.stop !== stop));
    const stop = state && triggerOf(close, state, left);
    if (state === undefined || stop === undefined || isForced?.(close, stop) === true) continue;
    fired.push({ stop, state });
  }
  return fired;
}

/**
 * The trigger that made an order which no journal knows: a MARKET order that closes, with the trigger's side and quantity, which traded at its level
 * or beyond, after it was placed. Of several triggers the most likely one: see {@link byLikelihood}.
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
      // Its answer is still to come, and says more.
      stop.state !== 'submitting' &&
      stop.request.side === order.side &&
      stop.request.quantity === order.quantity &&
      hasTouched(stop, first.price) &&
      isAfter(stop.placedTime, first.time),
  );
  // The price lies between a stop and a take-profit, so the nearer one has fired, also if a cancel has found it gone before.
  const nearest = fits.reduce<VenueStop | undefined>(
    (best, stop) => (best === undefined || isNearer(stop, best, first.price) ? stop : best),
    undefined,
  );
  return fits.filter(({ trigger }) => trigger === nearest?.trigger).toSorted(byLikelihood)[0];
}

function isNearer(one: VenueStop, other: VenueStop, price: Fixed): boolean {
  return absFixed(one.level - price) < absFixed(other.level - price);
}

/**
 * Orders triggers of one kind. Canceled ones come last. The one that the price reaches first has fired, and of one level the one that the venue took
 * first: its ids rise.
 */
function byLikelihood(one: VenueStop, other: VenueStop): number {
  const rank = ({ state }: VenueStop): number => Number(state === 'canceled');
  if (rank(one) !== rank(other)) return rank(one) - rank(other);
  if (one.level === other.level) return byAge(one, other);
  return one.level > other.level === firesBelow(one) ? -1 : 1;
}

function byAge({ triggerId: one }: VenueStop, { triggerId: other }: VenueStop): number {
  return one === undefined || other === undefined ? 0 : compareIds(one, other);
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
