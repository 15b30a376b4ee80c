import type { Clock } from '../domain/index.js';
import type { OpenSession } from './bot-session.js';
import { MarketSession, type MarketSessionOptions } from './market-session.js';
import { resolveOrders, restoreOrders } from './recovery/restore-orders.js';
import { settleOutcome } from './recovery/settle-outcome.js';
import { SearchReadings } from './recovery/search-readings.js';

type Told =
  'resolveUnknown' | 'onProcessed' | 'onCondition' | 'onNotice' | 'onFailure' | 'onStream';

export interface VenueSessionOptions extends Omit<MarketSessionOptions, Told> {
  /** How long the venue takes a request after its timestamp, and how far our idea of its time may be off; in ms. */
  readonly recvWindowMs: number;
  readonly clockBoundMs: number;
  /** How far the clock that the venue dates its orders by may be from the time that it tells, in ms. */
  readonly orderClockBoundMs: number;
  /** The machine's clock, which no correction of the venue's time moves. */
  readonly machine: Clock;
  /** Compares what the bot believes with what the venue shows; each text is a disagreement that nothing has resolved. */
  readonly reconcile: (session: MarketSession) => Promise<readonly string[]>;
  /** Compares what is held while the bot runs. */
  readonly compareAgain: (session: MarketSession) => Promise<readonly string[]>;
}

/** Searches that are due at about the same time share a reading. */
const GATHER_MS = 100;

/** What a live bot runs on: a venue whose account is polled, where orders can be lost and are looked for. */
export function venueSession(options: VenueSessionOptions): OpenSession {
  return (hooks) => {
    const session: MarketSession = new MarketSession({
      ...options,
      ...hooks,
      resolveUnknown: (order, owner) =>
        settleOutcome(order, {
          ...options,
          readings,
          session: owner,
          signal: owner.searching,
          onCondition: hooks.onCondition,
        }),
    });
    const { engine, venue } = options;
    const gather = (): Promise<void> =>
      new Promise((resolve) => options.time.after('account', GATHER_MS, resolve));
    const readings = new SearchReadings(venue.account, session.searching, gather);
    let lost: ReturnType<typeof restoreOrders> = [];
    return {
      warmUp: () => {
        session.warmUp();
      },
      restore: () => {
        lost = restoreOrders(session, engine);
      },
      resolve: () => resolveOrders(session, engine, lost),
      run: () => {
        session.run();
      },
      reconcile: () => options.reconcile(session),
      compareAgain: () => options.compareAgain(session),
      tell: (make) => {
        session.tell(make);
      },
      get margins() {
        return session.margins?.readings;
      },
      closeEntries: () => {
        session.commands.closeEntries();
      },
      get isSending() {
        return session.commands.underWay > 0;
      },
      get unansweredCancels() {
        return session.commands.unanswered;
      },
      stop: () => session.stop(),
    };
  };
}
