import { ConfigError } from '../../domain/index.js';
import type { KeyPath } from './key-path.js';

/** A value that a YAML file can hold. Undefined means absent: a key with it does not exist. */
export type PlainValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly PlainValue[]
  | { readonly [key: string]: PlainValue };

/**
 * Copies a value that a program gives instead of a YAML file, so that later changes of the value have no effect. `name` is for messages.
 *
 * @throws {ConfigError} `E_CONFIG_TYPE` naming the first key whose value no YAML file can hold: a function, a bigint, an instance of a
 * class such as Date, or an object that contains itself.
 */
export function copyPlainValue(value: unknown, name: string): PlainValue {
  return copyAt(value, { path: [], holders: [], name });
}

interface Place {
  readonly path: KeyPath;
  /** The lists and objects that contain the value. */
  readonly holders: readonly unknown[];
  readonly name: string;
}

function copyAt(value: unknown, place: Place): PlainValue {
  if (isScalarValue(value)) return value;
  const { path, holders, name } = place;
  const below = (member: unknown, key: string | number): PlainValue =>
    copyAt(member, { path: [...path, key], holders: [...holders, value], name });
  const isCircle = holders.includes(value);
  if (!isCircle && Array.isArray(value)) return value.map(below);
  if (!isCircle && isPlainObject(value)) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return Object.fromEntries(members.map(([key, member]) => [key, below(member, key)]));
  }
  throw new ConfigError('E_CONFIG_TYPE', {
    location: { file: name, ...(path.length > 0 && { key: path.join('.') }) },
    expected: 'text, a number, true, false, a list or a plain object',
    received: isCircle ? 'a value that contains itself' : describeOther(value),
  });
}

function isScalarValue(value: unknown): value is string | number | boolean | null | undefined {
  return value === null || ['string', 'number', 'boolean', 'undefined'].includes(typeof value);
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // `Object.prototype` of another realm, such as a test's, is another object. It has no prototype either.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function describeOther(value: unknown): string {
  if (typeof value === 'bigint') return `the bigint ${String(value)}n`;
  if (typeof value !== 'object' || value === null) return `a ${typeof value}`;
  const { constructor } = value as { readonly constructor?: { readonly name?: unknown } };
  return `an instance of ${String(constructor?.name)}`;
}
