import { DataError, parseFixed, type Fixed } from '../../../domain/index.js';

/** At most 18 decimals, which a ledger keeps. JavaScript writes a number below 10^-6 with an exponent. */
const PLAIN_DECIMAL = /^-?\d+(?:\.\d{1,18})?(?:e-\d{1,2})?$/;

/** An object of a foreign JSON document, whose members are read with errors that name file and key. */
export class JsonObject {
  readonly #members: ReadonlyMap<string, unknown>;
  readonly #path: string;
  readonly #prefix: string;

  constructor(value: unknown, path: string, prefix: string) {
    this.#path = path;
    this.#prefix = prefix;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw this.#error('', 'an object', value);
    }
    this.#members = new Map(Object.entries(value));
  }

  /** The members of a list, each an object. */
  objects(key: string): readonly JsonObject[] {
    const value = this.#members.get(key);
    if (!Array.isArray(value)) throw this.#error(key, 'a list', value);
    const items: readonly unknown[] = value;
    return items.map((item, index) => this.#below(item, `${key}.${String(index)}`));
  }

  #below(value: unknown, key: string): JsonObject {
    return new JsonObject(value, this.#path, `${this.#prefix}${key}.`);
  }

  has(key: string): boolean {
    return this.#members.has(key);
  }

  flag(key: string): boolean {
    const value = this.#members.get(key);
    if (typeof value !== 'boolean') throw this.#error(key, 'true or false', value);
    return value;
  }

  text(key: string): string {
    const value = this.#members.get(key);
    if (typeof value !== 'string') throw this.#error(key, 'a text', value);
    return value;
  }

  count(key: string): number {
    const value = this.#members.get(key);
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
      throw this.#error(key, 'a whole number', value);
    }
    return value;
  }

  /** A decimal, written as text or as a number. The shortest text of a number is taken. */
  decimal(key: string): Fixed {
    const value = this.#members.get(key);
    const text = typeof value === 'number' ? String(value) : value;
    if (typeof text !== 'string' || !PLAIN_DECIMAL.test(text)) {
      throw this.#error(key, 'a decimal of at most 18 places', value);
    }
    return parseFixed(text);
  }

  /** An error about a member that only the caller can judge. */
  problem(key: string, expected: string): DataError {
    return this.#error(key, expected, this.#members.get(key));
  }

  #error(key: string, expected: string, received: unknown): DataError {
    const shown = received === undefined ? 'nothing' : JSON.stringify(received).slice(0, 60);
    return new DataError(
      'E_DATA_RECORD',
      `${this.#path}: ${this.#prefix}${key}: expected ${expected}, received ${shown}`,
    );
  }
}
