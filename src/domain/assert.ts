import { InvariantError } from './errors.js';

/** Marks a switch as exhaustive: reaching it is a bug, and does not compile while a member is missing. */
export function assertNever(value: never): never {
  throw new InvariantError('E_UNREACHABLE', `unexpected value ${JSON.stringify(value)}`);
}

/**
 * Throws because a value is missing, which is a bug. `map.get(key) ?? missing(...)` builds its text only when it is needed.
 *
 * @throws {InvariantError} `E_MISSING`.
 */
export function missing(what: string): never {
  throw new InvariantError('E_MISSING', `${what} is missing`);
}

/**
 * Returns the value, or throws if it is missing, which is a bug.
 *
 * @throws {InvariantError} `E_MISSING` when the value is undefined or null.
 */
export function present<T>(value: T | null | undefined, what: string): T {
  return value ?? missing(what);
}
