/**
 * Answers of profile `family`: fields beyond the tables of the interface, and answers that the interface does not list. Written
 * by hand from public material about the family (`id`: digits, as number or text; `amount`: a number, or a number as text). A name with
 * `?` may be missing.
 */

/** Fields beyond those of the interface's record, by endpoint. */
export const FAMILY_ADDITIONS: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'spot.symbols': [
    ['limitVolumeMin?', 'amount'],
    ['limitAmountMin?', 'amount'],
  ],
  'spot.ticker': [
    ['buy', 'amount'],
    ['sell', 'amount'],
    ['rose', 'string'],
  ],
  'spot.queryOrder': [['transactTime', 'id']],
  'spot.openOrders': [['time', 'long']],
  'spot.myTrades': [
    ['side', 'string'],
    ['isSelf', 'boolean'],
    ['bidUserId', 'id'],
    ['askUserId', 'id'],
  ],
  'futures.contracts': [
    ['maxLimitMoney?', 'amount'],
    ['marginCoin', 'string'],
    ['contractId', 'integer'],
  ],
  'futures.ticker': [
    ['buy', 'amount'],
    ['sell', 'amount'],
  ],
  'futures.index': [
    ['tagPrice', 'amount'],
    ['currentFundRate', 'amount'],
    ['nextFundRate', 'amount'],
    ['time', 'long'],
  ],
  'futures.queryOrder': [
    ['type', 'string'],
    ['timeInForce', 'id'],
    ['clientOrderId', 'string'],
  ],
  'futures.openOrders': [
    ['symbol', 'string'],
    ['timeInForce', 'id'],
    ['clientId', 'string'],
  ],
};

/** Answers that the interface does not list, in either profile. */
export const UNLISTED: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'spot.ping': [],
  'spot.orderTest': [],
  'spot.batchOrders': [
    ['ids', 'array'],
    ['idsString?', 'array'],
  ],
  'spot.batchCancel': [
    ['success', 'array'],
    ['failed', 'array'],
  ],
  'futures.ping': [],
  'futures.order': [['orderId', 'id']],
  'futures.cancel': [['orderId', 'id']],
  'futures.conditionOrder': [
    ['code', 'string'],
    ['msg', 'string'],
    ['data', 'object'],
    ['succ', 'boolean'],
  ],
  'futures.orderHistorical': [
    ['side', 'string'],
    ['clientId', 'string'],
    ['ctimeMs', 'long'],
    ['ctime', 'time'],
    ['positionType', 'integer'],
    ['orderId', 'id'],
    ['avgPrice', 'amount'],
    ['openOrClose', 'string'],
    ['leverageLevel', 'amount'],
    ['type', 'integer'],
    ['status', 'integer'],
    ['volume', 'amount'],
    ['dealVolume', 'amount'],
    ['dealMoney', 'amount'],
    ['price', 'amount'],
    ['contractId', 'integer'],
    ['contractName', 'string'],
    ['openMakerFeeRate', 'amount'],
    ['openTakerFeeRate', 'amount'],
    ['closeMakerFeeRate', 'amount'],
    ['closeTakerFeeRate', 'amount'],
  ],
  'futures.profitHistorical': [
    ['side', 'string'],
    ['positionType', 'integer'],
    ['tradeFee', 'amount'],
    ['realizedAmount', 'amount'],
    ['leverageLevel', 'amount'],
    ['openPrice', 'amount'],
    ['openEndPrice', 'amount'],
    ['settleProfit', 'amount'],
    ['shareAmount', 'amount'],
    ['closeProfit', 'amount'],
    ['volume', 'amount'],
    ['contractId', 'integer'],
    ['historyRealizedAmount', 'amount'],
    ['capitalFee', 'amount'],
    ['id', 'id'],
    ['ctime', 'long'],
    ['mtime', 'long'],
  ],
};

/** Margin answers have the shapes of their spot twins; the query adds `transactTime`. */
export const MARGIN_TWINS: Readonly<Record<string, string>> = {
  'margin.order': 'spot.order',
  'margin.queryOrder': 'spot.queryOrder',
  'margin.cancel': 'spot.cancel',
  'margin.openOrders': 'spot.openOrders',
  'margin.myTrades': 'spot.myTrades',
};
