import { suggestWord, UsageError } from '../domain/index.js';

/** One option or key that a program may give. */
export interface OptionCheck {
  /** What the value must be, for a message. */
  readonly expected: string;
  readonly accepts: (value: unknown) => boolean;
  /** @defaultValue false */
  readonly isRequired?: true;
}

/** A check of each key, so that a new key cannot be forgotten. */
export type OptionChecks<Options extends object> = Readonly<
  Record<keyof Options & string, OptionCheck>
>;

/** Values that other code checks. */
export const CHECKED_LATER: OptionCheck = { expected: 'a value', accepts: () => true };

export const A_FUNCTION: OptionCheck = {
  expected: 'a function',
  accepts: (value) => typeof value === 'function',
};

export const A_SIGNAL: OptionCheck = {
  expected: 'an AbortSignal',
  accepts: (value) => value instanceof AbortSignal,
};

export const A_TEXT: OptionCheck = {
  expected: 'a text',
  accepts: (value) => typeof value === 'string',
};

export const A_FILE: OptionCheck = {
  expected: 'the path of a file, as text or URL',
  accepts: (value) => (typeof value === 'string' && value !== '') || value instanceof URL,
};

export const A_NUMBER: OptionCheck = { expected: 'a number', accepts: Number.isFinite };

export const A_LIST: OptionCheck = { expected: 'a list', accepts: Array.isArray };

export const A_SWITCH: OptionCheck = {
  expected: 'true or false',
  accepts: (value) => typeof value === 'boolean',
};

export function wholeFrom(least: number): OptionCheck {
  return {
    expected: `a whole number from ${String(least)}`,
    accepts: (value) => Number.isSafeInteger(value) && (value as number) >= least,
  };
}

export function oneOf(words: readonly string[]): OptionCheck {
  return {
    expected: `one of ${words.join(', ')}`,
    accepts: (value) => words.includes(value as string),
  };
}

/**
 * Refuses what a program gives wrongly: a misspelled key would otherwise be ignored. Keys that are undefined are absent.
 *
 * @param name - the place of the keys in messages; '' for the options themselves.
 * @throws {UsageError} `E_USAGE`.
 */
export function checkOptions<Options extends object>(
  given: unknown,
  checks: OptionChecks<Options>,
  name = '',
): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw refused(name === '' ? 'options' : name, 'an object', given);
  for (const [key, { isRequired, expected }] of Object.entries<OptionCheck>(checks))
    if (isRequired && (given as Readonly<Record<string, unknown>>)[key] === undefined)
      throw refused(placeOf(key, name), expected, undefined);
  for (const [key, value] of Object.entries(given)) {
    const place = placeOf(key, name);
    const check = Object.hasOwn(checks, key) ? checks[key as keyof Options & string] : undefined;
    if (check === undefined) {
      const known = Object.keys(checks);
      const meant = suggestWord(key, known);
      const hint = meant === undefined ? '' : `; did you mean "${meant}"?`;
      throw new UsageError('E_USAGE', `${place}: expected one of ${known.join(', ')}${hint}`);
    }
    if (value !== undefined && !check.accepts(value)) throw refused(place, check.expected, value);
  }
}

function placeOf(key: string, name: string): string {
  return name === '' ? key : `${name}.${key}`;
}

function refused(place: string, expected: string, received: unknown): UsageError {
  return new UsageError('E_USAGE', `${place}: expected ${expected}, received ${told(received)}`);
}

function told(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (value instanceof Promise) return 'a promise';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'string') return JSON.stringify(value);
  return typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : `a ${typeof value}`;
}
