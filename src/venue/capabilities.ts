/** What a source of market data can do. */
export interface MarketDataCapabilities {
  /** Whether klines can be asked for from a time on; otherwise only the newest 300 exist. */
  readonly klinesHaveStartTime: boolean;
}

/** What a source of account data can do. */
export interface AccountCapabilities {
  /** Whether futures answers carry our own id. */
  readonly futuresClientOrderIds: boolean;
}

/** What an execution adapter can do. */
export interface ExecutionCapabilities {
  /** Most orders one batch may hold; 0 where there are no batches. */
  readonly maxBatchSize: number;
}

/** What the exchange interface can do, as it is specified. Source: interface, section Endpoints. */
export const INTERFACE_CAPABILITIES = {
  marketData: { klinesHaveStartTime: false },
  account: { futuresClientOrderIds: false },
  execution: { maxBatchSize: 10 },
} as const satisfies {
  readonly marketData: MarketDataCapabilities;
  readonly account: AccountCapabilities;
  readonly execution: ExecutionCapabilities;
};
