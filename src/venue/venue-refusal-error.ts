import { TradingError } from '../domain/index.js';

/**
 * The venue understood a call and refused it; it did nothing. Orders and cancels never throw it: their refusals are values.
 *
 * Codes: `E_VENUE_REFUSED`.
 */
export class VenueRefusalError extends TradingError {
  /** Whether the same call may pass later without a change. */
  readonly retryable: boolean;
  /** The venue's own code, or `HTTP 404` where it sent none. */
  readonly venueCode: string;

  constructor(message: string, venueCode: string, retryable: boolean) {
    super('E_VENUE_REFUSED', message);
    this.venueCode = venueCode;
    this.retryable = retryable;
  }
}
