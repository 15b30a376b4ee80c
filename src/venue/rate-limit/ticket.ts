import type { EpochMs } from '../../domain/index.js';
import type { LimitedCall } from './limit-rule.js';
import type { LogEntry } from './window-log.js';

/** A share of a budget that was given to one call. */
export class Ticket {
  /** When the call may go. */
  readonly at: EpochMs;
  readonly call: LimitedCall;
  readonly #entry: LogEntry;

  constructor(at: EpochMs, call: LimitedCall, entry: LogEntry) {
    this.at = at;
    this.call = call;
    this.#entry = entry;
  }

  /**
   * Says that the venue has counted the call by `now` at the latest, because its answer is here. A call that stays unsettled holds its
   * share for the assumed travel time longer; settling never prolongs that.
   */
  settle(now: EpochMs): void {
    this.#entry.countedBy = Math.min(this.#entry.countedBy, Math.max(now, this.at));
  }
}
