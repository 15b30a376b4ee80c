import type { LoadedExchangeConfig } from '../../config/index.js';
import { ConfigError, type ErrorCode } from '../../domain/index.js';

/** Path of a key in the file of an exchange. */
export type Place = readonly (string | number)[];

/** Makes the error for a value of an exchange's file. Without a file, it names the key alone. */
export function problemAt(
  { document }: Pick<LoadedExchangeConfig, 'document'>,
  place: Place,
  code: ErrorCode,
  problem: { readonly expected: string; readonly received: string },
): ConfigError {
  return (
    document?.problem(code, place, problem) ??
    new ConfigError(code, { location: { file: place.join('.') }, ...problem })
  );
}
