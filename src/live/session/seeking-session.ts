import type { Clock, EpochMs } from '../../domain/index.js';
import { MarketSession, type MarketSessionOptions } from './market-session.js';
import { pauseFor, timeOfPhase } from './session-time.js';
import { SearchReadings } from '../recovery/search-readings.js';
import { settleOutcome } from '../recovery/settle-outcome.js';

/** Terms that decide from when on an order that the venue does not show was never made. */
export interface SearchTerms {
  /** How long after its timestamp the venue accepts a request, and the possible error of our estimate of its time; in ms. */
  readonly recvWindowMs: number;
  readonly clockBoundMs: number;
  /** Possible difference between the clock with which the venue dates orders and the time that it tells, in ms. */
  readonly orderClockBoundMs: number;
  /** Venue's time by which the earlier process, which sent older orders, had certainly ended; undefined if its end is not known. */
  readonly goneAt?: EpochMs | undefined;
  /** The machine's time, which measures waits. Nobody sets it, and corrections of the venue's time do not move it. */
  readonly machine: Clock;
}

interface SeekingSessionOptions extends Omit<MarketSessionOptions, 'resolveUnknown'>, SearchTerms {
  /** A reading of searches waits for this. @defaultValue nothing */
  readonly searchAfter?: (() => Promise<unknown>) | undefined;
}

/** Searches that are due at about the same time share a reading. */
const GATHER_MS = 100;

/** A session that searches for orders whose submit has no known outcome, until the outcome is known (DESIGN §7). */
export function seekingSession(options: SeekingSessionOptions): MarketSession {
  const session: MarketSession = new MarketSession({
    ...options,
    resolveUnknown: (order, owner) =>
      settleOutcome(order, { ...options, readings, session: owner, signal: owner.searching }),
  });
  const gather = async (): Promise<void> => {
    await pauseFor(timeOfPhase(options.time, 'account'), GATHER_MS, session.searching);
    await options.searchAfter?.();
  };
  const readings = new SearchReadings(options.venue.account, session.searching, gather);
  return session;
}
