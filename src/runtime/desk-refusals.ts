import { DomainError, type InstrumentId, type Refusal } from '../domain/index.js';
import type { GuardProblem } from './guard.js';

// What the desk itself refuses, before risk is asked.

export function protectionRefusal({ field, expected, received }: GuardProblem): Refusal {
  return {
    check: 'invalid-protection',
    limit: expected,
    actual: received,
    unit: field,
    text: `${field}: expected ${expected}, received ${received}`,
  };
}

export function leavingRefusal(instrumentId: InstrumentId): Refusal {
  return {
    check: 'leaving-position',
    limit: 'no exit under way',
    actual: 'an exit',
    unit: 'orders',
    text: `the position in ${instrumentId} is being left: nothing is added to it`,
  };
}

export function goodForRefusal(goodForMs: number): Refusal {
  return {
    check: 'invalid-good-for',
    limit: '> 0',
    actual: String(goodForMs),
    unit: 'ms',
    text: `goodForMs: expected milliseconds > 0, received ${String(goodForMs)}`,
  };
}

export function noPositionRefusal(instrumentId: InstrumentId): Refusal {
  return {
    check: 'no-position',
    limit: '> 0',
    actual: '0',
    unit: 'quantity',
    text: `there is no position in ${instrumentId} to protect`,
  };
}

/**
 * Plugins may be JavaScript: what the types rule out can come all the same.
 *
 * @throws {DomainError} `E_INTENT_UNKNOWN`, always.
 */
export function refuseKind(intent: never): never {
  const { kind } = intent as { readonly kind: unknown };
  throw new DomainError(
    'E_INTENT_UNKNOWN',
    `expected an intent of kind enter, exit, protect, cancel, replace or flatten, received ${JSON.stringify(kind)}`,
  );
}
