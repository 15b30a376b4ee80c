import { setMaxListeners } from 'node:events';
import {
  TransportError,
  type EpochMs,
  type InstrumentId,
  type TradingError,
} from '../domain/index.js';
import { isOrderUpdate, type OrderUpdate } from '../venue/index.js';
import type { Command, EngineEvent } from '../engine/index.js';
import { AccountReader } from './account-reader.js';
import { AccountWatch } from './account-watch.js';
import { BlindMargin, ForcedOnAccount } from './blind-margin.js';
import { CommandQueues } from './command-queues.js';
import { EngineSession } from './engine-session.js';
import { ForeignOrders } from './foreign-orders.js';
import { FundingCharges } from './funding-charges.js';
import { FundingRateWatch, readingOf } from './funding-rate-watch.js';
import { ForcedTrades } from './forced-trades.js';
import type { InstrumentWatch } from './instrument-watch.js';
import type { LiquidationWatch } from './liquidation-watch.js';
import { GoneInstruments } from './gone-instruments.js';
import { SentOrders, type SentOrderState } from './sent-orders.js';
import type { SessionTerms } from './session-terms.js';
import { watchInstruments } from './watch-instruments.js';
import { watchMargins } from './watch-margins.js';
import { changedContracts, readHeldMarks } from './sampling/held-contracts.js';
import { SessionSamples, type StopSampling } from './sampling/session-samples.js';
import { VenueTriggers } from './venue-triggers.js';

/** Dependencies of a session. */
export interface MarketSessionOptions extends SessionTerms {
  /** Searches for an order whose submit has no known outcome. Resolves when the outcome is known. */
  readonly resolveUnknown: (order: SentOrderState, session: MarketSession) => Promise<void>;
}

/** How long a stopping session waits for calls on their way: readings, then commands. Together less than half a minute. */
const SETTLE_MS = { readings: 3_000, commands: 21_000 } as const;

/**
 * One engine on a venue that is polled: events go in one by one, commands go out, and their outcomes come back as events.
 *
 * It is the same for a live bot and for a parity run, in which time moves in steps.
 */
export class MarketSession {
  readonly orders = new SentOrders();
  readonly commands: CommandQueues;
  readonly reader: AccountReader;
  readonly #options: MarketSessionOptions;
  readonly #core: EngineSession;
  readonly #watch: AccountWatch;
  readonly #rates: FundingRateWatch;
  readonly #charges: FundingCharges;
  readonly #samples: SessionSamples;
  readonly #instruments: InstrumentWatch | undefined;
  /** Undefined if no margin instrument is traded. */
  readonly #margin: BlindMargin | undefined;
  /** Undefined if no stop is placed at the venue. */
  readonly triggers: VenueTriggers | undefined;
  /** Distances to liquidation; undefined if they are not watched. */
  readonly margins: LiquidationWatch | undefined;
  readonly #gone: GoneInstruments;
  readonly #controller = new AbortController();
  readonly #reading = new AbortController();
  readonly #leaving = new AbortController();
  readonly #searches = new AbortController();
  #isStopped = false;

  constructor(options: MarketSessionOptions) {
    this.#options = options;
    this.#gone = options.gone ?? new GoneInstruments();
    const { engine, time, venue, activity } = options;
    const traded = options.instruments.filter(({ isReadOnly }) => isReadOnly !== true);
    const { orders } = this;
    const { signal } = this.#reading;
    const isGone = this.#gone.has;
    // One listener for each lost order.
    setMaxListeners(0, this.#searches.signal);
    const onFailure = (error: unknown): void => {
      this.#fail(error);
    };
    this.#core = new EngineSession({
      ...options,
      isGone,
      awaitsMarks: options.isSequential,
      heldMarks: (ids, readOptions) => {
        const { contractSamples: samples } = venue;
        const isWorth = samples?.sharesMarks === true && ids.some((id) => this.#holdsContract(id));
        return isWorth ? readHeldMarks(samples.account, readOptions) : undefined;
      },
      onProcessed: (event, commands) => {
        this.#processed(event, commands);
      },
      onFailure,
    });
    const foreign = new ForeignOrders({
      ...options,
      withdraw: (order) => void this.commands.withdraw(order),
    });
    this.#margin = traded.some(({ kind }) => kind === 'margin')
      ? this.#createMargin(signal, foreign)
      : undefined;
    const contracts =
      options.forcedTerms &&
      new ForcedTrades({
        source: venue.account,
        portfolio: engine.portfolio,
        termsAt: options.forcedTerms,
        now: () => time.now(),
        signal,
      });
    const forced = new ForcedOnAccount(contracts, this.#margin?.calls);
    const ends = { signal: this.#controller.signal, leaving: this.#leaving.signal };
    const learn = (update: OrderUpdate): void => {
      this.learn(update);
    };
    this.triggers =
      engine.venueStops &&
      new VenueTriggers({ ...options, ...ends, isGone, stops: engine.venueStops, onUpdate: learn });
    this.reader = new AccountReader({
      mayHaveFired: this.triggers && ((id) => this.triggers?.mayHaveFired(id) ?? []),
      source: venue.account,
      orders,
      instruments: traded,
      lastTrades: options.lastTrades,
      fills: options.fills,
      estimateFee: options.estimateFee,
      now: () => time.now(),
      signal,
      beforePolled: (told) => this.#margin?.beforeFill(told),
      onUpdate: (update) => {
        this.#core.push((at) => ({
          kind: 'venue',
          time: at,
          update: isOrderUpdate(update) ? update : forced.withInsurance(update),
        }));
      },
      since: options.since,
      forced,
      onExternal: foreign.onExternal,
      onExternalOrders: foreign.onExternalOrders,
      onUnended: foreign.onUnended,
      onLate: foreign.onLate,
    });
    const common = { time, activity, signal, onFailure };
    this.commands = new CommandQueues({
      ...common,
      ...ends,
      entryLifeMs: options.entryLifeMs,
      adapter: venue.execution,
      triggers: this.triggers,
      reader: this.reader,
      orders,
      isSequential: options.isSequential,
      lastPrice: (id) => engine.portfolio.instrument(id).lastNumber,
      onUpdate: learn,
      resolveUnknown: (order) => options.resolveUnknown(order, this),
      onJudged: (instrumentId, reason) => {
        if (reason === undefined) this.#instruments?.accepted(instrumentId);
        else this.#instruments?.refused(instrumentId, reason);
      },
    });
    const { rulesOf } = options;
    this.#instruments =
      rulesOf &&
      watchInstruments({
        ...common,
        ...{ rulesOf, engine, source: venue.market, instruments: options.instruments },
        ...{ orders, gone: this.#gone, differing: options.differing },
        followListings: () => {
          this.#core.followListings();
        },
        read: (instrumentId) => this.#watch.readOne(instrumentId),
        give: (command) => void this.commands.give(command),
        tell: (make) => {
          this.#core.push(make);
        },
        onCondition: options.onCondition,
        onNotice: options.onNotice,
      });
    this.margins = watchMargins({
      ...options,
      instrumentIds: traded.map(({ id }) => id),
      tell: (make) => {
        this.#core.push(make);
      },
    });
    this.#rates = new FundingRateWatch({
      ...common,
      feed: venue.feed,
      instruments: options.instruments,
      known: options.fundingRateKnown,
      onRate: (mark) => {
        this.#core.push(readingOf(mark));
      },
    });
    this.#charges = new FundingCharges({
      ...{ signal, isGone, feed: venue.feed, source: venue.account },
      account: venue.contractSamples?.account,
      paidRate: (id, shown) => this.#rates.paid(id, shown),
      contracts: traded.filter((each) => each.kind === 'futures'),
      openedTime: (id, direction) => engine.portfolio.contracts.side(id, direction).heldSince,
      since: engine.now(),
      history: options.history,
      onUpdate: (update) => {
        this.#core.push((at) => ({ kind: 'venue', time: at, update }));
      },
      onMissing: options.onNotice,
    });
    const contractIds = traded.flatMap(({ id, kind }) => (kind === 'futures' ? [id] : []));
    this.#watch = new AccountWatch({
      ...common,
      reader: this.reader,
      orders,
      charges: this.#charges,
      instruments: traded,
      isGone,
      holds: (id) => this.#holdsContract(id) || this.#margin?.owes(id) === true,
      guards: () => engine.watchesLast,
      account: venue.contractSamples?.account,
      onAccount: (snapshot) => this.margins?.take([snapshot]),
      changed: (snapshot) => changedContracts(snapshot, engine.portfolio, contractIds),
      pollQueue: venue.pollQueue,
      isSequential: options.isSequential,
      updatePollMs: options.updatePollMs,
      idleMs: options.idleMs,
      onPolled: () => this.#margin?.polled(),
      onState: (error) => {
        this.#state('account', error);
      },
    });
    this.#samples = new SessionSamples({
      ...common,
      feed: venue.feed,
      watches: () => engine.stopWatches().filter((each) => !isGone(each.instrumentId)),
      isCertain: (id) => this.#watch.isCertain(id),
      stopGrids: options.stopGrids,
      contractSamples: venue.contractSamples,
      contractStops: options.contractStops,
      onAccount: (snapshot) => {
        this.margins?.take([snapshot]);
        this.#watch.note(snapshot);
      },
      onLast: (instrumentId, last) => {
        this.#core.push((at) => ({ kind: 'ticker', time: at, instrumentId, last }));
      },
      onState: (name, error) => {
        this.#state(name, error);
      },
    });
  }

  #createMargin(signal: AbortSignal, { onExternal }: ForeignOrders): BlindMargin {
    const { engine, time, venue, onCondition } = this.#options;
    return new BlindMargin({
      engine,
      source: venue.account,
      signal,
      now: () => time.now(),
      events: this.#core,
      onExternal,
      onLow: (text) => {
        onCondition('margin level', text);
      },
    });
  }

  /** See {@link EngineSession.warmUp}. */
  warmUp(): Promise<void> {
    return this.#core.warmUp();
  }

  /** Reports the instruments that are known to be gone, or to differ. */
  announce(): void {
    this.#instruments?.announce();
  }

  /** Whether an instrument is gone from the venue. */
  isGone(instrumentId: InstrumentId): boolean {
    return this.#gone.has(instrumentId);
  }

  /** Starts polling. */
  run(): void {
    this.watchMarket();
    this.#watch.start();
    this.#rates.start();
    this.#instruments?.start();
    this.triggers?.run();
    this.guard();
  }

  /** Starts reading candles and prices, even if orders or executions are still unknown. */
  watchMarket(): void {
    if (!this.#isStopped) this.#core.run();
  }

  /** Starts sampling stops, even if orders or executions are still unknown. */
  guard(): void {
    if (!this.#isStopped) this.#samples.start();
  }

  /** Starts sampling the stops of positions that the venue shows as the bot believes, before {@link readAccount} has read everything. */
  async guardCertain(): Promise<void> {
    await this.#options.activity.during(() => this.#samples.startCertain());
  }

  /** How instruments with stops are sampled now. */
  get sampling(): readonly StopSampling[] {
    return this.#samples.sampling;
  }

  /** Aborted when the session stops, to end searches for lost orders: they may take long, and the next start continues them. */
  get searching(): AbortSignal {
    return this.#searches.signal;
  }

  /** Takes news about one of the bot's orders. */
  learn(update: OrderUpdate): void {
    this.#core.push((time) => ({ kind: 'venue', time, update }));
  }

  /** The market data has ended: working orders are still polled, nothing else is read. */
  expectEnd(): void {
    this.#core.expectEnd();
    this.#rates.stop();
    this.#samples.stop();
  }

  /** Takes a command of the operator. */
  tell(make: (time: EpochMs) => EngineEvent): void {
    this.#core.push(make);
  }

  /** Reads orders and executions of every instrument now. */
  async readAccount(): Promise<void> {
    await this.#options.activity.during(() => this.#watch.readAll());
  }

  /**
   * Ends polling, sends no waiting calls, waits for calls on their way, and then takes no more events. A command that was sent and has no answer when
   * this wait is over has an unknown outcome.
   */
  async stop(): Promise<void> {
    const { activity, time } = this.#options;
    this.#stopPolling();
    const ended = new TransportError('E_CLOSED', 'the session has ended; nothing was sent');
    this.#leaving.abort(ended);
    this.#searches.abort(ended);
    await activity.idleWithin(SETTLE_MS.readings, time);
    this.#reading.abort(ended);
    await activity.idleWithin(SETTLE_MS.commands, time);
    this.#controller.abort(ended);
    await activity.idle();
    this.#core.stop();
  }

  #stopPolling(): void {
    this.#isStopped = true;
    this.#core.stopPolling();
    this.#watch.stop();
    this.#rates.stop();
    this.#instruments?.stop();
    this.triggers?.stop();
    this.#samples.stop();
  }

  #fail(error: unknown): void {
    if (this.#isStopped) return;
    this.#stopPolling();
    this.#core.stop();
    this.#options.onFailure(error);
  }

  // Engine.

  #processed(event: EngineEvent, commands: readonly Command[]): void {
    this.#options.onProcessed(event, commands);
    this.#margin?.processed(event);
    if (event.kind === 'venue' && 'fill' in event.update) this.#charges.booked(event.update.fill);
    for (const command of commands) {
      this.#options.travel(command, event.time, () => {
        void this.commands.give(command, event.time);
      });
    }
  }

  #holdsContract(instrumentId: InstrumentId): boolean {
    const { instrument, long, short } = this.#options.engine.portfolio.instrument(instrumentId);
    return (
      instrument.kind === 'futures' && (long.holding.quantity > 0n || short.holding.quantity > 0n)
    );
  }

  #state(name: string, error: TradingError | undefined): void {
    this.#instruments?.failed(error);
    this.#options.onCondition(name, error && `${name}: ${error.message}`);
  }
}
