import {
  createInstrumentId,
  DAY_MS,
  FIXED_ONE,
  fixedToNumber,
  parseFixed,
  type ClientOrderId,
  type FuturesInstrument,
  type OrderRequest,
  type OrderState,
  type SpotInstrument,
} from '../../src/domain/index.js';
import {
  CloseTally,
  dayEndsBetween,
  type CloseFigures,
  type RunFill,
  type RunOrder,
  type RunRecord,
} from '../../src/report/index.js';

/** 2025-01-01T00:00:00Z. */
export const RUN_START = 1_735_689_600_000;

export const BTC_SPOT: SpotInstrument = {
  id: createInstrumentId('spot', 'BTCUSDT'),
  kind: 'spot',
  symbol: 'BTCUSDT',
  base: 'BTC',
  quote: 'USDT',
};

export const ETH_SPOT: SpotInstrument = {
  id: createInstrumentId('spot', 'ETHUSDT'),
  kind: 'spot',
  symbol: 'ETHUSDT',
  base: 'ETH',
  quote: 'USDT',
};

/** A contract of 0.001 BTC, or of 100 USD if it is inverse. */
export function aFuture(contract: 'linear' | 'inverse'): FuturesInstrument {
  return {
    id: createInstrumentId('futures', 'E-BTC-USDT'),
    kind: 'futures',
    symbol: 'E-BTC-USDT',
    base: 'BTC',
    quote: 'USDT',
    contract,
    multiplier: parseFixed(contract === 'linear' ? '0.001' : '100'),
    marginAsset: contract === 'linear' ? 'USDT' : 'BTC',
    leverage: parseFixed('5'),
    marginMode: 'isolated',
  };
}

interface FillOverrides {
  readonly id?: string;
  readonly instrument?: { readonly id: RunFill['record']['instrumentId'] };
  readonly time?: number;
  readonly side?: 'buy' | 'sell';
  readonly action?: 'open' | 'close';
  readonly price?: string;
  readonly quantity?: string;
  readonly fee?: string;
  readonly feeAsset?: string;
  readonly liquidity?: 'maker' | 'taker';
  readonly step?: string;
  readonly quoteRate?: string;
  readonly feeRate?: string;
  readonly cause?: RunFill['cause'];
}

/** An opening buy of 1 BTC at 100 USDT without a fee, one second into the run. */
export function aRunFill(overrides: FillOverrides = {}): RunFill {
  const side = overrides.side ?? 'buy';
  return {
    record: {
      clientOrderId: (overrides.id ?? 'order-1') as ClientOrderId,
      instrumentId: overrides.instrument?.id ?? BTC_SPOT.id,
      side,
      action: overrides.action ?? (side === 'buy' ? 'open' : 'close'),
      price: parseFixed(overrides.price ?? '100'),
      quantity: parseFixed(overrides.quantity ?? '1'),
      fee: parseFixed(overrides.fee ?? '0'),
      feeAsset: overrides.feeAsset ?? 'USDT',
      liquidity: overrides.liquidity ?? 'taker',
      eventTime: overrides.time ?? RUN_START + 1_000,
    },
    step: parseFixed(overrides.step ?? '0.001'),
    quoteRate: overrides.quoteRate === undefined ? FIXED_ONE : parseFixed(overrides.quoteRate),
    feeRate: overrides.feeRate === undefined ? undefined : parseFixed(overrides.feeRate),
    cause: overrides.cause,
  };
}

interface OrderOverrides {
  readonly id?: string;
  readonly time?: number;
  readonly side?: 'buy' | 'sell';
  readonly limitPrice?: string;
  readonly quantity?: string;
  readonly status?: OrderState['status'];
  readonly reason?: OrderState['reason'];
  readonly label?: string;
  readonly cause?: RunOrder['cause'];
}

/** A filled MARKET buy of 1 BTC, or a LIMIT order if a price is given. */
export function aRunOrder(overrides: OrderOverrides = {}): RunOrder {
  const side = overrides.side ?? 'buy';
  const quantity = parseFixed(overrides.quantity ?? '1');
  const status = overrides.status ?? 'filled';
  const time = overrides.time ?? RUN_START + 1_000;
  const common = {
    clientOrderId: (overrides.id ?? 'order-1') as ClientOrderId,
    intentId: 1,
    instrumentId: BTC_SPOT.id,
    side,
    action: side === 'buy' ? 'open' : 'close',
    quantity,
    unit: 'base',
  } as const;
  const request: OrderRequest =
    overrides.limitPrice === undefined
      ? { ...common, type: 'market' }
      : {
          ...common,
          type: 'limit',
          limitPrice: parseFixed(overrides.limitPrice),
          timeInForce: 'GTC',
        };
  return {
    request,
    cause: overrides.cause ?? 'signal',
    label: overrides.label,
    state: {
      status,
      venueOrderId: undefined,
      filledQuantity: status === 'filled' ? quantity : 0n,
      filledNotional: 0n,
      reason: overrides.reason,
      createdTime: time,
      updatedTime: time,
    },
  };
}

/** The equity of a run of whole days from {@link RUN_START}: one amount at the start and one at each day end. Closes are daily. */
export function dailyEquity(
  amounts: readonly string[],
): Pick<RunRecord, 'run' | 'initialEquity' | 'finalEquity' | 'dayEquity' | 'closes'> {
  const [initialEquity = 0n, ...equity] = amounts.map((amount) => parseFixed(amount));
  const to = RUN_START + equity.length * DAY_MS;
  const time = dayEndsBetween(RUN_START, to);
  return {
    run: {
      id: 'run-hash',
      strategy: 'sma-crossover',
      parameters: { fast: 10, slow: 30 },
      from: RUN_START,
      to,
      candles: equity.length,
      configHash: 'config-hash',
      dataHash: 'data-hash',
      engine: '0.1.0',
    },
    initialEquity,
    finalEquity: equity.at(-1) ?? initialEquity,
    dayEquity: { time, equity },
    closes: tallyCloses(
      { time: RUN_START, value: fixedToNumber(initialEquity) },
      equity.map((amount, day) => [time[day] ?? Number.NaN, fixedToNumber(amount)]),
    ),
  };
}

/** Figures over all closes, each given with its time and equity. */
export function tallyCloses(
  start: { readonly time: number; readonly value: number },
  closes: readonly (readonly [time: number, equity: number])[],
): CloseFigures {
  const tally = new CloseTally(start);
  for (const [time, equity] of closes) tally.add(time, equity);
  const [time, equity] = closes.at(-1) ?? [start.time, start.value];
  return tally.figuresBy({ time, equity });
}

/** Two days of a run without orders: 10,000 USDT at every point. */
export function aRunRecord(overrides: Partial<RunRecord> = {}): RunRecord {
  return {
    ...dailyEquity(['10000', '10000', '10000']),
    instruments: [BTC_SPOT],
    equityCurrency: 'USDT',
    openingHoldings: [],
    finalBalances: {},
    residual: 0n,
    heldCloses: 0,
    intents: 0,
    orders: [],
    closingOrders: 0,
    fills: [],
    refusals: [],
    protections: [],
    halts: [],
    financings: [],
    costs: { fees: 0n, funding: 0n, interest: 0n, insurance: 0n },
    calls: new Map(),
    gaps: { count: 0, missing: 0, starts: [] },
    warnings: [],
    undecidedCandles: 0,
    undecidedMoney: 0n,
    undecidedSpans: new Map(),
    isPathAsked: false,
    ...overrides,
  };
}
