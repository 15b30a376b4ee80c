import {
  Balance,
  createInstrumentId,
  parseFixed,
  type ClientOrderId,
  type Fixed,
  type LimitOrderRequest,
  type OrderRequest,
  type OrderStatus,
  type VenueOrderId,
} from '../../../src/domain/index.js';
import type {
  Belief,
  BelievedBalance,
  BelievedOrder,
  BelievedPosition,
  VenueView,
} from '../../../src/live/recovery/belief.js';
import type {
  FuturesAccountSnapshot,
  MarginAssetAccount,
  SpotAccountSnapshot,
  VenueOrder,
  VenuePosition,
  VenueTrade,
} from '../../../src/venue/index.js';
import { aLimitRequest } from '../order-requests.js';
import { stagedOf } from './staged-account.js';

export const SPOT = createInstrumentId('spot', 'BTCUSDT');
export const CONTRACT = createInstrumentId('futures', 'E-BTC-USDT');

const STEP = parseFixed('1');

/** A LIMIT buy of 3 contracts at 100, isolated. */
export function aContractRequest(overrides: Partial<LimitOrderRequest> = {}): LimitOrderRequest {
  return {
    ...aLimitRequest({ instrumentId: CONTRACT, quantity: '3' }),
    unit: 'contracts',
    marginMode: 'isolated',
    ...overrides,
  };
}

/** A working order with venue id 12 and no fills. `overrides` replaces fields. */
export function anOrder(
  request: OrderRequest = aContractRequest(),
  overrides: {
    readonly id?: string | undefined;
    readonly status?: OrderStatus;
    readonly filled?: string;
  } = {},
): BelievedOrder {
  const { id = '12', status = 'open', filled = '0' } = overrides;
  return {
    request,
    status,
    venueOrderId:
      'id' in overrides && overrides.id === undefined ? undefined : (id as VenueOrderId),
    filledQuantity: parseFixed(filled),
  };
}

/** The order as the venue shows it. */
export function shown(
  { request, venueOrderId = '12' as VenueOrderId, filledQuantity }: BelievedOrder,
  overrides: Partial<VenueOrder> = {},
): VenueOrder {
  return stagedOf(request, venueOrderId, { filledQuantity, ...overrides });
}

export function aTrade(
  order: BelievedOrder,
  quantity: string,
  overrides: Partial<VenueTrade> = {},
): VenueTrade {
  const { request, venueOrderId = '12' as VenueOrderId } = order;
  return {
    instrumentId: request.instrumentId,
    venueTradeId: '901',
    venueOrderId,
    buyOrderId: venueOrderId,
    sellOrderId: '7' as VenueOrderId,
    side: request.side,
    liquidity: 'maker',
    price: parseFixed('100'),
    quantity: parseFixed(quantity),
    notional: undefined,
    fee: 0n,
    feeAsset: 'USDT',
    time: 5,
    buyUserId: undefined,
    sellUserId: undefined,
    ...overrides,
  };
}

/** A side of the contract; 0 by default. */
export function aPosition(
  quantity: string,
  overrides: Partial<BelievedPosition> = {},
): BelievedPosition {
  const held = parseFixed(quantity);
  return { instrumentId: CONTRACT, direction: 'long', quantity: held, step: STEP, ...overrides };
}

export function aBalance(
  free: string,
  overrides: Partial<Omit<BelievedBalance, 'free'>> = {},
): BelievedBalance {
  return {
    account: 'spot',
    asset: 'USDT',
    free: parseFixed(free),
    locked: 0n,
    mostLocked: overrides.locked ?? 0n,
    tolerance: 0n,
    ...overrides,
  };
}

/** An empty belief. `parts` replaces fields; `known` are the ids of orders that have ended. */
export function aBelief({
  known = [],
  inFlight = [],
  ...parts
}: Partial<Pick<Belief, 'orders' | 'positions' | 'balances'>> & {
  readonly known?: readonly string[];
  readonly inFlight?: readonly string[];
} = {}): Belief {
  const orders = parts.orders ?? [];
  const ids = new Set([...known, ...orders.map(({ venueOrderId }) => venueOrderId)]);
  return {
    orders,
    positions: parts.positions ?? [],
    balances: parts.balances ?? [],
    isKnown: (id) => ids.has(id),
    inFlight: new Set(inFlight as ClientOrderId[]),
  };
}

/** An empty view of a venue for one instrument. `parts` replaces fields. */
export function aView({
  open = [],
  asked = [],
  instrumentId = CONTRACT,
  ...parts
}: Partial<Pick<VenueView, 'accounts'>> & {
  readonly open?: readonly VenueOrder[];
  readonly asked?: readonly VenueOrder[];
  readonly instrumentId?: typeof CONTRACT;
} = {}): VenueView {
  return {
    time: 10,
    openOrders: new Map([[instrumentId, open]]),
    orders: new Map(asked.map((order) => [order.venueOrderId, order])),
    accounts: parts.accounts ?? [],
  };
}

export function spotAccount(
  balances: Readonly<Record<string, readonly [free: string, locked: string]>>,
): SpotAccountSnapshot {
  return {
    kind: 'spot',
    balances: Object.entries(balances).map(
      ([asset, [free, locked]]) =>
        new Balance(asset, { free: parseFixed(free), locked: parseFixed(locked) }),
    ),
  };
}

/** A futures account in USDT that holds positions. */
export function futuresAccount(
  positions: readonly Partial<VenuePosition>[],
  { available = parseFixed('1000000'), locked = 0n }: { available?: Fixed; locked?: Fixed } = {},
): FuturesAccountSnapshot {
  const money = {
    isolatedMargin: undefined,
    crossMargin: undefined,
    realizedProfit: undefined,
    unrealizedProfit: undefined,
    crossEquity: undefined,
    isolatedEquity: undefined,
    crossMarginRate: undefined,
    crossCost: undefined,
    accountMarginRate: undefined,
  } as const;
  const account: MarginAssetAccount = {
    marginAsset: 'USDT',
    available,
    locked,
    ...money,
    positions: positions.map((position) => ({ ...A_POSITION, ...position })),
  };
  return { kind: 'futures', accounts: [account] };
}

/** 3 contracts long, isolated, 5x. */
const A_POSITION: VenuePosition = {
  instrumentId: CONTRACT,
  positionId: '1',
  direction: 'long',
  marginMode: 'isolated',
  quantity: parseFixed('3'),
  pendingCloseQuantity: undefined,
  closedQuantity: undefined,
  openPrice: parseFixed('100'),
  averagePrice: parseFixed('100'),
  averageClosePrice: undefined,
  markPrice: undefined,
  leverage: parseFixed('5'),
  margin: 0n,
  realizedProfit: 0n,
  totalRealizedProfit: undefined,
  unrealizedProfit: 0n,
  unrealizedOpenProfit: undefined,
  closeProfit: undefined,
  sharedAmount: undefined,
  tradeFee: undefined,
  fundingFee: undefined,
  value: undefined,
  marginRate: undefined,
  returnRate: undefined,
  maintenanceRate: undefined,
  maxFeeRate: undefined,
  liquidationPrice: undefined,
  frozen: 'no',
  isValid: true,
  createdTime: undefined,
  updatedTime: undefined,
  frozenTime: undefined,
  contractId: undefined,
  userId: undefined,
  brokerId: undefined,
};
