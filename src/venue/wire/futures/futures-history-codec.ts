import { createInstrumentId, parseVenueOrderId } from '../../../domain/index.js';
import type { HistoryOrder, ProfitRecord, VenueOrder, VenueTrade } from '../../orders.js';
import {
  clientIdOrNone,
  decodeLocalTime,
  encodeAmount,
  encodeAmountOrZero,
  encodeId,
  encodeLocalTime,
  encodeSide,
  encodeTime,
  priceOrNone,
  symbolOf,
} from '../json/encoding.js';
import type { AnswerOf } from '../endpoint.js';
import type { ENDPOINTS } from '../endpoint-table.js';
import {
  modeNumber,
  numberOrZero,
  pairOf,
  STATUS_NUMBERS,
  typeNumber,
} from './futures-encoding.js';
import type { HistoryOrderAnswer } from './futures-order-shapes.js';
import type { JsonOutput } from '../json/json.js';
import type { AnswerProfile } from '../profile.js';

type Table = typeof ENDPOINTS;

/** Makes an order of the history. */
export function decodeHistoryOrder(answer: HistoryOrderAnswer): VenueOrder {
  const { type, timeInForce } = answer.type;
  const isMarket = type === 'market';
  return {
    instrumentId: createInstrumentId('futures', answer.contractName),
    venueOrderId: parseVenueOrderId(answer.orderId),
    clientOrderId: clientIdOrNone(answer.clientId),
    side: answer.side,
    action: answer.openOrClose,
    type,
    timeInForce: isMarket ? undefined : (answer.timeInForce ?? timeInForce),
    status: answer.status,
    limitPrice: isMarket ? undefined : priceOrNone(answer.price),
    quantity: answer.volume,
    filledQuantity: answer.dealVolume,
    averagePrice: priceOrNone(answer.avgPrice),
    filledNotional: answer.dealMoney,
    createdTime: answer.ctimeMs ?? decodeLocalTime(answer.ctime),
    marginMode: answer.positionType,
    leverage: answer.leverageLevel,
  };
}

/** Writes a row of the history. The interface shows none, so both profiles have the family's fields; statuses and types are numbers. */
export function encodeHistoryOrder(order: HistoryOrder, profile: AnswerProfile): JsonOutput {
  const { contractId, feeRates } = order;
  const maker = feeRates && encodeAmount(feeRates.maker, profile);
  const taker = feeRates && encodeAmount(feeRates.taker, profile);
  return {
    side: encodeSide(order.side),
    clientId: order.clientOrderId ?? '0',
    ctimeMs: encodeTime(order.createdTime),
    ctime: encodeLocalTime(order.createdTime),
    positionType: modeNumber(order.marginMode),
    orderId: encodeId(order.venueOrderId, profile),
    avgPrice: encodeAmountOrZero(order.averagePrice, profile),
    openOrClose: order.action?.toUpperCase(),
    leverageLevel: order.leverage === undefined ? undefined : encodeAmount(order.leverage, profile),
    type: typeNumber(order),
    status: STATUS_NUMBERS[order.status],
    volume: encodeAmount(order.quantity, profile),
    dealVolume: encodeAmount(order.filledQuantity, profile),
    dealMoney: encodeAmountOrZero(order.filledNotional, profile),
    price: encodeAmountOrZero(order.limitPrice, profile),
    contractId: contractId === undefined ? undefined : numberOrZero(contractId),
    contractName: symbolOf(order.instrumentId),
    openMakerFeeRate: maker,
    openTakerFeeRate: taker,
    closeMakerFeeRate: maker,
    closeTakerFeeRate: taker,
  };
}

/** Makes the result of a closed position. */
export function decodeProfit(
  answer: AnswerOf<Table['futures.profitHistorical']>[number],
): ProfitRecord {
  return {
    id: answer.id,
    contractId: answer.contractId,
    side: answer.side,
    marginMode: answer.positionType,
    quantity: answer.volume,
    leverage: answer.leverageLevel,
    openPrice: answer.openPrice,
    closePrice: priceOrNone(answer.openEndPrice),
    closeProfit: answer.closeProfit,
    tradeFee: answer.tradeFee,
    fundingFee: answer.capitalFee,
    totalProfit: answer.historyRealizedAmount,
    createdTime: decodeLocalTime(answer.ctime),
    updatedTime: decodeLocalTime(answer.mtime),
  };
}

export function encodeProfit(profit: ProfitRecord, profile: AnswerProfile): JsonOutput {
  return {
    id: encodeId(profit.id, profile),
    contractId: numberOrZero(profit.contractId),
    side: encodeSide(profit.side),
    positionType: modeNumber(profit.marginMode),
    volume: encodeAmount(profit.quantity, profile),
    leverageLevel:
      profit.leverage === undefined ? undefined : encodeAmount(profit.leverage, profile),
    openPrice: encodeAmount(profit.openPrice, profile),
    openEndPrice: encodeAmountOrZero(profit.closePrice, profile),
    closeProfit: encodeAmount(profit.closeProfit, profile),
    tradeFee: encodeAmount(profit.tradeFee, profile),
    capitalFee: encodeAmount(profit.fundingFee, profile),
    historyRealizedAmount: encodeAmount(profit.totalProfit, profile),
    realizedAmount: encodeAmount(profit.totalProfit, profile),
    // Nothing is settled or allocated before a position ends.
    settleProfit: encodeAmount(0n, profile),
    shareAmount: encodeAmount(0n, profile),
    ctime: encodeTime(profit.createdTime),
    mtime: encodeTime(profit.updatedTime),
  };
}

/** Makes one of our executions. Its fee is in the contract's margin asset, which the answer does not name. */
export function decodeFuturesTrade(
  answer: AnswerOf<Table['futures.myTrades']>[number],
): VenueTrade {
  const buyOrderId = parseVenueOrderId(answer.bidId);
  const sellOrderId = parseVenueOrderId(answer.askId);
  return {
    instrumentId: createInstrumentId('futures', answer.contractName),
    venueTradeId: answer.tradeId,
    venueOrderId: answer.side === 'buy' ? buyOrderId : sellOrderId,
    buyOrderId,
    sellOrderId,
    side: answer.side,
    liquidity: answer.isMaker ? 'maker' : 'taker',
    price: answer.price,
    quantity: answer.qty,
    notional: answer.amount,
    fee: answer.fee,
    feeAsset: undefined,
    time: answer.time,
    buyUserId: answer.bidUserId,
    sellUserId: answer.askUserId,
  };
}

export function encodeFuturesTrade(trade: VenueTrade, profile: AnswerProfile): JsonOutput {
  return {
    symbol: pairOf(trade),
    tradeId: encodeId(trade.venueTradeId, profile),
    bidId: encodeId(trade.buyOrderId, profile),
    askId: encodeId(trade.sellOrderId, profile),
    bidUserId: numberOrZero(trade.buyUserId),
    askUserId: numberOrZero(trade.sellUserId),
    price: encodeAmount(trade.price, profile),
    qty: encodeAmount(trade.quantity, profile),
    amount: encodeAmountOrZero(trade.notional, profile),
    time: trade.time,
    fee: encodeAmount(trade.fee, profile),
    side: encodeSide(trade.side),
    contractName: symbolOf(trade.instrumentId),
    isMaker: trade.liquidity === 'maker',
    isBuyer: trade.side === 'buy',
  };
}
