import { z } from 'zod';
import { described, familyDescribed, familyField, field, optionalField } from '../json/fields.js';
import { AMOUNT, DECIMAL, FLAG, ID, INSTANT, PRICE, SYMBOL, TEXT } from '../json/scalars.js';
import { ORDER_TYPE, SIDE, STATUS } from '../json/word-scalars.js';

/**
 * Answer to an order. Only the id is indispensable: an answer that has it proves the order, whatever else is missing.
 *
 * `orderId` may be a list of one text (live answers, confidence high); `price` is 0 and `origQty` the money to spend for a MARKET BUY.
 */
export const CREATED_ORDER = z.object({
  orderId: field(ID, 'long', 'Id given by the venue'),
  clientOrderId: optionalField(TEXT, 'string', 'Id given by the sender'),
  symbol: optionalField(SYMBOL, 'string', 'Pair name'),
  transactTime: optionalField(INSTANT, 'integer', 'Creation time, UTC milliseconds'),
  price: optionalField(AMOUNT, 'float', 'Order price'),
  origQty: optionalField(AMOUNT, 'float', 'Ordered quantity'),
  executedQty: optionalField(AMOUNT, 'float', 'Filled quantity'),
  type: optionalField(ORDER_TYPE, 'string', 'LIMIT or MARKET'),
  side: optionalField(SIDE, 'string', 'BUY or SELL'),
  status: optionalField(STATUS, 'string', 'Order status'),
});

/** One order. `time` (lists) and `transactTime` (margin query) are additions; both are the creation time. */
export const SPOT_ORDER = z.object({
  orderId: field(ID, 'long', 'Id given by the venue'),
  clientOrderId: optionalField(TEXT, 'string', 'Id given by the sender'),
  symbol: field(SYMBOL, 'string', 'Pair name'),
  price: field(AMOUNT, 'float', 'Order price; 0 for MARKET'),
  origQty: field(AMOUNT, 'float', 'Ordered quantity; money for a MARKET BUY'),
  executedQty: field(AMOUNT, 'float', 'Filled quantity, base'),
  avgPrice: optionalField(AMOUNT, 'float', 'Average fill price'),
  type: optionalField(ORDER_TYPE, 'string', 'LIMIT or MARKET'),
  side: field(SIDE, 'string', 'BUY or SELL'),
  status: field(STATUS, 'string', 'Order status'),
  time: familyField(INSTANT, 'long', 'Creation time, UTC milliseconds'),
  transactTime: familyField(INSTANT, 'long', 'Creation time, UTC milliseconds'),
});
export type SpotOrderAnswer = z.output<typeof SPOT_ORDER>;

/** Answer to a cancel. The end comes later: PENDING_CANCEL is the usual status (live answers, confidence high). */
export const CANCELED_ORDER = z.object({
  orderId: field(ID, 'long', 'Id given by the venue'),
  clientOrderId: optionalField(TEXT, 'string', 'Id given by the sender'),
  symbol: optionalField(SYMBOL, 'string', 'Pair name'),
  status: optionalField(STATUS, 'string', 'Order status'),
});

/** One own execution. On a BUY `feeCoin` is the base coin (live answers, confidence high). */
export const SPOT_OWN_TRADE = z.object({
  symbol: field(SYMBOL, 'string', 'Pair name'),
  id: field(ID, 'integer', 'Trade id'),
  bidId: field(ID, 'long', 'Order id of the buyer'),
  askId: field(ID, 'long', 'Order id of the seller'),
  price: field(PRICE, 'number', 'Trade price'),
  qty: field(AMOUNT, 'float', 'Quantity, base'),
  time: field(INSTANT, 'number', 'Trade time, UTC milliseconds'),
  isBuyer: field(FLAG, 'boolean', 'true: we bought'),
  isMaker: field(FLAG, 'boolean', 'true: our order was resting'),
  feeCoin: field(TEXT, 'string', 'Currency of the fee'),
  fee: field(DECIMAL, 'number', 'Fee paid'),
  side: familyField(SIDE, 'string', 'BUY or SELL'),
  isSelf: familyField(FLAG, 'boolean', 'Whether both sides were ours'),
  bidUserId: familyField(ID, 'integer', 'User id of the buyer'),
  askUserId: familyField(ID, 'integer', 'User id of the seller'),
});
export type SpotOwnTradeAnswer = z.output<typeof SPOT_OWN_TRADE>;

/** Ids of a batch, in the order of its orders. Newer deployments add the ids as texts; then only the texts are used. */
export const BATCH_IDS = z.object({
  ids: familyDescribed(
    z.array(field(ID, 'long', 'Order id')).optional(),
    'array',
    'Ids in the order of the orders',
  ),
  idsString: familyDescribed(
    z.array(field(ID, 'string', 'Order id')).nullish(),
    'array',
    'The same ids as texts',
  ),
});

/**
 * Outcome of a batch cancel. `failed` holds ids that are unknown or final; one deployment sends a boolean; both lists are missing when
 * no id was understood. Source: documents and clients of the family, confidence high.
 */
export const BATCH_CANCELED = z.object({
  success: familyDescribed(
    z.array(field(ID, 'long', 'Order id')).nullish(),
    'array',
    'Ids whose cancel was taken',
  ),
  failed: familyDescribed(
    z.union([z.array(field(ID, 'long', 'Order id')), z.boolean()]).nullish(),
    'array',
    'Ids whose cancel was refused',
  ),
});

/** Balances of the account. All coins, those at zero included. */
export const SPOT_ACCOUNT = z.object({
  balances: described(
    z.array(
      z.object({
        asset: field(TEXT, 'string', 'Currency name'),
        free: field(AMOUNT, 'float', 'Available amount'),
        locked: field(AMOUNT, 'float', 'Frozen amount'),
      }),
    ),
    'list',
    'One entry per currency',
  ),
});
