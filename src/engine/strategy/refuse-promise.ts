import { DomainError } from '../../domain/index.js';

/**
 * Refuses a promise that a hook of a strategy returned: its continuation would run outside of all events, or never, and its failure would go
 * unnoticed.
 *
 * @throws {DomainError} `E_STRATEGY_PROMISE`
 */
export function refusePromise(hook: string, returned: unknown): void {
  if (returned === undefined || !isThenable(returned)) return;
  // A rejection of the promise must not end the process before this error is reported.
  returned.then(undefined, () => undefined);
  throw new DomainError(
    'E_STRATEGY_PROMISE',
    `${hook} returned a promise, which does not follow the engine's clock: make it a plain method, without async and await`,
  );
}

interface Thenable {
  then(fulfilled: undefined, rejected: () => undefined): unknown;
}

function isThenable(value: unknown): value is Thenable {
  return (
    typeof value === 'object' &&
    value !== null &&
    'then' in value &&
    typeof value.then === 'function'
  );
}
