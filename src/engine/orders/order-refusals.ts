import { DomainError, formatFixed, type InstrumentId, type Refusal } from '../../domain/index.js';
import type { GuardProblem } from './guard.js';
import type { PositionSide } from './position-side.js';

// What the order manager itself refuses, before risk is asked.

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

/** Said of an entry that was carried over from an epoch before, while the new strategy warms up. */
export function warmingRefusal(): Refusal {
  return {
    check: 'warming-up',
    limit: 'a warm strategy',
    actual: 'one that warms up',
    unit: 'strategy',
    text: 'nothing is entered before the strategy is warm',
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

export function sidesRefusal(instrumentId: InstrumentId): Refusal {
  return {
    check: 'both-sides-held',
    limit: 'one side',
    actual: 'long and short',
    unit: 'positions',
    text: `long and short of ${instrumentId} are held: say which of them to protect by its direction`,
  };
}

/** Said of an entry for which the other side was to be left, and was not. */
export function rivalRefusal({ instrumentId, direction, ledger }: PositionSide): Refusal {
  return {
    check: 'other-side-held',
    limit: '0',
    actual: formatFixed(ledger.holding.quantity),
    unit: 'quantity',
    text: `the ${direction} position in ${instrumentId} could not be left, and only one side of it can be held`,
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
