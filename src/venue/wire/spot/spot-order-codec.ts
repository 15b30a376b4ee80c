import {
  Balance,
  createInstrumentId,
  parseVenueOrderId,
  type VenueOrderId,
} from '../../../domain/index.js';
import type { SpotAccountSnapshot } from '../../account.js';
import type { CancelOutcome, SubmitOutcome, VenueOrder, VenueTrade } from '../../orders.js';
import {
  clientIdOrNone,
  encodeAmount,
  encodeAmountOrZero,
  encodeId,
  encodeSide,
  encodeStatus,
  encodeTime,
  priceOrNone,
  symbolOf,
} from '../json/encoding.js';
import type { AnswerOf } from '../endpoint.js';
import type { ENDPOINTS } from '../endpoint-table.js';
import type { VenueErrorCode } from '../error-codes.js';
import { JsonNumber, type JsonOutput } from '../json/json.js';
import type { AnswerProfile } from '../profile.js';
import type { SpotOrderAnswer, SpotOwnTradeAnswer } from './spot-order-shapes.js';

type Table = typeof ENDPOINTS;
type Product = 'spot' | 'margin';

/** A refused order of a batch: its index from 0, and the reason. */
interface RefusedEntry {
  readonly index: number;
  readonly code: VenueErrorCode;
  readonly message: string;
}

/** Outcome of a new order, from its answer. REJECTED is the only failure that the interface itself shows. */
export function decodeCreatedOrder(answer: AnswerOf<Table['spot.order']>): SubmitOutcome {
  if (answer.status === 'rejected') {
    return { kind: 'rejected', reason: { code: 'REJECTED', text: 'the venue rejected the order' } };
  }
  return {
    kind: 'accepted',
    venueOrderId: parseVenueOrderId(answer.orderId),
    status: answer.status,
    filledQuantity: answer.executedQty,
  };
}

/** Writes the answer to an order; the family's form has the id in a list of one text. */
export function encodeCreatedOrder(order: VenueOrder, profile: AnswerProfile): JsonOutput {
  return {
    orderId: profile === 'family' ? [order.venueOrderId] : encodeId(order.venueOrderId, profile),
    clientOrderId: order.clientOrderId ?? '',
    symbol: symbolOf(order.instrumentId),
    transactTime: encodeTime(order.createdTime),
    ...encodeTerms(order, profile),
  };
}

function encodeTerms(
  order: VenueOrder,
  profile: AnswerProfile,
): Readonly<Record<string, JsonOutput | undefined>> {
  return {
    price: encodeAmountOrZero(order.limitPrice, profile),
    origQty: encodeAmount(order.quantity, profile),
    executedQty: encodeAmount(order.filledQuantity, profile),
    type: order.type?.toUpperCase(),
    side: encodeSide(order.side),
    status: encodeStatus(order.status, order.filledQuantity, profile),
  };
}

/** Makes an order of a query or a list. */
export function decodeSpotOrder(answer: SpotOrderAnswer, product: Product): VenueOrder {
  const isMarket = answer.type === 'market';
  return {
    instrumentId: createInstrumentId(product, answer.symbol),
    venueOrderId: parseVenueOrderId(answer.orderId),
    clientOrderId: clientIdOrNone(answer.clientOrderId),
    side: answer.side,
    action: undefined,
    type: answer.type,
    timeInForce: answer.type === 'limit' ? 'GTC' : undefined,
    status: answer.status,
    limitPrice: isMarket ? undefined : priceOrNone(answer.price),
    quantity: answer.origQty,
    filledQuantity: answer.executedQty,
    averagePrice: priceOrNone(answer.avgPrice),
    filledNotional: undefined,
    createdTime: answer.time ?? answer.transactTime,
    marginMode: undefined,
    leverage: undefined,
  };
}

/** Writes an order as queried, or as listed; the family's form adds the time, under another name in each. */
export function encodeSpotOrder(
  order: VenueOrder,
  profile: AnswerProfile,
  place: 'query' | 'list' = 'query',
): JsonOutput {
  const time = place === 'query' ? 'transactTime' : 'time';
  return {
    orderId: encodeId(order.venueOrderId, profile),
    clientOrderId: order.clientOrderId ?? '',
    symbol: symbolOf(order.instrumentId),
    ...encodeTerms(order, profile),
    avgPrice: encodeAmountOrZero(order.averagePrice, profile),
    ...(profile === 'family' ? { [time]: order.createdTime } : {}),
  };
}

/** Writes a list, bare by the interface and in `list` in the family's form. */
export function encodeList(entries: readonly JsonOutput[], profile: AnswerProfile): JsonOutput {
  return profile === 'family' ? { list: entries } : entries;
}

/** Outcome of a cancel. An answer without status means that the order is canceling. */
export function decodeCanceledOrder(answer: AnswerOf<Table['spot.cancel']>): CancelOutcome {
  return { kind: 'requested', status: answer.status ?? 'canceling' };
}

export function encodeCanceledOrder(order: VenueOrder, profile: AnswerProfile): JsonOutput {
  return {
    orderId: encodeId(order.venueOrderId, profile),
    clientOrderId: order.clientOrderId ?? '',
    symbol: symbolOf(order.instrumentId),
    status: encodeStatus(order.status, order.filledQuantity, profile),
  };
}

/** Ids of a batch in the order of its orders. Fewer or more than were sent leave every outcome unknown. */
export function decodeBatchIds(
  answer: AnswerOf<Table['spot.batchOrders']>,
): readonly VenueOrderId[] {
  return (answer.idsString ?? answer.ids ?? []).map(parseVenueOrderId);
}

export function encodeBatchIds(
  ids: readonly VenueOrderId[],
  profile: AnswerProfile,
  refused: readonly RefusedEntry[] = [],
): JsonOutput {
  const written = ids.map((id) => encodeId(id, profile));
  return {
    ids: written,
    ...(profile === 'family' ? { idsString: ids } : {}),
    ...(refused.length > 0
      ? { refused: refused.map((entry) => encodeRefused(entry, profile)) }
      : {}),
  };
}

/** Writes a code as errors of the profile have it: a number in the interface's form, a text in the family's. */
function encodeRefused({ index, code, message }: RefusedEntry, profile: AnswerProfile): JsonOutput {
  return { index, code: profile === 'family' ? code : new JsonNumber(code), msg: message };
}

/** Outcome of each cancel of a batch; undefined for an id the answer does not name. */
export function decodeBatchCanceled(
  answer: AnswerOf<Table['spot.batchCancel']>,
  venueOrderIds: readonly VenueOrderId[],
): readonly (CancelOutcome | undefined)[] {
  const taken = new Set(answer.success ?? []);
  const failed = new Set(Array.isArray(answer.failed) ? answer.failed : []);
  return venueOrderIds.map((id) => {
    if (taken.has(id)) return { kind: 'requested', status: 'canceling' };
    if (!failed.has(id)) return undefined;
    const text = 'the order is unknown or final already';
    return { kind: 'refused', reason: { code: 'BATCH_FAILED', text } };
  });
}

export function encodeBatchCanceled(
  outcome: {
    readonly success: readonly VenueOrderId[];
    readonly failed: readonly VenueOrderId[];
  },
  profile: AnswerProfile,
): JsonOutput {
  return {
    success: outcome.success.map((id) => encodeId(id, profile)),
    failed: outcome.failed.map((id) => encodeId(id, profile)),
  };
}

/** Makes one of our executions. */
export function decodeSpotTrade(answer: SpotOwnTradeAnswer, product: Product): VenueTrade {
  const buyOrderId = parseVenueOrderId(answer.bidId);
  const sellOrderId = parseVenueOrderId(answer.askId);
  return {
    instrumentId: createInstrumentId(product, answer.symbol),
    venueTradeId: answer.id,
    venueOrderId: answer.isBuyer ? buyOrderId : sellOrderId,
    buyOrderId,
    sellOrderId,
    side: answer.isBuyer ? 'buy' : 'sell',
    liquidity: answer.isMaker ? 'maker' : 'taker',
    price: answer.price,
    quantity: answer.qty,
    notional: undefined,
    fee: answer.fee,
    feeAsset: answer.feeCoin.toUpperCase(),
    time: answer.time,
    buyUserId: answer.bidUserId,
    sellUserId: answer.askUserId,
  };
}

export function encodeSpotTrade(trade: VenueTrade, profile: AnswerProfile): JsonOutput {
  return {
    symbol: symbolOf(trade.instrumentId),
    id: encodeId(trade.venueTradeId, profile),
    bidId: encodeId(trade.buyOrderId, profile),
    askId: encodeId(trade.sellOrderId, profile),
    price: encodeAmount(trade.price, profile),
    qty: encodeAmount(trade.quantity, profile),
    time: trade.time,
    isBuyer: trade.side === 'buy',
    isMaker: trade.liquidity === 'maker',
    feeCoin: trade.feeAsset ?? '',
    fee: encodeAmount(trade.fee, profile),
    ...(profile === 'family'
      ? {
          side: encodeSide(trade.side),
          isSelf: trade.buyUserId !== undefined && trade.buyUserId === trade.sellUserId,
          bidUserId: trade.buyUserId,
          askUserId: trade.sellUserId,
        }
      : {}),
  };
}

/** Makes the balances of the spot account. */
export function decodeSpotAccount(answer: AnswerOf<Table['spot.account']>): SpotAccountSnapshot {
  const balances = answer.balances.map(
    ({ asset, free, locked }) => new Balance(asset.toUpperCase(), { free, locked }),
  );
  return { kind: 'spot', balances };
}

export function encodeSpotAccount(
  { balances }: SpotAccountSnapshot,
  profile: AnswerProfile,
): JsonOutput {
  return {
    balances: balances.map(({ asset, exact }) => ({
      asset,
      free: encodeAmount(exact.free, profile),
      locked: encodeAmount(exact.locked, profile),
    })),
  };
}
