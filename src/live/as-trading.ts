import { InvariantError, TradingError } from '../domain/index.js';

/** Turns a thrown value into an error with a code. An unexpected value becomes an `InvariantError` with `E_INTERNAL`. */
export function asTrading(error: unknown): TradingError {
  if (error instanceof TradingError) return error;
  const text = error instanceof Error ? error.message : String(error);
  return new InvariantError('E_INTERNAL', text, { cause: error });
}
