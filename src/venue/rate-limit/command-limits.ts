import type { ProductKind } from '../../domain/index.js';
import type { LimitRule } from './limit-rule.js';

/**
 * Limits of the calls that order and cancel, by product. Futures count both, and everything else, in one budget.
 *
 * A copy of rows of the endpoint table, so that a backtest need not load the table: a test compares them.
 */
export const COMMAND_LIMITS = {
  spot: {
    submit: { id: 'spot.order', limit: 100, windowMs: 2_000 },
    cancel: { id: 'spot.cancel', limit: 100, windowMs: 2_000 },
  },
  margin: {
    submit: { id: 'margin.order', limit: 10, windowMs: 1_000 },
    cancel: { id: 'margin.cancel', limit: 10, windowMs: 1_000 },
  },
  futures: {
    submit: { id: 'futures', limit: 2, windowMs: 1_000 },
    cancel: { id: 'futures', limit: 2, windowMs: 1_000 },
  },
} as const satisfies Readonly<
  Record<ProductKind, Readonly<Record<'submit' | 'cancel', LimitRule>>>
>;
