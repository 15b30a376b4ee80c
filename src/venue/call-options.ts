import type { EpochMs } from '../domain/index.js';
import type { CallPriority } from './rate-limit/limit-rule.js';

/** What every call of a port takes. */
export interface CallOptions {
  /** Ends the call: what is queued is not sent, and what was sent is no longer awaited. An order that was sent may exist all the same. */
  readonly signal: AbortSignal;
  /** Any of them ends the call while it waits for its turn, and nothing is sent; one that was sent goes on. @defaultValue it waits as long as it takes */
  readonly waitSignals?: readonly AbortSignal[] | undefined;
  /** How urgent it is, where calls wait for a limit. @defaultValue by its kind: cancels, then orders, then one's own account, then public data */
  readonly priority?: CallPriority | undefined;
  /** Whether who calls makes it again by itself where it has no answer for a while. @defaultValue false */
  readonly isAskedAgain?: boolean | undefined;
  /** Told when the call begins to wait for a limit (true), and when its request leaves (false). @defaultValue nobody asks */
  readonly onTurn?: ((isWaiting: boolean) => void) | undefined;
}

/** A call that reads a list from a place on. */
export interface PageOptions extends CallOptions {
  /** First id to read, inclusive. @defaultValue from the oldest the venue keeps */
  readonly fromId?: string;
  /** Rows per request, at most 1,000. @defaultValue 100 */
  readonly pageSize?: number;
}

/** A call that reads candles. */
export interface CandleOptions extends CallOptions {
  /** Newest candles wanted, at most 300, the open one counted. @defaultValue 100 */
  readonly limit?: number;
  /** First open time wanted. Ignored by venues whose `klinesHaveStartTime` is false. */
  readonly from?: EpochMs;
  /** End (exclusive) of the open times wanted. Ignored likewise. */
  readonly to?: EpochMs;
}
