import { createInstrumentId, type InstrumentId, type VenueOrderId } from '../../domain/index.js';
import {
  decodeBatchEntry,
  decodeSpotOrderRequest,
  encodeBatchCanceled,
  encodeBatchIds,
  encodeCanceledOrder,
  encodeCreatedOrder,
  encodeSpotAccount,
  encodeSpotOrder,
  encodeSpotTrade,
  type JsonOutput,
} from '../../venue/wire/index.js';
import type { OrderKey } from '../exchange-account.js';
import { isRefusal, refuse, type ExchangeRefusal } from '../refusal.js';
import type { Handlers, IdsOf, SignedCall } from './handler.js';
import { pageOf, type Page } from './page.js';
import type { PublicId } from './public-handlers.js';

type PairKind = 'spot' | 'margin';

interface PairTarget {
  readonly symbol: string;
  readonly orderId: string;
  readonly newClientOrderId?: string | undefined;
}

/** Answers the signed calls of the spot market. */
export const SPOT_HANDLERS: Handlers<Exclude<IdsOf<'spot'>, PublicId>, SignedCall> = {
  'spot.order': (request, call) => placePairOrder(request, 'spot', call),
  'spot.orderTest': (request, { account, time }) =>
    account.test(decodeSpotOrderRequest(request, 'spot'), time) ?? {},
  'spot.batchOrders': ({ symbol, orders }, call) => {
    const placed = orders.map((entry) =>
      call.account.place(decodeBatchEntry(entry, symbol), call.time, call.effects),
    );
    const ids = placed.flatMap((order) => (isRefusal(order) ? [] : [order.venueOrderId]));
    const refused = placed.flatMap((order, index) =>
      isRefusal(order) ? [{ index, code: order.code, message: order.message }] : [],
    );
    // If no order of a batch was accepted, the answer is an error. If some were, it holds their ids and the refusals of the others.
    const [first] = refused;
    return ids.length === 0 && first !== undefined
      ? refuse(first.code, `orders[${String(first.index)}]: ${first.message}`)
      : encodeBatchIds(ids, call.profile, refused);
  },
  'spot.queryOrder': (request, call) => queryPairOrder(request, 'spot', call),
  'spot.cancel': (request, call) => cancelPairOrder(request, 'spot', call),
  'spot.batchCancel': ({ symbol, orderIds }, { account, time, effects, profile }) => {
    const instrumentId = pairId('spot', symbol);
    const success: VenueOrderId[] = [];
    const failed: VenueOrderId[] = [];
    for (const orderId of orderIds) {
      const key = { instrumentId, orderId, clientOrderId: undefined };
      const canceled = account.cancel(key, time, effects);
      (isRefusal(canceled) ? failed : success).push(orderId as VenueOrderId);
    }
    return encodeBatchCanceled({ success, failed }, profile);
  },
  'spot.openOrders': (request, call) => pairOpenOrders(request, 'spot', call),
  'spot.myTrades': (request, call) => pairTrades(request, 'spot', call),
  'spot.account': (_request, { account, time, profile }) =>
    encodeSpotAccount(account.spot(time), profile),
};

/** Answers the calls of the margin market, which have the shapes of spot. */
export const MARGIN_HANDLERS: Handlers<IdsOf<'margin'>, SignedCall> = {
  'margin.order': (request, call) => placePairOrder(request, 'margin', call),
  'margin.queryOrder': (request, call) => queryPairOrder(request, 'margin', call),
  'margin.cancel': (request, call) => cancelPairOrder(request, 'margin', call),
  'margin.openOrders': (request, call) => pairOpenOrders(request, 'margin', call),
  'margin.myTrades': (request, call) => pairTrades(request, 'margin', call),
};

function pairId(kind: PairKind, symbol: string): InstrumentId {
  return createInstrumentId(kind, symbol.toUpperCase());
}

function keyOf({ symbol, orderId, newClientOrderId }: PairTarget, kind: PairKind): OrderKey {
  return { instrumentId: pairId(kind, symbol), orderId, clientOrderId: newClientOrderId };
}

function placePairOrder(
  request: Parameters<typeof decodeSpotOrderRequest>[0],
  kind: PairKind,
  { account, time, effects, profile }: SignedCall,
): JsonOutput | ExchangeRefusal {
  const placed = account.place(decodeSpotOrderRequest(request, kind), time, effects);
  return isRefusal(placed) ? placed : encodeCreatedOrder(placed, profile);
}

function queryPairOrder(
  target: PairTarget,
  kind: PairKind,
  { account, time, profile }: SignedCall,
): JsonOutput | ExchangeRefusal {
  const order = account.order(keyOf(target, kind), time);
  return order === undefined ? noOrder(target.orderId) : encodeSpotOrder(order, profile);
}

function cancelPairOrder(
  target: PairTarget,
  kind: PairKind,
  { account, time, effects, profile }: SignedCall,
): JsonOutput | ExchangeRefusal {
  const canceled = account.cancel(keyOf(target, kind), time, effects);
  if (isRefusal(canceled)) return canceled;
  // Other deployments answer that the cancel is on its way, whatever its result.
  const shown = profile === 'family' ? { ...canceled, status: 'canceling' as const } : canceled;
  return encodeCanceledOrder(shown, profile);
}

function pairOpenOrders(
  { symbol, limit }: { readonly symbol: string; readonly limit: number },
  kind: PairKind,
  { account, market, time, profile }: SignedCall,
): JsonOutput | ExchangeRefusal {
  const instrumentId = pairId(kind, symbol);
  if (!market.isListed(instrumentId)) return notListed(instrumentId);
  const orders = account.openOrders(instrumentId, time).slice(0, limit);
  return orders.map((order) => encodeSpotOrder(order, profile, 'list'));
}

function pairTrades(
  { symbol, ...page }: Page & { readonly symbol: string },
  kind: PairKind,
  { account, market, time, profile }: SignedCall,
): JsonOutput | ExchangeRefusal {
  const instrumentId = pairId(kind, symbol);
  if (!market.isListed(instrumentId)) return notListed(instrumentId);
  const trades = pageOf(
    account.trades(instrumentId, time),
    ({ venueTradeId }) => venueTradeId,
    page,
  );
  return trades.map((trade) => encodeSpotTrade(trade, profile));
}

export function noOrder(orderId: string): ExchangeRefusal {
  return refuse('-2013', `there is no order ${orderId}`);
}

export function notListed(instrumentId: InstrumentId): ExchangeRefusal {
  return refuse('-1121', `${instrumentId} is not listed`);
}
