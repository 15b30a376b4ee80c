import type { EpochMs, InstrumentId, MarginReading } from '../../domain/index.js';
import type { EngineEvent } from '../../engine/index.js';
import type { BotSession, OpenSession, SessionHooks } from './bot-session.js';
import type { MarketSession, MarketSessionOptions } from './market-session.js';
import { resolveOrders, restoreSessionOrders } from '../recovery/restore-orders.js';
import type { StopSampling } from '../stops/session-samples.js';
import { seekingSession, type SearchTerms } from './seeking-session.js';
import { StopRetries } from '../stops/stop-retries.js';

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
  return (hooks) => new VenueSession(options, hooks);
}

class VenueSession implements BotSession {
  readonly #options: VenueSessionOptions;
  readonly #session: MarketSession;
  readonly #retries: StopRetries;
  /** Stops are first sampled after one reading of orders and executions. So this reading goes before all searches. */
  #firstReading: Promise<unknown> = Promise.resolve();
  #lost: ReturnType<typeof restoreSessionOrders> = [];

  constructor(options: VenueSessionOptions, hooks: SessionHooks) {
    this.#options = options;
    this.#session = seekingSession({
      ...options,
      ...hooks,
      searchAfter: () => this.#firstReading,
      onProcessed: (event, commands) => {
        hooks.onProcessed(event, commands);
        this.#retryAfter(event);
      },
    });
    this.#retries = new StopRetries({
      engine: options.engine,
      time: options.time,
      tell: (make) => {
        this.tell(make);
      },
    });
  }

  announce(): void {
    this.#session.announce();
  }

  warmUp(): Promise<void> {
    return this.#session.warmUp();
  }

  restore(): void {
    this.#lost = restoreSessionOrders(this.#session, this.#options.engine);
  }

  resolve(): Promise<void> {
    const session = this.#session;
    return resolveOrders(
      {
        ...{ commands: session.commands, orders: session.orders },
        triggers: session.triggers,
        isGone: (id) => session.isGone(id),
        guard: () => {
          session.guard();
          // A search for a contract's order takes most of a minute. Candles that waited for it would be too late to trade on.
          session.watchMarket();
        },
        readAccount: () => this.#readFirst(),
      },
      this.#options.engine,
      this.#lost,
    );
  }

  #readFirst(): Promise<void> {
    const session = this.#session;
    const reading = session.guardCertain().then(() => session.readAccount());
    this.#firstReading = reading.catch(() => undefined);
    return reading;
  }

  run(): void {
    this.#session.run();
    // Cancels that an earlier process could not deliver.
    this.#retries.look();
  }

  reconcile(): Promise<readonly string[]> {
    return this.#options.reconcile(this.#session);
  }

  compareAgain(): Promise<readonly string[]> {
    return this.#options.compareAgain(this.#session);
  }

  tell(make: (time: EpochMs) => EngineEvent): void {
    this.#session.tell(make);
  }

  get margins(): readonly MarginReading[] | undefined {
    return this.#session.margins?.readings;
  }

  get sampling(): readonly StopSampling[] {
    return this.#session.sampling;
  }

  closeEntries(): void {
    this.#session.commands.closeEntries();
  }

  get isSending(): boolean {
    return this.#session.commands.underWay > 0;
  }

  get isUnsettled(): boolean {
    return this.#session.commands.unsettled > 0;
  }

  get unansweredCancels(): ReadonlyMap<InstrumentId, number> {
    return this.#session.commands.unanswered;
  }

  stop(): Promise<void> {
    this.#retries.stop();
    return this.#session.stop();
  }

  /** These events can end an order or let a stop fire. */
  #retryAfter({ kind }: EngineEvent): void {
    if (kind === 'venue' || kind === 'ticker') this.#retries.look();
  }
}
