import type { OpenSession } from './bot-session.js';
import type { MarketSession, MarketSessionOptions } from './market-session.js';
import { resolveOrders, restoreOrders } from './recovery/restore-orders.js';
import { seekingSession, type SearchTerms } from './seeking-session.js';
import { StopRetries } from './stop-retries.js';

type Told =
  'resolveUnknown' | 'onProcessed' | 'onCondition' | 'onNotice' | 'onFailure' | 'onStream';

export interface VenueSessionOptions extends Omit<MarketSessionOptions, Told>, SearchTerms {
  /** Compares what the bot believes with what the venue shows; each text is a disagreement that nothing has resolved. */
  readonly reconcile: (session: MarketSession) => Promise<readonly string[]>;
  /** Compares what is held while the bot runs. */
  readonly compareAgain: (session: MarketSession) => Promise<readonly string[]>;
}

/** What a live bot runs on: a venue whose account is polled, where orders can be lost and are looked for. */
export function venueSession(options: VenueSessionOptions): OpenSession {
  return (hooks) => {
    const { engine } = options;
    // The first sample of a stop waits for one reading of orders and executions, so that goes before all searches.
    let firstReading: Promise<unknown> = Promise.resolve();
    const session: MarketSession = seekingSession({
      ...options,
      ...hooks,
      searchAfter: () => firstReading,
      onProcessed: (event, commands) => {
        hooks.onProcessed(event, commands);
        // What ends an order, and what lets a stop fire.
        if (event.kind === 'venue' || event.kind === 'ticker') retries.look();
      },
    });
    const retries = new StopRetries({
      engine,
      time: options.time,
      tell: (make) => {
        session.tell(make);
      },
    });
    let lost: ReturnType<typeof restoreOrders> = [];
    return {
      announce: () => {
        session.announce();
      },
      warmUp: () => session.warmUp(),
      restore: () => {
        lost = restoreOrders(session, engine);
      },
      resolve: () =>
        resolveOrders(
          {
            ...{ commands: session.commands, orders: session.orders },
            triggers: session.triggers,
            isGone: (id) => session.isGone(id),
            guard: () => {
              session.guard();
              // What is looked for takes most of a minute of a contract: its candles would come too late to trade on.
              session.watchMarket();
            },
            readAccount: () => {
              const reading = session.guardCertain().then(() => session.readAccount());
              firstReading = reading.catch(() => undefined);
              return reading;
            },
          },
          engine,
          lost,
        ),
      run: () => {
        session.run();
        // What an earlier process could not cancel.
        retries.look();
      },
      reconcile: () => options.reconcile(session),
      compareAgain: () => options.compareAgain(session),
      tell: (make) => {
        session.tell(make);
      },
      get margins() {
        return session.margins?.readings;
      },
      get sampling() {
        return session.sampling;
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
      stop: () => {
        retries.stop();
        return session.stop();
      },
    };
  };
}
