import { formatFixed, type InstrumentId } from '../../src/domain/index.js';
import { SimulatedAccount, type LocalExchange } from '../../src/local-exchange/index.js';
import type { VenueOrder } from '../../src/venue/index.js';
import type { PastOrder } from '../../src/engine/index.js';
import type { CrashReport } from './crash-report.js';

/** The differences between an exchange and a settled bot. Each list is empty if both agree. */
export interface Differences {
  /** Orders that only one side has, or that have other fills there. */
  readonly lost: readonly string[];
  /** Orders at the exchange that repeat another order of the same intent. */
  readonly doubled: readonly string[];
  readonly balances: readonly string[];
  readonly positions: readonly string[];
}

export interface Sides {
  readonly exchange: LocalExchange;
  readonly userId: string;
  readonly instruments: readonly InstrumentId[];
}

/** The account at the exchange, for checks of its books. */
export function accountOf({ exchange, userId }: Omit<Sides, 'instruments'>): SimulatedAccount {
  const account = exchange.parts.accounts.byUser(userId)?.account;
  if (account instanceof SimulatedAccount) return account;
  throw new Error(`expected an account of ${userId}`);
}

/** The books of a bot, and every order of its journal. */
export interface Belief extends Pick<CrashReport, 'balances' | 'positions'> {
  readonly orders: readonly PastOrder[];
}

/** Compares every order and balance, and quantity and average price of every position, to the last decimal. */
export function compareSides(sides: Sides, belief: Belief): Differences {
  const compared = sides.instruments.map((id) => compareOrders(id, sides, belief));
  return {
    lost: compared.flatMap(({ lost }) => lost),
    doubled: compared.flatMap(({ doubled }) => doubled),
    balances: compareAmounts(balancesOf(sides), belief.balances),
    positions: compareAmounts(positionsOf(sides), belief.positions),
  };
}

function compareOrders(
  id: InstrumentId,
  sides: Sides,
  belief: Belief,
): Pick<Differences, 'lost' | 'doubled'> {
  const { exchange } = sides;
  const orders = accountOf(sides).orders(id, exchange.parts.marketTime.now());
  const own = belief.orders.filter(({ request }) => request.instrumentId === id);
  const known = new Map(own.map((order) => [order.venueOrderId, order]));
  const there = new Set<string>(orders.map(({ venueOrderId }) => venueOrderId));
  const lost = orders.flatMap((order) => {
    const { venueOrderId, filledQuantity } = order;
    const believed = known.get(venueOrderId)?.filledQuantity;
    if (believed === filledQuantity) return [];
    const text = believed === undefined ? 'nothing' : formatFixed(believed);
    return [`${id} ${venueOrderId}: ${formatFixed(filledQuantity)}, believed ${text}`];
  });
  const phantoms = own.filter(
    ({ venueOrderId, filledQuantity }) =>
      (venueOrderId !== undefined || filledQuantity !== 0n) && !there.has(venueOrderId ?? ''),
  );
  return {
    lost: [...lost, ...phantoms.map((order) => `${id} ${order.request.clientOrderId}: not there`)],
    doubled: [
      ...repeated(orders.flatMap(({ clientOrderId }) => clientOrderId ?? [])),
      ...repeated(own.flatMap(({ venueOrderId }) => venueOrderId ?? [])),
      ...orders.filter((order) => isTwin(order, known, orders)).map((order) => order.venueOrderId),
    ],
  };
}

/** Whether an unknown order equals a known one in all terms. If answers carry no client order id, that is a doubled order. */
function isTwin(
  order: VenueOrder,
  known: ReadonlyMap<string | undefined, PastOrder>,
  orders: readonly VenueOrder[],
): boolean {
  if (known.has(order.venueOrderId)) return false;
  return orders.some(
    (other) =>
      known.has(other.venueOrderId) &&
      other.side === order.side &&
      other.action === order.action &&
      other.limitPrice === order.limitPrice &&
      other.quantity === order.quantity,
  );
}

function repeated(ids: readonly string[]): readonly string[] {
  return ids.filter((id, index) => ids.indexOf(id) !== index);
}

function balancesOf(sides: Sides): Readonly<Record<string, string>> {
  const account = accountOf(sides);
  const { balances } = account.spot(sides.exchange.parts.marketTime.now());
  const ledger = account.venue.accounts.futures?.ledger;
  const amounts: Record<string, string> = {};
  for (const { asset, exact } of balances)
    amounts[`spot ${asset}`] = formatFixed(exact.free + exact.locked);
  for (const asset of ledger?.assets ?? [])
    amounts[`futures ${asset}`] = formatFixed(ledger?.balance(asset) ?? 0n);
  return amounts;
}

function positionsOf(sides: Sides): Readonly<Record<string, string>> {
  const ledger = accountOf(sides).venue.accounts.futures?.ledger;
  const contracts = sides.instruments.filter((id) => id.startsWith('futures:'));
  return Object.fromEntries(
    contracts.flatMap((id) =>
      (['long', 'short'] as const).map((direction) => {
        const position = ledger?.position(id, direction);
        const held =
          position === undefined
            ? '0'
            : `${formatFixed(position.quantity)} at ${formatFixed(position.averagePrice)}`;
        return [`${id} ${direction}`, held];
      }),
    ),
  );
}

function compareAmounts(
  actual: Readonly<Record<string, string>>,
  believed: Readonly<Record<string, string>>,
): readonly string[] {
  return [...new Set([...Object.keys(actual), ...Object.keys(believed)])].flatMap((name) => {
    const [there, here] = [actual[name] ?? '0', believed[name] ?? '0'];
    return there === here ? [] : [`${name}: ${there}, believed ${here}`];
  });
}
