import type { OpenSession } from './bot-session.js';
import type { MarketSession, MarketSessionOptions } from './market-session.js';
import { resolveOrders, restoreOrders } from './recovery/restore-orders.js';
import { seekingSession, type SearchTerms } from './seeking-session.js';
import { StopRetries } from './stop-retries.js';

type Told =
  'resolveUnknown' | 'onProcessed' | 'onCondition' | 'onNotice' | 'onFailure' | 'onStream';

export interface VenueSessionOptions extends Omit<MarketSessionOptions, Told>, SearchTerms {
  /** Compares the bot's books with the venue. Each text is an unresolved disagreement. */
  readonly reconcile: (session: MarketSession) => Promise<readonly string[]>;
  /** Compares positions and balances while the bot runs. */
  readonly compareAgain: (session: MarketSession) => Promise<readonly string[]>;
}

/** Makes the session of a live bot: a venue whose account is polled. Orders can be lost there and are searched for. */
export function venueSession(options: VenueSessionOptions): OpenSession {
  return (hooks) => {
    const { engine } = options;
    // Stops are first sampled after one reading of orders and executions. So this reading goes before all searches.
    let firstReading: Promise<unknown> = Promise.resolve();
    const session: MarketSession = seekingSession({
      ...options,
      ...hooks,
      searchAfter: () => firstReading,
      onProcessed: (event, commands) => {
        hooks.onProcessed(event, commands);
        // These events can end an order or let a stop fire.
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
              // A search for a contract's order takes most of a minute. Candles that waited for it would be too late to trade on.
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
        // Cancels that an earlier process could not deliver.
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
