import {
  formatFixed,
  multiplyFixed,
  parseVenueOrderId,
  type Asset,
  type Fixed,
  type Side,
} from '../../domain/index.js';
import type { VenueOrder } from '../../venue/index.js';
import { broken, requireFactory, withFunctions, type ContractTest } from './contract-test.js';
import {
  balancesOf,
  fillsOf,
  limitOrder,
  OPTIONS,
  place,
  type ContractVenue,
} from './contract-venue.js';

/**
 * The contract of a venue for pairs, through its three ports: an order is shown as it was sent, it ends when it is canceled, each fill is reported once, and
 * balances change by exactly the amounts of the fills.
 *
 * @param create - makes a new venue for each test. Its account has no orders and can pay a dozen.
 * @throws {UsageError} `E_USAGE` for something else than a function.
 */
export function venueContract(create: () => Promise<ContractVenue>): readonly ContractTest[] {
  requireFactory('venueContract', create);
  return Object.entries(CHECKS).map(([name, check]) => ({
    name,
    run: async () => {
      const venue = withFunctions(await create(), 'settle', 'close');
      try {
        await check(venue);
      } finally {
        await venue.close();
      }
    },
  }));
}

const CHECKS: Readonly<Record<string, (venue: ContractVenue) => Promise<void>>> = {
  'lists its pair and a book with the best prices first': checkMarket,
  'a resting order is listed once, exactly as sent': checkResting,
  'a resting order locks the money it may spend, and spends none': checkLocked,
  'a cancel ends an order finally and unlocks its money': checkCancel,
  'a buy order fills as sent, and each fill is reported once': (venue) => checkFilled(venue, 'buy'),
  'a sell order fills as sent, and each fill is reported once': (venue) =>
    checkFilled(venue, 'sell'),
  'balances change by the fills of a buy order, including fees': (venue) =>
    checkMoney(venue, 'buy'),
  'balances change by the fills of a sell order, including fees': (venue) =>
    checkMoney(venue, 'sell'),
  'an order that it cannot accept is refused with a reason and leaves nothing behind':
    checkRefusals,
  'knows no order by an unknown id': checkUnknown,
  'sends no order once the signal is aborted': checkAborted,
};

async function checkMarket(venue: ContractVenue): Promise<void> {
  await pairOf(venue);
  const { bids, asks } = await venue.marketData.depth(venue.spot.id, OPTIONS);
  // From the highest ask through the spread to the lowest bid, each price is below the one before.
  const prices = [...asks.toReversed(), ...bids].map(({ price }) => price);
  for (const [place, price] of prices.entries()) {
    const before = prices[place - 1];
    if (before !== undefined && price >= before)
      throw broken(`a price of the book below ${formatFixed(before)}`, formatFixed(price));
  }
}

async function checkResting(venue: ContractVenue): Promise<void> {
  const { quantity, restingBid: limitPrice } = venue.spot;
  const sent = limitOrder(venue, 'buy', { limitPrice });
  const venueOrderId = await place(venue, sent);
  const working = await venue.account.openOrders(venue.spot.id, OPTIONS);
  if (working.length !== 1) throw broken('one working order', String(working.length));
  for (const order of [working[0], await shown(venue, venueOrderId)])
    same('the order', textOf(order), {
      id: venueOrderId,
      clientOrderId: sent.clientOrderId,
      side: 'buy',
      status: 'open',
      price: formatFixed(limitPrice),
      quantity: formatFixed(quantity),
      filled: '0',
    });
}

async function checkLocked(venue: ContractVenue): Promise<void> {
  const { quote } = await pairOf(venue);
  const before = (await balancesOf(venue))(quote);
  const { quantity, restingBid: limitPrice } = venue.spot;
  await place(venue, limitOrder(venue, 'buy', { limitPrice }));
  const during = (await balancesOf(venue))(quote);
  const money = multiplyFixed(limitPrice, quantity);
  if (during.locked - before.locked < money)
    throw broken(
      `${formatFixed(money)} ${quote} locked at least`,
      formatFixed(during.locked - before.locked),
    );
  sameAmount(`${quote} in all`, during.free + during.locked, before.free + before.locked);
}

async function checkCancel(venue: ContractVenue): Promise<void> {
  const { quote } = await pairOf(venue);
  const before = (await balancesOf(venue))(quote);
  const order = limitOrder(venue, 'buy', { limitPrice: venue.spot.restingBid });
  const venueOrderId = await place(venue, order);
  const target = { instrumentId: venue.spot.id, venueOrderId };
  const { kind } = await venue.execution.cancel(target, OPTIONS);
  if (kind !== 'requested') throw broken('an accepted cancel', kind);
  await venue.settle();
  await nothingWorks(venue);
  const status = (await shown(venue, venueOrderId)).status;
  if (status !== 'canceled') throw broken('a canceled order', status);
  const after = (await balancesOf(venue))(quote);
  sameAmount(`locked ${quote} after the cancel`, after.locked, before.locked);
  sameAmount(`free ${quote} after the cancel`, after.free, before.free);
}

async function checkFilled(venue: ContractVenue, side: Side): Promise<void> {
  const { quantity } = venue.spot;
  const limitPrice = fillingPrice(venue, side);
  const venueOrderId = await place(venue, limitOrder(venue, side, { limitPrice }));
  const order = await shown(venue, venueOrderId);
  if (order.status !== 'filled') throw broken('a filled order', order.status);
  sameAmount('the filled quantity of the order', order.filledQuantity, quantity);
  const fills = await fillsOf(venue, venueOrderId);
  const ids = new Set(fills.map(({ venueTradeId }) => venueTradeId));
  if (ids.size !== fills.length)
    throw broken(
      'a unique id for each fill',
      `${String(fills.length)} fills, ${String(ids.size)} ids`,
    );
  sameAmount('the quantity of all fills', sumOf(fills.map((fill) => fill.quantity)), quantity);
  for (const { price, side: told } of fills) {
    if (told !== side) throw broken(`a fill that is a ${side}`, told);
    if (side === 'buy' ? price > limitPrice : price < limitPrice)
      throw broken(`a price no worse than ${formatFixed(limitPrice)}`, formatFixed(price));
  }
  await nothingWorks(venue);
}

async function checkMoney(venue: ContractVenue, side: Side): Promise<void> {
  const { base, quote } = await pairOf(venue);
  const before = await balancesOf(venue);
  const order = limitOrder(venue, side, { limitPrice: fillingPrice(venue, side) });
  const fills = await fillsOf(venue, await place(venue, order));
  const after = await balancesOf(venue);
  const sign = side === 'buy' ? 1n : -1n;
  const flows: [Asset, Fixed][] = fills.flatMap(({ price, quantity, fee, feeAsset }) => {
    if (feeAsset === undefined) throw broken('a fill that names the asset of its fee', 'nothing');
    return [
      [base, sign * quantity],
      [quote, -sign * multiplyFixed(price, quantity)],
      [feeAsset, -fee],
    ];
  });
  for (const asset of new Set([base, quote, ...flows.map(([of]) => of)])) {
    const told = sumOf(flows.filter(([of]) => of === asset).map(([, amount]) => amount));
    const [was, is] = [before(asset), after(asset)];
    sameAmount(`the change of ${asset}`, is.free + is.locked - was.free - was.locked, told);
    sameAmount(`locked ${asset}`, is.locked, was.locked);
  }
}

async function checkRefusals(venue: ContractVenue): Promise<void> {
  const { quantity, restingBid: limitPrice } = venue.spot;
  // The first quantity is below any step. The second costs far more than the account has, which can pay a dozen orders.
  for (const tooMuch of [1n, quantity * 1_000_000n]) {
    const order = limitOrder(venue, 'buy', { limitPrice, quantity: tooMuch });
    const outcome = await venue.execution.submit(order, OPTIONS);
    if (outcome.kind !== 'rejected' || outcome.reason.code === '')
      throw broken(`a refusal of ${formatFixed(tooMuch)} with its code`, outcome.kind);
  }
  await nothingWorks(venue);
}

async function checkUnknown({ account, execution, spot }: ContractVenue): Promise<void> {
  const target = { instrumentId: spot.id, venueOrderId: parseVenueOrderId('3221406049627000001') };
  const order = await account.order(target, OPTIONS);
  if (order !== undefined) throw broken('no order', order.venueOrderId);
  const { kind } = await execution.cancel(target, OPTIONS);
  if (kind !== 'refused') throw broken('a refused cancel', kind);
}

async function checkAborted(venue: ContractVenue): Promise<void> {
  const order = limitOrder(venue, 'buy', { limitPrice: venue.spot.restingBid });
  const reason = new Error('stopped');
  const ended = await venue.execution.submit(order, { signal: AbortSignal.abort(reason) }).then(
    ({ kind }) => kind,
    (error: unknown) => error,
  );
  if (ended !== reason) throw broken('the reason of the signal', String(ended));
  await nothingWorks(venue);
}

async function pairOf({ marketData, spot }: ContractVenue): Promise<{ base: Asset; quote: Asset }> {
  const { listings } = await marketData.listings('spot', OPTIONS);
  const listing = listings.find(({ instrumentId }) => instrumentId === spot.id);
  if (listing === undefined) throw broken(`${spot.id} among its listings`, 'none of that id');
  return listing;
}

async function shown(
  { account, spot }: ContractVenue,
  venueOrderId: VenueOrder['venueOrderId'],
): Promise<VenueOrder> {
  const order = await account.order({ instrumentId: spot.id, venueOrderId }, OPTIONS);
  if (order === undefined) throw broken(`order ${venueOrderId}, which it accepted`, 'none');
  return order;
}

async function nothingWorks({ account, spot }: ContractVenue): Promise<void> {
  const working = await account.openOrders(spot.id, OPTIONS);
  if (working.length > 0) throw broken('no working order', String(working.length));
}

function fillingPrice({ spot }: ContractVenue, side: Side): Fixed {
  return side === 'buy' ? spot.fillingBid : spot.fillingAsk;
}

function sumOf(amounts: readonly Fixed[]): Fixed {
  return amounts.reduce((sum, amount) => sum + amount, 0n);
}

function sameAmount(what: string, received: Fixed, expected: Fixed): void {
  if (received !== expected)
    throw broken(`${what} to be ${formatFixed(expected)}`, formatFixed(received));
}

function textOf(order: VenueOrder | undefined): Readonly<Record<string, string>> | undefined {
  if (order === undefined) return undefined;
  const { venueOrderId: id, side, status, limitPrice, quantity, filledQuantity } = order;
  // A bot finds an order whose answer was lost by this id. Without it the order would count as never sent, and work on.
  const clientOrderId = order.clientOrderId ?? 'none';
  const price = limitPrice === undefined ? 'none' : formatFixed(limitPrice);
  const filled = formatFixed(filledQuantity);
  return { id, clientOrderId, side, status, price, quantity: formatFixed(quantity), filled };
}

function same(what: string, received: unknown, expected: unknown): void {
  const [is, wanted] = [JSON.stringify(received), JSON.stringify(expected)];
  if (is !== wanted) throw broken(`${what} to be ${wanted}`, is);
}
