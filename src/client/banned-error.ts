import { AuthError } from '../domain/index.js';

/** HTTP 418: the venue banned this address. */
export class BannedError extends AuthError {
  /** For how long, where the venue says. */
  readonly forMs: number | undefined;

  constructor(message: string, forMs: number | undefined) {
    super('E_BANNED', message);
    this.forMs = forMs;
    // As callers know it.
    this.name = 'AuthError';
  }
}
