import type { LoadedExchangeConfig } from '../../config/index.js';
import { ConfigError, type ErrorCode } from '../../domain/index.js';

/** Path of a key in the file of an exchange. */
export type Place = readonly (string | number)[];

interface FileProblem {
  readonly expected: string;
  readonly received: string;
  readonly suggestion?: string | undefined;
}

/** Makes the error for a value of an exchange's file. Without a file, it names the key alone. */
export function problemAt(
  { document }: Pick<LoadedExchangeConfig, 'document'>,
  place: Place,
  code: ErrorCode,
  { expected, received, suggestion }: FileProblem,
): ConfigError {
  return (
    document?.problem(code, place, { expected, received, suggestion }) ??
    new ConfigError(code, { location: { file: place.join('.') }, expected, received })
  );
}
