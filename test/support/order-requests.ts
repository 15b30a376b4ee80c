import {
  createInstrumentId,
  parseFixed,
  type ClientOrderId,
  type InstrumentId,
  type LimitOrderRequest,
  type MarketOrderRequest,
  type Side,
  type TimeInForce,
} from '../../src/domain/index.js';

interface RequestOverrides {
  readonly id?: string;
  readonly instrumentId?: InstrumentId;
  readonly side?: Side;
  readonly quantity?: string;
}

/** A LIMIT buy of 1 BTC at 100 that rests until canceled. `overrides` replaces fields. */
export function aLimitRequest(
  overrides: RequestOverrides & {
    readonly limitPrice?: string;
    readonly timeInForce?: TimeInForce;
  } = {},
): LimitOrderRequest {
  return {
    type: 'limit',
    ...common(overrides),
    unit: 'base',
    limitPrice: parseFixed(overrides.limitPrice ?? '100'),
    timeInForce: overrides.timeInForce ?? 'GTC',
  };
}

/** A MARKET sell of 1 BTC, or with `side: 'buy'` a MARKET buy for 1 USDT. `overrides` replaces fields. */
export function aMarketRequest(overrides: RequestOverrides = {}): MarketOrderRequest {
  const side = overrides.side ?? 'sell';
  return {
    type: 'market',
    ...common({ ...overrides, side }),
    unit: side === 'buy' ? 'quote' : 'base',
  };
}

function common({
  id = 'order-1',
  instrumentId = createInstrumentId('spot', 'BTCUSDT'),
  side = 'buy',
  quantity = '1',
}: RequestOverrides): Pick<
  LimitOrderRequest,
  'clientOrderId' | 'intentId' | 'instrumentId' | 'side' | 'action' | 'quantity'
> {
  return {
    clientOrderId: id as ClientOrderId,
    intentId: 1,
    instrumentId,
    side,
    action: side === 'buy' ? 'open' : 'close',
    quantity: parseFixed(quantity),
  };
}
