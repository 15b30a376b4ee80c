import { z } from 'zod';
import { described, familyField, field, optionalField } from '../json/fields.js';
import { AMOUNT, COUNT, DECIMAL, ID, LOCAL_TIME, SYMBOL, TEXT } from '../json/scalars.js';
import { MARGIN_MODE, SIDE } from '../json/word-scalars.js';

/**
 * One position. Times are the server's local text without a zone (documents and live answers, confidence high). `indexPrice` is the
 * mark price (recomputed from samples); `reducePrice` of cross positions is known to be wrong.
 */
const POSITION = z.object({
  id: field(ID, 'integer', 'Position id'),
  uid: optionalField(ID, 'integer', 'User id'),
  positionType: field(MARGIN_MODE, 'integer', '1 cross, 2 isolated'),
  side: field(SIDE, 'string', 'BUY long, SELL short'),
  volume: field(AMOUNT, 'float', 'Contracts held'),
  openPrice: field(AMOUNT, 'float', 'Opening price'),
  avgPrice: field(AMOUNT, 'float', 'Average position price'),
  closePrice: optionalField(AMOUNT, 'float', 'Average closing price'),
  leverageLevel: field(AMOUNT, 'float', 'Leverage'),
  holdAmount: field(DECIMAL, 'float', 'Position margin'),
  closeVolume: optionalField(AMOUNT, 'float', 'Contracts closed'),
  pendingCloseVolume: optionalField(AMOUNT, 'float', 'Contracts held by closing orders'),
  realizedAmount: field(DECIMAL, 'float', 'Realized result'),
  historyRealizedAmount: optionalField(DECIMAL, 'float', 'Accumulated realized result'),
  tradeFee: optionalField(DECIMAL, 'float', 'Trading fee, negative when paid'),
  capitalFee: optionalField(DECIMAL, 'float', 'Funding, negative when paid'),
  closeProfit: optionalField(DECIMAL, 'float', 'Result of closing'),
  shareAmount: optionalField(DECIMAL, 'float', 'Allocated amount'),
  freezeLock: optionalField(COUNT, 'integer', '0 normal, 1 liquidation freeze, 2 delivery freeze'),
  status: optionalField(COUNT, 'integer', '0 invalid, 1 valid'),
  ctime: optionalField(LOCAL_TIME, 'time', 'Creation time'),
  mtime: optionalField(LOCAL_TIME, 'time', 'Update time'),
  brokerId: optionalField(ID, 'integer', 'Merchant id'),
  lockTime: optionalField(LOCAL_TIME, 'time', 'Liquidation lock time'),
  marginRate: optionalField(DECIMAL, 'float', 'Margin rate'),
  reducePrice: optionalField(DECIMAL, 'float', 'Forced-reduction price'),
  returnRate: optionalField(DECIMAL, 'float', 'Rate of return'),
  unRealizedAmount: field(DECIMAL, 'float', 'Unrealized result'),
  openRealizedAmount: optionalField(
    DECIMAL,
    'float',
    'Unrealized result against the opening price',
  ),
  positionBalance: optionalField(AMOUNT, 'float', 'Position value at mark'),
  indexPrice: optionalField(AMOUNT, 'float', 'Latest mark price'),
  keepRate: optionalField(AMOUNT, 'float', 'Lowest tiered maintenance margin rate'),
  maxFeeRate: optionalField(AMOUNT, 'float', 'Largest closing fee rate'),
  openAmount: familyField(DECIMAL, 'float', 'Initial margin'),
});
export type PositionAnswer = z.output<typeof POSITION>;

/** Positions of one contract. */
const POSITION_GROUP = z.object({
  contractId: optionalField(ID, 'integer', 'Number of the contract'),
  contractName: field(SYMBOL, 'string', 'Contract name'),
  contractSymbol: optionalField(TEXT, 'string', 'Pair of the contract'),
  positions: described(z.array(POSITION).nullish(), 'array', 'Positions'),
});

/** Money of one margin coin with its positions. */
const MARGIN_ACCOUNT = z.object({
  marginCoin: field(TEXT, 'string', 'Margin currency'),
  accountNormal: field(DECIMAL, 'float', 'Available balance'),
  accountLock: field(DECIMAL, 'float', 'Margin of working orders'),
  partPositionNormal: optionalField(DECIMAL, 'float', 'Margin of isolated positions'),
  totalPositionNormal: optionalField(DECIMAL, 'float', 'Initial margin of cross positions'),
  achievedAmount: optionalField(DECIMAL, 'float', 'Realized result'),
  unrealizedAmount: optionalField(DECIMAL, 'float', 'Unrealized result'),
  totalMarginRate: optionalField(DECIMAL, 'float', 'Cross margin rate'),
  totalEquity: optionalField(DECIMAL, 'float', 'Cross equity'),
  partEquity: optionalField(DECIMAL, 'float', 'Isolated equity'),
  totalCost: optionalField(DECIMAL, 'float', 'Cost of cross positions'),
  sumMarginRate: optionalField(DECIMAL, 'float', 'Margin rate of the whole account'),
  positionVos: described(z.array(POSITION_GROUP).nullish(), 'array', 'Positions per contract'),
});
export type MarginAccountAnswer = z.output<typeof MARGIN_ACCOUNT>;

/**
 * The account: an object by the interface, a list with one entry per margin coin on live deployments (confidence high). Read as a list.
 */
export const FUTURES_ACCOUNT = z.object({
  account: described(
    z.union([z.array(MARGIN_ACCOUNT), MARGIN_ACCOUNT]),
    'object',
    'Account of a margin coin, or a list of them',
  ),
});

const POSITION_EXAMPLE =
  '{"id":7001,"uid":10001,"positionType":2,"side":"BUY","volume":10,"openPrice":64999.8,"avgPrice":64999.8,"closePrice":0,"leverageLevel":5,"holdAmount":129.9996,"closeVolume":0,"pendingCloseVolume":0,"realizedAmount":-0.389999,"historyRealizedAmount":0,"tradeFee":-0.389999,"capitalFee":0,"closeProfit":0,"shareAmount":0,"freezeLock":0,"status":1,"ctime":"2025-10-09T08:53:20","mtime":"2025-10-09T08:53:20","brokerId":1,"lockTime":"2025-10-09T08:53:20","marginRate":0.19941,"reducePrice":52300.5,"returnRate":0.000085,"unRealizedAmount":0.011,"openRealizedAmount":0.011,"positionBalance":650.009,"indexPrice":65000.9,"keepRate":0.005,"maxFeeRate":0.0006}';
const MARGIN_ACCOUNT_EXAMPLE = `{"marginCoin":"USDT","accountNormal":9869.61,"accountLock":0,"partPositionNormal":129.9996,"totalPositionNormal":0,"achievedAmount":-0.389999,"unrealizedAmount":0.011,"totalMarginRate":0,"totalEquity":9869.61,"partEquity":129.620601,"totalCost":0,"sumMarginRate":15.38,"positionVos":[{"contractId":1,"contractName":"E-BTC-USDT","contractSymbol":"BTC-USDT","positions":[${POSITION_EXAMPLE}]}]}`;

/** The account by the interface, and as live deployments send it. */
export const FUTURES_ACCOUNT_EXAMPLES = {
  answer: `{"account":${MARGIN_ACCOUNT_EXAMPLE}}`,
  familyAnswer: `{"account":[${MARGIN_ACCOUNT_EXAMPLE}]}`,
} as const;
