import type { Portfolio } from '../../portfolio/portfolio.js';
import { DIRECTIONS } from '../account-view.js';
import type { Dust } from '../dust.js';
import type { GuardedSides } from '../guards/guarded-sides.js';
import {
  foreignOrder,
  forgottenTriggers,
  restoreOrder,
  restoreSide,
  takeOrderList,
  takeSide,
  type OrdersCheckpoint,
} from './orders-checkpoint.js';
import type { OwnOrders } from '../own-orders.js';
import { plainIntent } from '../forms/plain-intent.js';
import type { Targets } from '../targets/targets.js';
import type { TimeSlices } from '../worked/time-slices.js';
import type { VenueStops } from '../venue-stops/venue-stops.js';
import type { WaitingIntents } from '../waiting-intents.js';

/** Parts of an order manager whose state is in its checkpoint. */
export interface RecoverableOrders {
  readonly ownOrders: OwnOrders;
  readonly guards: GuardedSides;
  readonly waiting: WaitingIntents;
  readonly dust: Dust;
  readonly slices: TimeSlices;
  readonly targets: Targets;
  readonly venueStops: VenueStops | undefined;
  readonly portfolio: Portfolio;
}

export function takeOrders({
  ownOrders,
  guards,
  portfolio,
  targets,
  venueStops,
}: RecoverableOrders): OrdersCheckpoint {
  const { sides: guarded } = guards;
  ownOrders.tallies.sweep(ownOrders.account.positionSides());
  const others = [...portfolio.instruments()]
    .flatMap(({ instrument: { id } }) =>
      DIRECTIONS.map((side) => ownOrders.account.positionSide(id, side)),
    )
    .filter((positionSide) => !guarded.includes(positionSide));
  const orders = takeOrderList(ownOrders.list());
  const sides = [...guarded, ...others].flatMap((positionSide) => takeSide(positionSide) ?? []);
  const waiting = targets.waiting.map((one) => ({ ...one, intent: plainIntent(one.intent) }));
  const triggers = venueStops?.book.checkpoint();
  return {
    orders,
    sides,
    attempts: ownOrders.attempts.of(livingIntents({ ownOrders, targets })),
    ...(waiting.length > 0 && { targets: waiting }),
    ...(triggers !== undefined && triggers.length > 0 && { triggers }),
  };
}

/** Ids of the intents that may still lead to orders. */
export function livingIntents({
  ownOrders,
  targets,
}: Pick<RecoverableOrders, 'ownOrders' | 'targets'>): readonly number[] {
  const planned = ownOrders.account
    .positionSides()
    .flatMap(({ exitJobs, failedExits, waiting, remainders }) => [
      ...[...exitJobs, ...failedExits, ...remainders.values()],
      ...(waiting === undefined ? [] : [waiting]),
    ]);
  return [
    ...ownOrders
      .list()
      .flatMap(({ request, replacement }) => [
        request.intentId,
        ...(replacement === undefined ? [] : [replacement.intentId]),
      ]),
    ...[...planned, ...targets.waiting].map(({ intentId }) => intentId),
  ];
}

/**
 * Restores the state of another order manager. Ignores sides of instruments that are no longer configured.
 *
 * @throws {DomainError} `E_CHECKPOINT` for an order of an instrument that is not configured, and for triggers while stops stay in the process.
 */
export function restoreOrders(
  { ownOrders, guards, waiting, dust, slices, targets, venueStops, portfolio }: RecoverableOrders,
  { orders, sides, attempts, targets: waitingTargets, triggers = [] }: OrdersCheckpoint,
): void {
  const instruments = new Map(
    [...portfolio.instruments()].map(({ instrument }) => [instrument.id, instrument]),
  );
  for (const from of orders) {
    const instrument = instruments.get(from.request.instrumentId);
    if (instrument === undefined) throw foreignOrder(from, [...instruments.keys()]);
    const sibling =
      from.siblingOf === undefined ? undefined : ownOrders.working.find(from.siblingOf);
    ownOrders.restoreOrder(restoreOrder(from, instrument, sibling), from.expiry);
  }
  ownOrders.attempts.restore(attempts);
  targets.restore(waitingTargets);
  if (venueStops !== undefined) venueStops.book.restore(triggers);
  else if (triggers.length > 0) throw forgottenTriggers(triggers);
  for (const side of sides) {
    if (!instruments.has(side.instrumentId)) continue;
    const positionSide = ownOrders.account.positionSide(side.instrumentId, side.direction);
    restoreSide(positionSide, side);
    waiting.restore(positionSide);
    dust.restore(positionSide);
    slices.restore(positionSide);
    if (side.guard !== undefined) guards.restore(positionSide, side.guard);
    if (side.brackets !== undefined) guards.brackets.restore(positionSide, side.brackets);
  }
}
