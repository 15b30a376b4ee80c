import type { Clock, EpochMs } from '../domain/index.js';
import { MarketSession, type MarketSessionOptions } from './market-session.js';
import { SearchReadings } from './recovery/search-readings.js';
import { settleOutcome } from './recovery/settle-outcome.js';

/** What says from when on an order that the venue does not show was never made. */
export interface SearchTerms {
  /** How long the venue takes a request after its timestamp, and how far our idea of its time may be off; in ms. */
  readonly recvWindowMs: number;
  readonly clockBoundMs: number;
  /** How far the clock that the venue dates its orders by may be from the time that it tells, in ms. */
  readonly orderClockBoundMs: number;
  /** Venue's time at which the process had certainly ended that sent what is older; undefined where nobody saw its end. */
  readonly goneAt?: EpochMs | undefined;
  /** The machine's clock, which no correction of the venue's time moves. */
  readonly machine: Clock;
}

export interface SeekingSessionOptions
  extends Omit<MarketSessionOptions, 'resolveUnknown'>, SearchTerms {
  /** What a reading of searches waits for. @defaultValue nothing */
  readonly searchAfter?: (() => Promise<unknown>) | undefined;
}

/** Searches that are due at about the same time share a reading. */
const GATHER_MS = 100;

/** A session that looks for orders whose submit has no known outcome, until it is known (DESIGN §7). */
export function seekingSession(options: SeekingSessionOptions): MarketSession {
  const session: MarketSession = new MarketSession({
    ...options,
    resolveUnknown: (order, owner) =>
      settleOutcome(order, { ...options, readings, session: owner, signal: owner.searching }),
  });
  const gather = async (): Promise<void> => {
    await new Promise<void>((resolve) => options.time.after('account', GATHER_MS, resolve));
    await options.searchAfter?.();
  };
  const readings = new SearchReadings(options.venue.account, session.searching, gather);
  return session;
}
