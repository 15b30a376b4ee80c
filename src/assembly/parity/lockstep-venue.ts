import {
  RestAccount,
  RestExecution,
  RestMarketData,
  type VenueClient,
} from '../../client/index.js';
import { CANDLE_PLAN, MarketFeed, PollQueue } from '../../feed/index.js';
import {
  timeOfPhase,
  TrackedMarketData,
  type Activity,
  type SessionVenue,
} from '../../live/index.js';
import type { LockstepTime } from './lockstep-time.js';

interface LockstepVenueOptions {
  readonly client: VenueClient;
  readonly time: LockstepTime;
  readonly activity: Activity;
  readonly dataDelayMs: number;
}

/** Makes the venue of one process of the live side, at the exchange in lockstep: it has the same parts as that of a live bot. */
export function createLockstepVenue(options: LockstepVenueOptions): SessionVenue {
  const { client, time, activity, dataDelayMs } = options;
  const market = new TrackedMarketData(new RestMarketData(client, undefined, time), activity);
  const feed = new MarketFeed({
    source: market,
    time: timeOfPhase(time, 'market'),
    plan: {
      // Market time stands during a call: an ended candle is final, and a missing candle never comes.
      candles: {
        ...CANDLE_PLAN,
        settleMs: dataDelayMs,
        finalMs: 0,
        holePatienceMs: 0,
        missingMs: Number.POSITIVE_INFINITY,
      },
      staggerMs: 0,
    },
  });
  return {
    market,
    feed,
    pollQueue: new PollQueue(timeOfPhase(time, 'account')),
    account: new RestAccount(client),
    execution: new RestExecution(client),
  };
}
