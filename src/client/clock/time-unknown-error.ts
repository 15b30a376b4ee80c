import { TransportError, WireFormatError } from '../../domain/index.js';
import { VenueRefusalError } from '../../venue/index.js';

/**
 * The server's time, which a signature needs, could not be read. The call was certainly not sent, and may be made again.
 *
 * Codes: that of the failure; `E_VENUE_UNAVAILABLE` if the server answered without a valid time.
 */
export class TimeUnknownError extends TransportError {
  /** Converts an error of the time request into this one, if it is a failure of the venue that may pass. Other errors stay as they are. */
  static from(error: unknown): unknown {
    const isNoTime = error instanceof VenueRefusalError || error instanceof WireFormatError;
    if (!isNoTime && !(error instanceof TransportError)) return error;
    const code = isNoTime ? 'E_VENUE_UNAVAILABLE' : error.code;
    return new TimeUnknownError(code, `${error.message}; nothing was sent`, { cause: error });
  }
}
