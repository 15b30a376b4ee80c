import { AuthError } from '../domain/index.js';

/** HTTP 418: the venue banned this address. */
export class BannedError extends AuthError {
  /** Length of the ban in ms; undefined if the venue does not say it. */
  readonly forMs: number | undefined;

  constructor(message: string, forMs: number | undefined) {
    super('E_BANNED', message);
    this.forMs = forMs;
    // Callers know it by this name.
    this.name = 'AuthError';
  }
}
