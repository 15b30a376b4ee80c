import type { DecimalInput } from './decimal.js';

/**
 * How an order is worked: by orders that follow one another, all of one intent. Durations are texts such as `'30s'` or `'10min'`.
 *
 * - `limitFor`: rests at its limit price, or at last where it has none, for so long; what is left then takes what there is.
 * - `chase`: rests at last, and follows it away from where it rests as sampled, at most once in `every` and never farther than `maxBps` basis points (0.01 %)
 *   from last at the decision.
 * - `twap`: takes what there is in `slices` equal parts, one at once and the others spread evenly over `over`. What a part has not filled goes with the next.
 */
export type Work =
  | { readonly limitFor: string; readonly then: 'market' }
  | { readonly chase: { readonly every: string; readonly maxBps: DecimalInput } }
  | { readonly twap: { readonly over: string; readonly slices: number } };
