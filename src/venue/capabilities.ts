/** What a source of market data can do. A flag that is false names a gap of the interface, not a fault. */
export interface MarketDataCapabilities {
  /** Whether klines can be asked for from a time on; otherwise only the newest 300 exist. */
  readonly klinesHaveStartTime: boolean;
  /** Whether public trades of futures can be read. */
  readonly futuresTrades: boolean;
}

/** What a source of account data can do. */
export interface AccountCapabilities {
  /** Whether balances and debts of margin accounts can be read. False on this interface: margin is traded without this data. */
  readonly marginBalances: boolean;
  /** Whether an order can be looked up by our own id alone. False: the venue's id is required. */
  readonly lookupByClientOrderId: boolean;
  /** Whether futures answers carry our own id. */
  readonly futuresClientOrderIds: boolean;
  /** Whether ended orders of spot and margin can be listed. */
  readonly spotOrderHistory: boolean;
  /** Whether conditional orders that wait can be listed. */
  readonly conditionalOrderList: boolean;
}

/** What an execution adapter can do. */
export interface ExecutionCapabilities {
  readonly timeInForceOnSpot: boolean;
  /** Most orders one batch may hold; 0 where there are no batches. */
  readonly maxBatchSize: number;
  readonly conditionalOrders: boolean;
  readonly conditionalOrderCancel: boolean;
  /** Whether leverage, margin mode and position mode can be set. False: they are asserted, not set. */
  readonly leverageSetting: boolean;
  /** Whether an order can be checked without being placed (spot). */
  readonly testOrders: boolean;
}

/** The gaps of the exchange interface, as it is specified. Source: interface, section Endpoints. */
export const INTERFACE_CAPABILITIES = {
  marketData: { klinesHaveStartTime: false, futuresTrades: false },
  account: {
    marginBalances: false,
    lookupByClientOrderId: false,
    futuresClientOrderIds: false,
    spotOrderHistory: false,
    conditionalOrderList: false,
  },
  execution: {
    timeInForceOnSpot: false,
    maxBatchSize: 10,
    conditionalOrders: true,
    conditionalOrderCancel: false,
    leverageSetting: false,
    testOrders: true,
  },
} as const satisfies {
  readonly marketData: MarketDataCapabilities;
  readonly account: AccountCapabilities;
  readonly execution: ExecutionCapabilities;
};
