import { z } from 'zod';
import {
  familyDescribed,
  familyField,
  familyRequired,
  field,
  optionalField,
} from '../json/fields.js';
import {
  AMOUNT,
  DECIMAL,
  FLAG,
  ID,
  INSTANT,
  LOCAL_TIME,
  PRICE,
  SYMBOL,
  TEXT,
} from '../json/scalars.js';
import {
  ACTION,
  MARGIN_MODE,
  ORDER_TERMS,
  ORDER_TYPE,
  SIDE,
  STATUS,
  TIME_IN_FORCE,
} from '../json/word-scalars.js';

/** Answer to an order and to a cancel: the id, as number or text (live answers, confidence high). */
export const FUTURES_ORDER_ID = z.object({
  orderId: familyRequired(ID, 'long', 'Id given by the venue'),
});

/**
 * Answer to a conditional order. The id of the trigger is the first of `triggerIds`, or `orderId` in older documents.
 * Source: documents and live answers of the family, confidence high.
 */
export const CONDITION_IDS = z
  .object({
    triggerIds: familyDescribed(
      z.array(familyRequired(ID, 'long', 'Trigger id')).nullish(),
      'array',
      'Ids of the triggers',
    ),
    orderId: familyField(ID, 'long', 'Id of the trigger in older documents'),
  })
  .transform(({ triggerIds, orderId }, context) => {
    const triggerId = triggerIds?.[0] ?? orderId;
    if (triggerId !== undefined) return { triggerId };
    context.issues.push({
      code: 'custom',
      message: ID.expected,
      path: ['triggerIds'],
      input: triggerIds,
    });
    return z.NEVER;
  });

const FUTURES_ORDER_FIELDS = {
  orderId: field(ID, 'long', 'Id given by the venue'),
  contractName: field(SYMBOL, 'string', 'Contract name'),
  price: field(AMOUNT, 'float', 'Order price; 0 for MARKET'),
  origQty: field(AMOUNT, 'float', 'Contracts; money for a MARKET order that opens'),
  executedQty: field(AMOUNT, 'float', 'Filled contracts'),
  avgPrice: optionalField(AMOUNT, 'float', 'Average fill price'),
  side: field(SIDE, 'string', 'BUY or SELL'),
  status: field(STATUS, 'string', 'Order status'),
  action: field(ACTION, 'string', 'OPEN or CLOSE'),
  transactTime: optionalField(INSTANT, 'long', 'Creation time, UTC milliseconds'),
} as const;

const FAMILY_ORDER_FIELDS = {
  timeInForce: familyField(TIME_IN_FORCE, 'string', '1 limit, 2 market, 3 IOC, 4 FOK, 5 POST_ONLY'),
  clientOrderId: familyField(TEXT, 'string', 'Our own id; "0" says that there is none'),
  clientId: familyField(TEXT, 'string', 'Our own id in lists'),
} as const;

/** One order in detail. `type` is an addition of live deployments (confidence high). */
export const FUTURES_ORDER = z.object({
  ...FUTURES_ORDER_FIELDS,
  symbol: optionalField(TEXT, 'string', 'Pair name'),
  type: familyField(ORDER_TYPE, 'string', 'LIMIT or MARKET'),
  ...FAMILY_ORDER_FIELDS,
});

/** One working order. */
export const FUTURES_OPEN_ORDER = z.object({
  ...FUTURES_ORDER_FIELDS,
  type: optionalField(ORDER_TYPE, 'string', 'LIMIT or MARKET'),
  symbol: familyField(TEXT, 'string', 'Pair name'),
  ...FAMILY_ORDER_FIELDS,
});
export type FuturesOrderAnswer = z.output<typeof FUTURES_OPEN_ORDER>;

/**
 * One order of the history. The interface does not list it. Source: documents and live answers of the family, confidence high: status
 * and type are numbers (0 INIT, 1 NEW, 2 FILLED, 3 PART_FILLED, 4 CANCELED, 5 PENDING_CANCEL, 6 EXPIRED; 1 limit, 2 market, 3 IOC,
 * 4 FOK, 5 POST_ONLY); `ctimeMs` is UTC, `ctime` the server's local time.
 */
export const HISTORY_ORDER = z.object({
  orderId: familyRequired(ID, 'long', 'Id given by the venue'),
  contractName: familyRequired(SYMBOL, 'string', 'Contract name'),
  side: familyRequired(SIDE, 'string', 'BUY or SELL'),
  openOrClose: familyRequired(ACTION, 'string', 'OPEN or CLOSE'),
  type: familyRequired(ORDER_TERMS, 'integer', '1 limit, 2 market, 3 IOC, 4 FOK, 5 POST_ONLY'),
  timeInForce: familyField(TIME_IN_FORCE, 'string', 'Time in force as word or number'),
  status: familyRequired(STATUS, 'integer', 'Order status as number'),
  price: familyRequired(AMOUNT, 'float', 'Order price; 0 for MARKET'),
  volume: familyRequired(AMOUNT, 'float', 'Contracts; money for a MARKET order that opens'),
  dealVolume: familyRequired(AMOUNT, 'float', 'Filled contracts'),
  dealMoney: familyField(AMOUNT, 'float', 'Filled contracts × multiplier × average price'),
  avgPrice: familyField(AMOUNT, 'float', 'Average fill price'),
  positionType: familyField(MARGIN_MODE, 'integer', '1 cross, 2 isolated'),
  leverageLevel: familyField(AMOUNT, 'float', 'Leverage'),
  clientId: familyField(TEXT, 'string', 'Our own id'),
  ctimeMs: familyField(INSTANT, 'long', 'Creation time, UTC milliseconds'),
  ctime: familyField(LOCAL_TIME, 'time', 'Creation time, local text'),
  contractId: familyField(ID, 'integer', 'Number of the contract'),
  openMakerFeeRate: familyField(DECIMAL, 'float', 'Fee of a maker that opens, a ratio'),
  openTakerFeeRate: familyField(DECIMAL, 'float', 'Fee of a taker that opens, a ratio'),
  closeMakerFeeRate: familyField(DECIMAL, 'float', 'Fee of a maker that closes, a ratio'),
  closeTakerFeeRate: familyField(DECIMAL, 'float', 'Fee of a taker that closes, a ratio'),
});
export type HistoryOrderAnswer = z.output<typeof HISTORY_ORDER>;

/**
 * One closed position or part of it. The interface does not list it. Source: documents and live answers of the family, confidence high;
 * historyRealizedAmount = closeProfit + tradeFee + capitalFee in both samples.
 */
export const PROFIT = z.object({
  id: familyRequired(ID, 'long', 'Record id'),
  contractId: familyField(ID, 'integer', 'Number of the contract'),
  side: familyRequired(SIDE, 'string', 'BUY long, SELL short'),
  positionType: familyField(MARGIN_MODE, 'integer', '1 cross, 2 isolated'),
  volume: familyRequired(AMOUNT, 'float', 'Contracts'),
  leverageLevel: familyField(AMOUNT, 'float', 'Leverage'),
  openPrice: familyRequired(AMOUNT, 'float', 'Opening price'),
  openEndPrice: familyField(AMOUNT, 'float', 'Closing price'),
  closeProfit: familyRequired(DECIMAL, 'float', 'Profit of closing, fees excluded'),
  tradeFee: familyRequired(DECIMAL, 'float', 'Trading fee, negative when paid'),
  capitalFee: familyRequired(DECIMAL, 'float', 'Funding, negative when paid'),
  historyRealizedAmount: familyRequired(DECIMAL, 'float', 'Total result'),
  realizedAmount: familyField(DECIMAL, 'float', 'Realized result of the current position'),
  settleProfit: familyField(DECIMAL, 'float', 'Result of settlements'),
  shareAmount: familyField(DECIMAL, 'float', 'Allocated amount'),
  ctime: familyField(LOCAL_TIME, 'long', 'Creation time, UTC milliseconds'),
  mtime: familyField(LOCAL_TIME, 'long', 'Update time, UTC milliseconds'),
});

/** One own execution. `amount` = qty × multiplier × price (recomputed from samples). */
export const FUTURES_OWN_TRADE = z.object({
  symbol: optionalField(TEXT, 'string', 'Pair name'),
  tradeId: field(ID, 'number', 'Trade id'),
  bidId: field(ID, 'long', 'Order id of the buyer'),
  askId: field(ID, 'long', 'Order id of the seller'),
  bidUserId: optionalField(ID, 'integer', 'User id of the buyer'),
  askUserId: optionalField(ID, 'integer', 'User id of the seller'),
  price: field(PRICE, 'float', 'Trade price'),
  qty: field(AMOUNT, 'float', 'Contracts'),
  amount: optionalField(AMOUNT, 'float', 'Money traded'),
  time: field(INSTANT, 'number', 'Trade time, UTC milliseconds'),
  fee: field(DECIMAL, 'number', 'Fee paid, in the margin coin'),
  side: field(SIDE, 'string', 'Direction of our order'),
  contractName: field(SYMBOL, 'string', 'Contract name'),
  isMaker: field(FLAG, 'boolean', 'true: our order was resting'),
  isBuyer: field(FLAG, 'boolean', 'true: we bought'),
});
