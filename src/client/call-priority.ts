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
