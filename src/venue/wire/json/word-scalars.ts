import type {
  MarginMode,
  OrderStatus,
  PositionAction,
  Side,
  TimeInForce,
} from '../../../domain/index.js';
import type { TriggerKind } from '../../orders.js';
import type { Scalar } from './scalars.js';

/** Makes a scalar that reads one of a few words, in any case and with any separators. */
function words<T>(
  canonical: readonly (string | number)[],
  table: Readonly<Record<string, T>>,
): Scalar<T> {
  const meanings = new Map(Object.entries(table));
  return {
    expected: `one of ${canonical.join(', ')}`,
    types: Object.keys(table).some((word) => /^\d+$/.test(word))
      ? ['string', 'integer']
      : ['string'],
    values: canonical,
    read(value) {
      if (typeof value !== 'string' && typeof value !== 'number') return undefined;
      const text = String(value).slice(0, 40).toUpperCase();
      // A number counts as it stands: without its sign, -2 would be 2.
      return meanings.get(/[A-Z]/.test(text) ? text.replace(/[^A-Z0-9]/g, '') : text);
    },
  };
}

export const SIDE: Scalar<Side> = words(['BUY', 'SELL'], { BUY: 'buy', SELL: 'sell' });

/** Trigger of a conditional order, by the number that the interface sends or by a word. */
export const TRIGGER: Scalar<TriggerKind> = words([1, 2, 3, 4], {
  1: 'stop-loss',
  2: 'take-profit',
  3: 'chase-up',
  4: 'chase-down',
  STOPLOSS: 'stop-loss',
  TAKEPROFIT: 'take-profit',
});

export const ACTION: Scalar<PositionAction> = words(['OPEN', 'CLOSE'], {
  OPEN: 'open',
  CLOSE: 'close',
});

/** 1 cross, 2 isolated. */
export const MARGIN_MODE: Scalar<MarginMode> = words([1, 2], {
  1: 'cross',
  2: 'isolated',
  CROSS: 'cross',
  ISOLATED: 'isolated',
});

/**
 * Order status in every spelling that was seen. `PARTIALLY FILLED/CANCELLED` is how a MARKET order with a remaining quantity ends. Numbers are those
 * of the history endpoint: 0 INIT, 1 NEW, 2 FILLED, 3 PART_FILLED, 4 CANCELED, 5 PENDING_CANCEL, 6 EXPIRED.
 *
 * Source: interface, States (the five words); spellings and numbers from live answers of the family, confidence high.
 */
export const STATUS: Scalar<OrderStatus> = words(
  ['NEW', 'PARTIALLY_FILLED', 'FILLED', 'CANCELED', 'REJECTED'],
  {
    0: 'open',
    1: 'open',
    2: 'filled',
    3: 'partially-filled',
    4: 'canceled',
    5: 'canceling',
    6: 'expired',
    INIT: 'open',
    NEW: 'open',
    NEWORDER: 'open',
    PARTFILLED: 'partially-filled',
    PARTIALLYFILLED: 'partially-filled',
    FILLED: 'filled',
    CANCELED: 'canceled',
    CANCELLED: 'canceled',
    PARTIALLYFILLEDCANCELED: 'canceled',
    PARTIALLYFILLEDCANCELLED: 'canceled',
    PENDINGCANCEL: 'canceling',
    TOBECANCELED: 'canceling',
    TOBECANCELLED: 'canceling',
    REJECTED: 'rejected',
    EXPIRED: 'expired',
  },
);

/** LIMIT or MARKET. Numbers of the history endpoint: 1 limit, 2 market, 3 IOC, 4 FOK, 5 POST_ONLY. */
export const ORDER_TYPE: Scalar<'limit' | 'market'> = words(['LIMIT', 'MARKET'], {
  1: 'limit',
  2: 'market',
  3: 'limit',
  4: 'limit',
  5: 'limit',
  LIMIT: 'limit',
  MARKET: 'market',
  IOC: 'limit',
  FOK: 'limit',
  POSTONLY: 'limit',
});

/** How long an order works, from the same numbers and words. 1 (limit) and 2 (market) mean GTC. */
export const TIME_IN_FORCE: Scalar<TimeInForce> = words(['GTC', 'IOC', 'FOK', 'POST_ONLY'], {
  1: 'GTC',
  2: 'GTC',
  3: 'IOC',
  4: 'FOK',
  5: 'POST_ONLY',
  GTC: 'GTC',
  LIMIT: 'GTC',
  MARKET: 'GTC',
  IOC: 'IOC',
  FOK: 'FOK',
  POSTONLY: 'POST_ONLY',
});

/** Type and time in force from the number or word of an order's type: MARKET, or LIMIT with its time in force. */
export const ORDER_TERMS: Scalar<{
  readonly type: 'limit' | 'market';
  readonly timeInForce: TimeInForce | undefined;
}> = {
  ...ORDER_TYPE,
  values: [1, 2, 3, 4, 5],
  read(value) {
    const type = ORDER_TYPE.read(value);
    if (type === undefined) return undefined;
    return { type, timeInForce: type === 'market' ? undefined : TIME_IN_FORCE.read(value) };
  },
};
