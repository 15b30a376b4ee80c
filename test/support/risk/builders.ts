import {
  createInstrumentId,
  formatFixed,
  parseFixed,
  resolveRules,
  type ApprovedDecision,
  type Asset,
  type ClientOrderId,
  type Direction,
  type EpochMs,
  type FeeRates,
  type Fixed,
  type FuturesInstrument,
  type InstrumentRules,
  type MarginInstrument,
  type OrderRequest,
  type Refusal,
  type ResolvedRules,
  type RiskDecision,
  type SpotInstrument,
} from '../../../src/domain/index.js';
import type { OrderProposal, RiskAccount, RiskPolicy } from '../../../src/risk/index.js';

export const SPOT: SpotInstrument = {
  kind: 'spot',
  id: createInstrumentId('spot', 'BTCUSDT'),
  symbol: 'BTCUSDT',
  base: 'BTC',
  quote: 'USDT',
};

/** Its quote is not the equity currency. */
export const ETHBTC: SpotInstrument = {
  kind: 'spot',
  id: createInstrumentId('spot', 'ETHBTC'),
  symbol: 'ETHBTC',
  base: 'ETH',
  quote: 'BTC',
};

export const MARGIN: MarginInstrument = {
  kind: 'margin',
  id: createInstrumentId('margin', 'BTCUSDT'),
  symbol: 'BTCUSDT',
  base: 'BTC',
  quote: 'USDT',
  leverage: parseFixed('3'),
};

export const LINEAR: FuturesInstrument = {
  kind: 'futures',
  contract: 'linear',
  id: createInstrumentId('futures', 'E-BTC-USDT'),
  symbol: 'E-BTC-USDT',
  base: 'BTC',
  quote: 'USDT',
  multiplier: parseFixed('0.001'),
  marginAsset: 'USDT',
  leverage: parseFixed('5'),
  marginMode: 'isolated',
};

export const INVERSE: FuturesInstrument = {
  ...LINEAR,
  contract: 'inverse',
  id: createInstrumentId('futures', 'E-BTC-USD'),
  symbol: 'E-BTC-USD',
  quote: 'USD',
  multiplier: parseFixed('10'),
  marginAsset: 'BTC',
};

/** Spot rules: tick 0.01, step 0.00001, at least 5 USDT; overrides as decimal text. */
export function someRules(
  overrides: Partial<
    Record<
      | 'minOrderQuantity'
      | 'minOrderMoney'
      | 'maxMarketQuantity'
      | 'maxMarketMoney'
      | 'maxLimitQuantity',
      string
    >
  > &
    Partial<
      Pick<
        InstrumentRules,
        'tradable' | 'pricePrecision' | 'quantityPrecision' | 'maxWorkingOrders'
      >
    > = {},
): ResolvedRules {
  const limits = Object.entries({ minOrderMoney: '5', ...overrides }).map(([name, value]) => [
    name,
    typeof value === 'string' ? parseFixed(value) : value,
  ]);
  return resolveRules({
    tradable: true,
    pricePrecision: 2,
    quantityPrecision: 5,
    ...(Object.fromEntries(limits) as Partial<InstrumentRules>),
  });
}

/** Contracts are whole. */
export function contractRules(overrides: Parameters<typeof someRules>[0] = {}): ResolvedRules {
  return someRules({
    quantityPrecision: 0,
    pricePrecision: 1,
    minOrderQuantity: '1',
    ...overrides,
  });
}

export function someFees(
  overrides: {
    readonly maker?: string;
    readonly taker?: string;
    readonly paidIn?: FeeRates['paidIn'];
  } = {},
): FeeRates {
  return {
    maker: parseFixed(overrides.maker ?? '0.001'),
    taker: parseFixed(overrides.taker ?? '0.001'),
    paidIn: overrides.paidIn ?? 'received',
  };
}

/** The operator's choices that a file has if it names none. */
export const DEFAULT_CHOICES = {
  marketBand: parseFixed('0.05'),
  tooLarge: { entries: 'refuse', exits: 'split' },
  dust: 'sweep',
} as const satisfies Omit<RiskPolicy, 'fees'>;

export function aPolicy(overrides: Partial<RiskPolicy> = {}): RiskPolicy {
  const fees = someFees();
  return { ...DEFAULT_CHOICES, fees: () => fees, ...overrides };
}

export function aProposal(overrides: Partial<OrderProposal> = {}): OrderProposal {
  return {
    intentId: 7,
    instrument: SPOT,
    side: 'buy',
    action: 'open',
    size: { quantity: '0.5' },
    clientOrderId: (leg) => `bot-7-0-${String(leg)}` as ClientOrderId,
    ...overrides,
  };
}

/** Amounts as decimal text. */
export interface AccountNumbers {
  readonly now?: EpochMs;
  /** null: no last price is known. */
  readonly last?: string | null;
  /** @defaultValue none */
  readonly mark?: string;
  readonly owed?: string;
  readonly free?: Readonly<Record<Asset, string>>;
  readonly equity?: string;
  /** Value of each asset in USDT, the equity currency. @defaultValue BTC at last */
  readonly worth?: Readonly<Record<Asset, string>>;
  readonly long?: string;
  readonly short?: string;
  readonly closingLong?: string;
  readonly closingShort?: string;
  readonly working?: number;
}

/** An account with 10,000 USDT, last price 100 and no position. Spot positions are free to sell unless `free` says otherwise. */
export function anAccount(numbers: AccountNumbers = {}): RiskAccount {
  const held = { long: parseFixed(numbers.long ?? '0'), short: parseFixed(numbers.short ?? '0') };
  const closing = {
    long: parseFixed(numbers.closingLong ?? '0'),
    short: parseFixed(numbers.closingShort ?? '0'),
  };
  const free: Record<Asset, Fixed> = { USDT: parseFixed('10000'), BTC: held.long - closing.long };
  for (const [asset, amount] of Object.entries(numbers.free ?? {}))
    free[asset] = parseFixed(amount);
  const last = numbers.last === null ? undefined : parseFixed(numbers.last ?? '100');
  const equity = parseFixed(numbers.equity ?? '10000');
  const worth = new Map<Asset, Fixed | undefined>([
    ['BTC', last],
    ...Object.entries(numbers.worth ?? {}).map(
      ([asset, price]) => [asset, parseFixed(price)] as const,
    ),
  ]);
  return {
    now: numbers.now ?? 1_750_000_000_000,
    lastPrice: () => last,
    markPrice: () => (numbers.mark === undefined ? undefined : parseFixed(numbers.mark)),
    owed: () => parseFixed(numbers.owed ?? '0'),
    freeBalance: (asset) => free[asset] ?? 0n,
    equityCurrency: 'USDT',
    equity: () => equity,
    worthOf: (asset) => worth.get(asset),
    held: (_id, direction: Direction) => held[direction],
    closing: (_id, direction: Direction) => closing[direction],
    workingOrders: () => numbers.working ?? 0,
  };
}

export function approvedOf(decision: RiskDecision): ApprovedDecision {
  if (decision.kind === 'approved') return decision;
  throw new Error(
    `expected an approval, received: ${decision.refusal.check}: ${decision.refusal.text}`,
  );
}

export function refusalOf(decision: RiskDecision): Refusal {
  if (decision.kind === 'refused') return decision.refusal;
  throw new Error(`expected a refusal, received ${String(decision.orders.length)} orders`);
}

/** An order in one line: type, side, action, quantity and unit, price and time in force. */
export function line(order: OrderRequest): string {
  const terms =
    order.type === 'limit' ? ` at ${formatFixed(order.limitPrice)} ${order.timeInForce}` : '';
  return `${order.type} ${order.side} ${order.action} ${formatFixed(order.quantity)} ${order.unit}${terms}`;
}

/** The approved orders in one line each. */
export function linesOf(decision: RiskDecision): readonly string[] {
  return approvedOf(decision).orders.map(line);
}
