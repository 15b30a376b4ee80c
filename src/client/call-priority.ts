import type { CallPriority } from '../venue/index.js';
import type { AnyEndpoint } from '../venue/wire/index.js';

/**
 * How urgent a call is where its caller says nothing: cancels before orders, these before reading one's account, that before public
 * data, marks last. An order that reduces is an exit; only its sender knows that.
 */
export function priorityOf(endpoint: AnyEndpoint): CallPriority {
  if (endpoint.id === 'futures.index') return 'valuation';
  if (endpoint.access === 'public') return 'market-data';
  if (endpoint.idempotent) return 'reconciliation';
  return /cancel/i.test(endpoint.id) ? 'exit' : 'entry';
}

/** What stops are looked at by: last prices, and the account with its marks. */
const SAMPLED: ReadonlySet<string> = new Set(['spot.ticker', 'futures.ticker', 'futures.account']);

/**
 * Whether a call is made although its host seems to be down: not to try costs it more than to fail. So it is for cancels and exits, and for what stops
 * are sampled by, which would else wait for the failures of other calls.
 */
export function isTriedAnyway(endpoint: AnyEndpoint, priority: CallPriority): boolean {
  return priority === 'exit' || SAMPLED.has(endpoint.id);
}
