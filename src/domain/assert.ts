import { InvariantError } from './errors.js';

/** Marks a switch as exhaustive: reaching it is a bug, and does not compile while a member is missing. */
export function assertNever(value: never): never {
  throw new InvariantError('E_UNREACHABLE', `unexpected value ${JSON.stringify(value)}`);
}

/**
 * Returns the value, or reports the bug that it is missing.
 *
 * @throws {InvariantError} `E_MISSING` when the value is undefined or null.
 */
export function present<T>(value: T | null | undefined, what: string): T {
  if (value === undefined || value === null) {
    throw new InvariantError('E_MISSING', `expected ${what} to be present`);
  }
  return value;
}
