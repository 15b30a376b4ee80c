import { TransportError, WireFormatError } from '../domain/index.js';
import { VenueRefusalError } from '../venue/index.js';

/**
 * The server's time, which a signature needs, could not be learned: the call that needed it was certainly not sent, whatever it is, and may be
 * made again.
 *
 * Codes: that of the failure; `E_VENUE_UNAVAILABLE` where the server answered and its answer was no time.
 */
export class TimeUnknownError extends TransportError {
  /** What asking the server threw, as this where it is a failure of the venue's that may pass. */
  static from(error: unknown): unknown {
    const isNoTime = error instanceof VenueRefusalError || error instanceof WireFormatError;
    if (!isNoTime && !(error instanceof TransportError)) return error;
    const code = isNoTime ? 'E_VENUE_UNAVAILABLE' : error.code;
    return new TimeUnknownError(code, `${error.message}; nothing was sent`, { cause: error });
  }
}
