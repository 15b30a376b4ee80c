import type { DecimalInput } from './amounts/decimal.js';

/**
 * How an order is worked: by several orders of one intent, one after the other. Durations are texts such as `'30s'` or `'10min'`.
 *
 * - `limitFor`: rests for this time at its limit price, or at last if it has none. Then the remaining quantity is sent as a MARKET order.
 * - `chase`: rests at last. When a sample of last has moved away from the order, the order follows it, at most once per `every` and never farther than
 *   `maxBps` basis points (0.01 %) from last at the decision.
 * - `twap`: sends MARKET orders in `slices` equal parts, the first at once and the others spread evenly over `over`. The unfilled quantity of a part is sent
 *   with the later parts.
 */
export type Work =
  | { readonly limitFor: string; readonly then: 'market' }
  | { readonly chase: { readonly every: string; readonly maxBps: DecimalInput } }
  | { readonly twap: { readonly over: string; readonly slices: number } };
