import { AuthError, TradingError, WireFormatError } from './errors.js';

/**
 * Whether a reading that failed so may work later: no answer, an answer that cannot be read, which is one that did not come, and a key that
 * is refused, which gateways do that are in trouble themselves. A command is never sent again for that.
 */
export function mayPass(error: unknown): error is TradingError {
  if (!(error instanceof TradingError)) return false;
  return error.retryable || error instanceof WireFormatError || error instanceof AuthError;
}
