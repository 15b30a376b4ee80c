import {
  isFinalStatus,
  minFixed,
  type Direction,
  type Fixed,
  type InstrumentId,
} from '../../domain/index.js';
import type { AccountSnapshot, VenueOrder } from '../../venue/index.js';
import type {
  Belief,
  BelievedBalance,
  BelievedOrder,
  BelievedPosition,
  VenueView,
} from './belief.js';
import type { Disagreement } from './disagreements.js';

/**
 * Compares a bot's books with the venue. Pure; orders first, then positions, then balances.
 *
 * A position or balance is not compared while an order may explain a difference: if orders of an instrument disagree, or have a command on its way,
 * its position and the balances of its account are compared later. Likewise an unknown order is not external while an own order of the instrument has
 * no id: it may be that order.
 */
export function reconcile(belief: Belief, view: VenueView): readonly Disagreement[] {
  const ofOrders = [...view.openOrders].flatMap(([instrumentId, open]) =>
    compareOrders(instrumentId, open, { belief, view }),
  );
  const unsettled = new Set<InstrumentId>(belief.unread);
  for (const disagreement of ofOrders)
    if ('instrumentId' in disagreement) unsettled.add(disagreement.instrumentId);
  for (const { request } of belief.orders)
    if (belief.inFlight.has(request.clientOrderId)) unsettled.add(request.instrumentId);
  return [
    ...ofOrders,
    ...view.accounts.flatMap((snapshot) => comparePositions(snapshot, belief, unsettled)),
    ...view.accounts.flatMap((snapshot) => compareBalances(snapshot, belief, unsettled)),
  ];
}

interface Sides {
  readonly belief: Belief;
  readonly view: VenueView;
}

function compareOrders(
  instrumentId: InstrumentId,
  open: readonly VenueOrder[],
  { belief, view }: Sides,
): readonly Disagreement[] {
  const listed = new Map(open.map((order) => [order.venueOrderId, order]));
  const own = belief.orders.filter(({ request }) => request.instrumentId === instrumentId);
  const found: Disagreement[] = [];
  for (const order of own) {
    const { venueOrderId: id, request } = order;
    const state = id === undefined ? undefined : (listed.get(id) ?? view.orders.get(id));
    if (id !== undefined) listed.delete(id);
    if (!belief.inFlight.has(request.clientOrderId)) found.push(...compareOrder(order, state));
  }
  const isSearching = own.some(({ venueOrderId }) => venueOrderId === undefined);
  // These are none of the bot's working orders.
  for (const state of listed.values())
    if (belief.isKnown(state.venueOrderId))
      found.push({ kind: 'order-not-ended', instrumentId, state });
    else if (!isSearching) found.push({ kind: 'order-unknown-foreign', instrumentId, state });
  return found;
}

function compareOrder(
  order: BelievedOrder,
  state: VenueOrder | undefined,
): readonly Disagreement[] {
  const { request, status, venueOrderId, filledQuantity } = order;
  const common = { instrumentId: request.instrumentId, order };
  if (venueOrderId === undefined) {
    const isLost = status === 'unknown';
    const kind = isLost ? 'submit-without-answer' : 'command-never-journalled-as-sent';
    return [{ ...common, kind }];
  }
  if (state === undefined) return [{ ...common, kind: 'order-missing' }];
  if (isFinalStatus(state.status)) return [{ ...common, kind: 'order-ended', state }];
  const found: Disagreement[] = [];
  const untold = state.filledQuantity - filledQuantity;
  if (untold > 0n) found.push({ ...common, kind: 'order-filled-further', state, untold });
  if (status === 'canceling' || status === 'unknown')
    found.push({ ...common, kind: 'cancel-without-answer', state });
  return found;
}

function comparePositions(
  snapshot: AccountSnapshot,
  belief: Belief,
  unsettled: ReadonlySet<InstrumentId>,
): readonly Disagreement[] {
  if (snapshot.kind !== 'futures') return [];
  const held = heldContracts(snapshot);
  return belief.positions
    .filter(({ instrumentId }) => !unsettled.has(instrumentId))
    .flatMap((position) => {
      const { instrumentId, direction, quantity: believed } = position;
      const actual = held(instrumentId, direction);
      const kind = kindOfPosition(position, actual);
      return kind === undefined ? [] : [{ kind, instrumentId, direction, believed, actual }];
    });
}

function kindOfPosition({ quantity, step }: BelievedPosition, actual: Fixed) {
  const difference = actual - quantity;
  const distance = difference < 0n ? -difference : difference;
  if (distance === 0n || distance < step) return undefined;
  if (difference > 0n) return isDust(quantity, step) ? 'position-foreign' : 'position-larger';
  return isDust(actual, step) ? 'position-absent' : 'position-smaller';
}

function isDust(quantity: Fixed, step: Fixed): boolean {
  return quantity === 0n || quantity < step;
}

/** Returns the held contracts of a snapshot. A snapshot may still show ended positions for a while; they do not count. */
export function heldContracts(
  snapshot: Extract<AccountSnapshot, { readonly kind: 'futures' }>,
): (instrumentId: InstrumentId, direction: Direction) => Fixed {
  const held = new Map<string, Fixed>();
  for (const { positions } of snapshot.accounts)
    for (const { instrumentId, direction, quantity, isValid } of positions) {
      const key = `${instrumentId} ${direction}`;
      if (isValid) held.set(key, (held.get(key) ?? 0n) + quantity);
    }
  return (instrumentId, direction) => held.get(`${instrumentId} ${direction}`) ?? 0n;
}

function compareBalances(
  snapshot: AccountSnapshot,
  belief: Belief,
  unsettled: ReadonlySet<InstrumentId>,
): readonly Disagreement[] {
  const account = snapshot.kind;
  if ([...unsettled].some((id) => id.startsWith(`${account}:`))) return [];
  const shown = shownBalances(snapshot);
  return belief.balances
    .filter((balance) => balance.account === account)
    .flatMap((balance) => {
      const believed = balance.free + balance.locked;
      const actual = availableOf(balance, shown.get(balance.asset));
      const isShort = believed - actual > balance.tolerance;
      return isShort
        ? [{ kind: 'balance-short' as const, account, asset: balance.asset, believed, actual }]
        : [];
    });
}

interface ShownBalance {
  readonly free: Fixed;
  readonly locked: Fixed;
}

function shownBalances(snapshot: AccountSnapshot): ReadonlyMap<string, ShownBalance> {
  return new Map(
    snapshot.kind === 'spot'
      ? snapshot.balances.map(({ asset, exact }) => [asset, exact])
      : snapshot.accounts.map(({ marginAsset, available, locked }) => [
          marginAsset,
          { free: available, locked },
        ]),
  );
}

/** Amount that can be the bot's. Locked amounts count only up to what its own orders may hold: the rest is for orders of others. */
function availableOf({ mostLocked }: BelievedBalance, shown: ShownBalance | undefined): Fixed {
  return shown === undefined ? 0n : shown.free + minFixed(shown.locked, mostLocked);
}
