import { createInstrumentId, type InstrumentId } from '../../domain/index.js';
import {
  decodeConditionRequest,
  decodeFuturesOrderRequest,
  encodeCondition,
  encodeFuturesAccount,
  encodeFuturesOpenOrders,
  encodeFuturesOrder,
  encodeFuturesOrderId,
  encodeFuturesTrade,
  encodeHistoryOrder,
  encodeList,
  encodeProfit,
  encodeTrigger,
  type FamilyEndpointId,
  type JsonOutput,
} from '../../venue/wire/index.js';
import { isRefusal, type ExchangeRefusal } from '../refusal.js';
import type { Handlers, IdsOf, SignedCall } from './handler.js';
import { pageOf, type Page } from './page.js';
import type { PublicId } from './public-handlers.js';
import { noOrder, notListed } from './spot-handlers.js';

/** Answers the signed calls of the futures market. */
export const FUTURES_HANDLERS: Handlers<
  Exclude<IdsOf<'futures'>, PublicId> | FamilyEndpointId,
  SignedCall
> = {
  'futures.triggers': ({ contractName }, call) =>
    ofContract(contractName, call, (instrumentId) =>
      encodeList(call.account.triggers(instrumentId, call.time).map(encodeTrigger), call.profile),
    ),
  'futures.cancelTrigger': ({ contractName, orderId }, { account, time, profile }) =>
    account.cancelTrigger(contractId(contractName), orderId, time) ??
    encodeFuturesOrderId(orderId, profile),
  'futures.order': (request, { account, time, effects, profile }) => {
    const placed = account.place(decodeFuturesOrderRequest(request), time, effects);
    return isRefusal(placed) ? placed : encodeFuturesOrderId(placed.venueOrderId, profile);
  },
  'futures.conditionOrder': (request, { account, time }) => {
    const triggerId = account.placeCondition(decodeConditionRequest(request), time);
    return isRefusal(triggerId) ? triggerId : encodeCondition(triggerId);
  },
  'futures.cancel': ({ contractName, orderId }, { account, time, effects, profile }) => {
    const key = { instrumentId: contractId(contractName), orderId, clientOrderId: undefined };
    const canceled = account.cancel(key, time, effects);
    return isRefusal(canceled) ? canceled : encodeFuturesOrderId(canceled.venueOrderId, profile);
  },
  'futures.queryOrder': ({ contractName, orderId, clientOrderId }, call) => {
    const key = { instrumentId: contractId(contractName), orderId, clientOrderId };
    const order = call.account.order(key, call.time);
    return order === undefined
      ? noOrder(orderId)
      : encodeFuturesOrder(order, 'detail', call.profile);
  },
  'futures.openOrders': ({ contractName }, call) =>
    ofContract(contractName, call, (instrumentId) =>
      encodeFuturesOpenOrders(call.account.openOrders(instrumentId, call.time), call.profile),
    ),
  'futures.orderHistorical': (request, call) =>
    rowsOf(request, call, {
      rows: (instrumentId) => call.account.orders(instrumentId, call.time),
      idOf: ({ venueOrderId }) => venueOrderId,
      encode: (order) => encodeHistoryOrder(order, call.profile),
    }),
  'futures.profitHistorical': (request, call) =>
    rowsOf(request, call, {
      rows: (instrumentId) => call.account.profits(instrumentId, call.time),
      idOf: ({ id }) => id,
      encode: (profit) => encodeProfit(profit, call.profile),
    }),
  'futures.myTrades': (request, call) =>
    rowsOf(request, call, {
      rows: (instrumentId) => call.account.trades(instrumentId, call.time),
      idOf: ({ venueTradeId }) => venueTradeId,
      encode: (trade) => encodeFuturesTrade(trade, call.profile),
    }),
  'futures.account': (_request, { account, time, profile }) =>
    encodeFuturesAccount(account.futures(time), profile),
};

function contractId(contractName: string): InstrumentId {
  return createInstrumentId('futures', contractName.toUpperCase());
}

function ofContract<T>(
  contractName: string,
  { market }: SignedCall,
  answer: (instrumentId: InstrumentId) => T,
): T | ExchangeRefusal {
  const instrumentId = contractId(contractName);
  return market.isListed(instrumentId) ? answer(instrumentId) : notListed(instrumentId);
}

function rowsOf<T>(
  { contractName, ...page }: Page & { readonly contractName: string },
  call: SignedCall,
  list: {
    readonly rows: (instrumentId: InstrumentId) => readonly T[];
    readonly idOf: (row: T) => string;
    readonly encode: (row: T) => JsonOutput;
  },
): readonly JsonOutput[] | ExchangeRefusal {
  return ofContract(contractName, call, (instrumentId) =>
    pageOf(list.rows(instrumentId), list.idOf, page).map(list.encode),
  );
}
