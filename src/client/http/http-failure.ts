import { TransportError, type ErrorCode } from '../../domain/index.js';

/**
 * A request without a complete answer. Repeating it may work, if the call may be repeated.
 *
 * Codes: `E_CONNECT` and `E_CONNECT_TIMEOUT` (no connection), `E_TIMEOUT` (no complete answer in time), `E_CONNECTION_LOST` (ended or corrupt
 * midway), `E_BODY_SIZE` (longer than allowed), `E_ABORTED` (the caller gave up).
 */
export class HttpFailure extends TransportError {
  /** Whether the request may have reached the host. False means that it certainly has not. */
  readonly isSent: boolean;

  constructor(code: ErrorCode, message: string, isSent: boolean, options?: ErrorOptions) {
    super(code, message, options);
    this.isSent = isSent;
  }

  static from(error: unknown, isSent: boolean): HttpFailure {
    const thrown = error instanceof Error ? error : new Error(String(error));
    // A parser's error quotes the answer, which may contain a key.
    const cause = 'data' in thrown ? new Error(thrown.message) : thrown;
    const systemCode = 'code' in cause ? String(cause.code) : '';
    const detail = cause.message === '' ? systemCode : cause.message;
    if (isSent)
      return new HttpFailure('E_CONNECTION_LOST', `the connection ended midway (${detail})`, true, {
        cause,
      });
    const code = systemCode === 'UND_ERR_CONNECT_TIMEOUT' ? 'E_CONNECT_TIMEOUT' : 'E_CONNECT';
    return new HttpFailure(code, `no connection (${detail})`, false, { cause });
  }
}
