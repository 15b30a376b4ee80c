import type { CallPriority } from '../../venue/index.js';
import type { AnyEndpoint } from '../../venue/wire/index.js';

/**
 * Priority of a call whose caller sets none: cancels before orders, these before account readings, these before public data, marks last. Only the
 * sender knows that an order reduces (an exit).
 */
export function priorityOf(endpoint: AnyEndpoint): CallPriority {
  if (endpoint.id === 'futures.index') return 'valuation';
  if (endpoint.access === 'public') return 'market-data';
  if (endpoint.idempotent) return 'reconciliation';
  return /cancel/i.test(endpoint.id) ? 'exit' : 'entry';
}

/** Calls that sample stops: last prices, and the account with its marks. */
const SAMPLED: ReadonlySet<string> = new Set(['spot.ticker', 'futures.ticker', 'futures.account']);

/**
 * Whether a call is sent although its host seems to be down: for calls where not trying is worse than failing. These are cancels and exits, and
 * samples of stops, which otherwise would wait for failures of other calls.
 */
export function isTriedAnyway(endpoint: AnyEndpoint, priority: CallPriority): boolean {
  return priority === 'exit' || SAMPLED.has(endpoint.id);
}
