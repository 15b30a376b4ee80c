import { UsageError } from '../domain/index.js';

/** Reads the first digits of a hash, in lower case. @throws {UsageError} `E_USAGE` naming the option. */
export function readHashPrefix(option: string, text: string): string {
  const prefix = text.toLowerCase();
  if (/^[0-9a-f]*$/.test(prefix)) return prefix;
  throw new UsageError('E_USAGE', `${option}: expected hexadecimal digits, received "${text}"`);
}
