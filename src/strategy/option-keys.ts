import { DomainError, suggestWord, type ErrorCode } from '../domain/index.js';

/** A value of a wrong type, for a message: texts and numbers as they are. */
export function shownType(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

/** The error for an argument of a wrong type, which JavaScript passes. `expected`: the call, and what it takes. */
export function refusedArgument(expected: string, received: unknown): DomainError {
  return new DomainError('E_STRATEGY_ARGUMENT', `${expected}, received ${shownType(received)}`);
}

/**
 * Refuses options that are no object, and keys that nothing reads: a misspelled key would leave its default. Keys that are undefined are absent.
 *
 * @param place - the function that takes the options, for messages.
 * @throws {DomainError} with this code.
 */
export function requireKeys(
  place: string,
  given: unknown,
  keys: readonly string[],
  code: ErrorCode = 'E_INDICATOR_OPTION',
): void {
  if (typeof given !== 'object' || given === null)
    throw new DomainError(
      code,
      `${place}: expected options such as { ${String(keys[0])}: … }, received ${shownType(given)}`,
    );
  for (const [key, value] of Object.entries(given)) {
    if (value === undefined || keys.includes(key)) continue;
    const meant = suggestWord(key, keys);
    const hint = meant === undefined ? '' : `; did you mean "${meant}"?`;
    throw new DomainError(
      code,
      `${place}: expected one of ${keys.join(', ')}, received "${key}"${hint}`,
    );
  }
}
