import {
  DataError,
  TradingError,
  type ErrorCode,
  type Fixed,
  parseFixed,
} from '../domain/index.js';

/** Digits that a ledger keeps; a number below 10^-6 is written with an exponent. */
const PLAIN_DECIMAL = /^-?\d+(?:\.\d{1,18})?(?:e-\d{1,2})?$/;

/** @throws {DataError} `E_DATA_METADATA` naming the file when the text is no JSON. */
export function parseJsonFile(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new DataError('E_DATA_METADATA', `${path}: not JSON`, {
      cause: error,
    });
  }
}

/** A JSON object whose members are read with errors that name file and key. */
export class JsonObject {
  readonly #members: ReadonlyMap<string, unknown>;
  readonly #path: string;
  readonly #prefix: string;
  readonly #code: ErrorCode;

  /** @param code of the errors. */
  constructor(value: unknown, path: string, prefix: string, code: ErrorCode = 'E_DATA_METADATA') {
    this.#path = path;
    this.#prefix = prefix;
    this.#code = code;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw this.#error('', 'an object', value);
    }
    this.#members = new Map(Object.entries(value));
  }

  object(key: string): JsonObject {
    return this.#below(this.#members.get(key), key);
  }

  /** The members of a list, each an object. */
  objects(key: string): readonly JsonObject[] {
    const value = this.#members.get(key);
    if (!Array.isArray(value)) throw this.#error(key, 'a list', value);
    const items: readonly unknown[] = value;
    return items.map((item, index) => this.#below(item, `${key}.${String(index)}`));
  }

  #below(value: unknown, key: string): JsonObject {
    return new JsonObject(value, this.#path, `${this.#prefix}${key}.`, this.#code);
  }

  has(key: string): boolean {
    return this.#members.has(key);
  }

  flag(key: string): boolean {
    const value = this.#members.get(key);
    if (typeof value !== 'boolean') throw this.#error(key, 'true or false', value);
    return value;
  }

  literal(key: string, expected: string | number): void {
    const value = this.#members.get(key);
    if (value !== expected) throw this.#error(key, JSON.stringify(expected), value);
  }

  text(key: string): string {
    const value = this.#members.get(key);
    if (typeof value !== 'string') throw this.#error(key, 'a text', value);
    return value;
  }

  texts(key: string): readonly string[] {
    const value = this.#members.get(key);
    const isTexts = Array.isArray(value) && value.every((item) => typeof item === 'string');
    if (!isTexts) throw this.#error(key, 'a list of texts', value);
    return value;
  }

  count(key: string): number {
    const value = this.#members.get(key);
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
      throw this.#error(key, 'a whole number', value);
    }
    return value;
  }

  /** A decimal, written as text or as a number whose shortest text is it. */
  decimal(key: string): Fixed {
    const value = this.#members.get(key);
    const text = typeof value === 'number' ? String(value) : value;
    if (typeof text !== 'string' || !PLAIN_DECIMAL.test(text)) {
      throw this.#error(key, 'a decimal of at most 18 places', value);
    }
    return parseFixed(text);
  }

  sha256(key: string): string {
    const value = this.text(key);
    if (!/^[0-9a-f]{64}$/.test(value)) throw this.#error(key, 'a SHA-256 in hex', value);
    return value;
  }

  oneOf<T extends string>(key: string, choices: readonly T[]): T {
    const value = this.text(key);
    const choice = choices.find((candidate) => candidate === value);
    if (choice === undefined) throw this.#error(key, `one of ${choices.join(', ')}`, value);
    return choice;
  }

  parsed<T>(key: string, parse: (text: string) => T): T {
    const value = this.text(key);
    try {
      return parse(value);
    } catch (error) {
      if (!(error instanceof TradingError)) throw error;
      throw new DataError(this.#code, `${this.#path}: ${this.#prefix}${key}: ${error.message}`, {
        cause: error,
      });
    }
  }

  /** An error about a member that only the caller can judge. */
  problem(key: string, expected: string): DataError {
    return this.#error(key, expected, this.#members.get(key));
  }

  #error(key: string, expected: string, received: unknown): DataError {
    const shown = received === undefined ? 'nothing' : JSON.stringify(received).slice(0, 60);
    return new DataError(
      this.#code,
      `${this.#path}: ${this.#prefix}${key}: expected ${expected}, received ${shown}`,
    );
  }
}
