/** A filter of exchange information, by its type. */
export type Filters = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const SPOT_FILTERS: Filters = {
  PRICE_FILTER: { minPrice: '0.01000000', maxPrice: '1000000.00000000', tickSize: '0.01000000' },
  LOT_SIZE: { minQty: '0.00001000', maxQty: '9000.00000000', stepSize: '0.00001000' },
  MARKET_LOT_SIZE: { minQty: '0.00000000', maxQty: '129.84957276', stepSize: '0.00000000' },
  NOTIONAL: {
    minNotional: '5.00000000',
    applyMinToMarket: true,
    maxNotional: '9000000.00000000',
    applyMaxToMarket: false,
  },
  MAX_NUM_ORDERS: { maxNumOrders: 200 },
  ICEBERG_PARTS: { limit: 10 },
};

const FUTURES_FILTERS: Filters = {
  PRICE_FILTER: { minPrice: '261.10', maxPrice: '809484', tickSize: '0.10' },
  LOT_SIZE: { minQty: '0.001', maxQty: '1000', stepSize: '0.001' },
  MARKET_LOT_SIZE: { minQty: '0.001', maxQty: '120.5', stepSize: '0.001' },
  MIN_NOTIONAL: { notional: '100' },
  MAX_NUM_ORDERS: { limit: 10000 },
};

const infoOf = (
  symbol: Readonly<Record<string, unknown>>,
  base: Filters,
  changes: Filters,
): unknown => ({
  timezone: 'UTC',
  symbols: [
    { symbol: 'ETHBTC', status: 'BREAK', filters: [] },
    {
      symbol: 'BTCUSDT',
      status: 'TRADING',
      ...symbol,
      filters: Object.entries({ ...base, ...changes }).map(([filterType, filter]) => ({
        filterType,
        ...base[filterType],
        ...filter,
      })),
    },
  ],
});

/** Exchange information of a spot venue that has BTCUSDT, some values of its filters changed. */
export function spotInfo(
  changes: Filters = {},
  symbol: Readonly<Record<string, unknown>> = {},
): unknown {
  return infoOf(symbol, SPOT_FILTERS, changes);
}

/** Exchange information of a futures venue, in the same way. */
export function futuresInfo(
  changes: Filters = {},
  symbol: Readonly<Record<string, unknown>> = {},
): unknown {
  return infoOf(symbol, FUTURES_FILTERS, changes);
}
