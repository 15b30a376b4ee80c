import type { EpochMs } from '../domain/index.js';
import type { CallPriority } from './rate-limit/limit-rule.js';

/** Options of every call of a port. */
export interface CallOptions {
  /** Ends the call: a queued request is not sent, and the answer to a sent request is no longer awaited. A sent order may still exist at the venue. */
  readonly signal: AbortSignal;
  /** Each of them ends the call while it waits for its turn: nothing is sent. A sent request goes on. @defaultValue the wait has no further limit */
  readonly waitSignals?: readonly AbortSignal[] | undefined;
  /** Urgency among the calls that wait for a limit. @defaultValue by its kind: cancels, then orders, then one's own account, then public data */
  readonly priority?: CallPriority | undefined;
  /** Whether the caller itself repeats the call after a while without an answer; then the client does not. @defaultValue false */
  readonly isAskedAgain?: boolean | undefined;
  /** Called when the call begins to wait for a limit (true), and when its request is sent (false). @defaultValue no callback */
  readonly onTurn?: ((isWaiting: boolean) => void) | undefined;
}

/** Options of a call that reads a list page by page, from an id on. */
export interface PageOptions extends CallOptions {
  /** First id to read, inclusive. @defaultValue from the oldest the venue keeps */
  readonly fromId?: string;
  /** Rows per request, at most 1,000. @defaultValue 100 */
  readonly pageSize?: number;
}

/** Options of a call that reads candles. */
export interface CandleOptions extends CallOptions {
  /** Number of the newest candles to read, at most 300, including the open one. @defaultValue 100 */
  readonly limit?: number;
  /** First open time, inclusive. Ignored by venues whose `klinesHaveStartTime` is false. */
  readonly from?: EpochMs;
  /** End of the open times, exclusive. Ignored by the same venues. */
  readonly to?: EpochMs;
}
