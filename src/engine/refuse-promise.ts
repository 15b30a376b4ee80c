import { DomainError } from '../domain/index.js';

/**
 * Refuses what a hook of a strategy returned where that is a promise: what comes after it is done outside of all events, or never, and nobody
 * would hear that it failed.
 *
 * @throws {DomainError} `E_STRATEGY_PROMISE`
 */
export function refusePromise(hook: string, returned: unknown): void {
  if (returned === undefined || !isThenable(returned)) return;
  // Its own failure is of no interest any more, and must not end the process before this is said.
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
