import type { ProductKind } from '../../domain/index.js';
import type { LimitRule } from './limit-rule.js';

const FUTURES = { id: 'futures', limit: 2, windowMs: 1_000 } as const;
const PAIRS = {
  candles: { id: 'spot.klines', limit: 20, windowMs: 2_000 },
  ticker: { id: 'spot.ticker', limit: 20, windowMs: 2_000 },
} as const;

/** Limits of what a bot polls, by product. A copy of rows of the endpoint table, as {@link COMMAND_LIMITS} is. */
export const POLL_LIMITS = {
  spot: { ...PAIRS, orders: { id: 'spot.openOrders', limit: 20, windowMs: 2_000 } },
  margin: { ...PAIRS, orders: { id: 'margin.openOrders', limit: 10, windowMs: 1_000 } },
  futures: { candles: FUTURES, ticker: FUTURES, orders: FUTURES },
} as const satisfies Readonly<
  Record<ProductKind, Readonly<Record<'candles' | 'ticker' | 'orders', LimitRule>>>
>;

/** Limit of calls that cancel several orders, and how many orders one such call takes. */
export const BATCH_CANCEL = {
  id: 'spot.batchCancel',
  limit: 50,
  windowMs: 2_000,
  orders: 10,
} as const;
