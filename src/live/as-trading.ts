import { InvariantError, TradingError } from '../domain/index.js';

/** What was thrown as an error with a code: what has none was expected by nobody. */
export function asTrading(error: unknown): TradingError {
  if (error instanceof TradingError) return error;
  const text = error instanceof Error ? error.message : String(error);
  return new InvariantError('E_INTERNAL', text, { cause: error });
}
