import { AuthError, TradingError, WireFormatError } from './errors.js';

/**
 * Whether a reading that failed with this error may work later: no answer, an unreadable answer (it counts as no answer), or a refused key
 * (a gateway in trouble may refuse a good key). A command is never sent again for such an error.
 */
export function mayPass(error: unknown): error is TradingError {
  if (!(error instanceof TradingError)) return false;
  return error.retryable || error instanceof WireFormatError || error instanceof AuthError;
}
