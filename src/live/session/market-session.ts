import { setMaxListeners } from 'node:events';
import {
  TransportError,
  type EpochMs,
  type Instrument,
  type InstrumentId,
  type TradingError,
} from '../../domain/index.js';
import { isOrderUpdate, type OrderUpdate, type VenueUpdate } from '../../venue/index.js';
import type { Command, EngineEvent } from '../../engine/index.js';
import { AccountReader } from '../account/account-reader.js';
import { AccountWatch } from '../account/account-watch.js';
import { BlindMargin } from '../margin/blind-margin.js';
import { CommandQueues, type CommandQueuesOptions } from './command-queues.js';
import { EngineSession } from './engine-session.js';
import { ExternalWatch } from '../account/external-watch.js';
import { ForcedOnAccount } from '../margin/forced-on-account.js';
import { readingOf } from '../market/funding-rate-watch.js';
import { FundingWatch } from '../account/funding-watch.js';
import type { InstrumentWatch } from '../market/instrument-watch.js';
import { GoneInstruments } from '../market/gone-instruments.js';
import type { LiquidationDistanceWatch } from '../margin/liquidation-watch.js';
import { SentOrders, type SentOrderState } from './sent-orders.js';
import type { SessionTerms } from './session-terms.js';
import { watchInstruments } from '../market/watch-instruments.js';
import { watchMargins } from '../margin/watch-margins.js';
import { changedContracts, holdsContract, readHeldMarks } from '../stops/held-contracts.js';
import { SessionSamples, type StopSampling } from '../stops/session-samples.js';
import { VenueTriggers } from '../stops/venue-triggers.js';

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
  /** The instruments that are not only read. */
  readonly #traded: readonly Instrument[];
  readonly #shared: Pick<CommandQueuesOptions, 'time' | 'activity' | 'signal' | 'onFailure'>;
  readonly #core: EngineSession;
  readonly #watch: AccountWatch;
  readonly #funding: FundingWatch;
  readonly #samples: SessionSamples;
  readonly #instruments: InstrumentWatch | undefined;
  /** Undefined if no margin instrument is traded. */
  readonly #margin: BlindMargin | undefined;
  /** Undefined if no stop is placed at the venue. */
  readonly triggers: VenueTriggers | undefined;
  /** Distances to liquidation; undefined if they are not watched. */
  readonly margins: LiquidationDistanceWatch | undefined;
  readonly #gone: GoneInstruments;
  readonly #controller = new AbortController();
  readonly #reading = new AbortController();
  readonly #leaving = new AbortController();
  readonly #searches = new AbortController();
  #isStopped = false;
  /** Gives the engine an event. */
  readonly #push = (make: (time: EpochMs) => EngineEvent): void => {
    this.#core.push(make);
  };
  /** Gives the engine an update of the venue. */
  readonly #report = (update: VenueUpdate): void => {
    this.#push((time) => ({ kind: 'venue', time, update }));
  };

  constructor(options: MarketSessionOptions) {
    this.#options = options;
    const { time, activity, instruments, gone = new GoneInstruments() } = options;
    this.#gone = gone;
    this.#traded = instruments.filter(({ isReadOnly }) => isReadOnly !== true);
    this.#shared = {
      ...{ time, activity, signal: this.#reading.signal },
      onFailure: (error) => {
        this.#fail(error);
      },
    };
    // One listener for each lost order, and for each instrument with lost cancels.
    setMaxListeners(0, this.#searches.signal, this.#leaving.signal);
    this.#core = this.#createCore();
    const external = new ExternalWatch({
      ...options,
      withdraw: (order) => void this.commands.withdraw(order),
    });
    this.#margin = this.#createMargin(external);
    this.triggers = this.#createTriggers();
    this.reader = this.#createReader(external);
    this.commands = this.#createCommands();
    this.#instruments = this.#watchInstruments();
    this.margins = watchMargins({
      ...options,
      instrumentIds: this.#traded.map(({ id }) => id),
      tell: this.#push,
    });
    this.#funding = new FundingWatch({
      ...options,
      ...this.#shared,
      traded: this.#traded,
      isGone: gone.has,
      onRate: (mark) => {
        this.#push(readingOf(mark));
      },
      onUpdate: this.#report,
    });
    this.#watch = this.#watchAccount();
    this.#samples = this.#sampleStops();
  }

  #createCore(): EngineSession {
    const { engine, venue, isSequential } = this.#options;
    return new EngineSession({
      ...this.#options,
      isGone: this.#gone.has,
      awaitsMarks: isSequential,
      heldMarks: (ids, readOptions) => {
        const { contractSamples: samples } = venue;
        const isWorth =
          samples?.sharesMarks === true && ids.some((id) => holdsContract(engine.portfolio, id));
        return isWorth ? readHeldMarks(samples.account, readOptions) : undefined;
      },
      onProcessed: (event, commands) => {
        this.#processed(event, commands);
      },
      onFailure: this.#shared.onFailure,
    });
  }

  #createMargin({ onExternal }: ExternalWatch): BlindMargin | undefined {
    if (!this.#traded.some(({ kind }) => kind === 'margin')) return undefined;
    const { engine, time, venue, onCondition } = this.#options;
    return new BlindMargin({
      engine,
      source: venue.account,
      signal: this.#reading.signal,
      now: () => time.now(),
      events: this.#core,
      onExternal,
      onLow: (text) => {
        onCondition('margin level', text);
      },
    });
  }

  #createTriggers(): VenueTriggers | undefined {
    const { venueStops: stops } = this.#options.engine;
    if (stops === undefined) return undefined;
    return new VenueTriggers({
      ...this.#options,
      ...this.#shared,
      ...this.#ends,
      ...{ isGone: this.#gone.has, stops },
      onUpdate: this.#report,
    });
  }

  #createReader({ onExternal, onExternalOrders, onUnended, onLate }: ExternalWatch): AccountReader {
    const { venue, time, lastTrades, fills, estimateFee, since } = this.#options;
    const { signal } = this.#reading;
    const forced = new ForcedOnAccount(this.#options, signal, this.#margin?.calls);
    return new AccountReader({
      ...{ lastTrades, fills, estimateFee, since, signal, forced },
      mayHaveFired: this.triggers && ((id) => this.triggers?.mayHaveFired(id) ?? []),
      source: venue.account,
      orders: this.orders,
      instruments: this.#traded,
      now: () => time.now(),
      beforePolled: (told) => this.#margin?.beforeFill(told),
      onUpdate: (update) => {
        this.#push((at) => ({
          kind: 'venue',
          time: at,
          update: isOrderUpdate(update) ? update : forced.withInsurance(update),
        }));
      },
      ...{ onExternal, onExternalOrders, onUnended, onLate },
    });
  }

  #createCommands(): CommandQueues {
    const { engine, venue, entryLifeMs, isSequential, resolveUnknown } = this.#options;
    const { triggers, reader, orders } = this;
    return new CommandQueues({
      ...this.#shared,
      ...this.#ends,
      ...{ entryLifeMs, isSequential, triggers, reader, orders },
      adapter: venue.execution,
      lastPrice: (id) => engine.portfolio.instrument(id).lastNumber,
      onUpdate: this.#report,
      resolveUnknown: (order) => resolveUnknown(order, this),
      onJudged: (instrumentId, reason) => {
        if (reason === undefined) this.#instruments?.accepted(instrumentId);
        else this.#instruments?.refused(instrumentId, reason);
      },
    });
  }

  #watchInstruments(): InstrumentWatch | undefined {
    const { rulesOf, engine, venue, instruments, differing } = this.#options;
    if (rulesOf === undefined) return undefined;
    return watchInstruments({
      ...this.#shared,
      ...{ rulesOf, engine, source: venue.market, instruments, differing },
      ...{ orders: this.orders, gone: this.#gone },
      followListings: () => {
        this.#core.followListings();
      },
      read: (instrumentId) => this.#watch.readOne(instrumentId),
      give: (command) => void this.commands.give(command),
      tell: this.#push,
      onCondition: this.#options.onCondition,
      onNotice: this.#options.onNotice,
    });
  }

  #watchAccount(): AccountWatch {
    const { engine, venue, isSequential, updatePollMs, idleMs } = this.#options;
    const { portfolio } = engine;
    const contractIds = this.#traded.flatMap(({ id, kind }) => (kind === 'futures' ? [id] : []));
    return new AccountWatch({
      ...this.#shared,
      ...{ isSequential, updatePollMs, idleMs },
      reader: this.reader,
      orders: this.orders,
      charges: this.#funding.charges,
      instruments: this.#traded,
      isGone: this.#gone.has,
      holds: (id) => holdsContract(portfolio, id) || this.#margin?.owes(id) === true,
      guards: () => engine.watchesLast,
      account: venue.contractSamples?.account,
      onAccount: (snapshot) => this.margins?.take([snapshot]),
      changed: (snapshot) => changedContracts(snapshot, portfolio, contractIds),
      pollQueue: venue.pollQueue,
      onPolled: () => this.#margin?.polled(),
      onState: (error) => {
        this.#state('account', error);
      },
    });
  }

  #sampleStops(): SessionSamples {
    const { engine, venue, stopGrids, contractStops } = this.#options;
    return new SessionSamples({
      ...this.#shared,
      ...{ stopGrids, contractStops, feed: venue.feed, contractSamples: venue.contractSamples },
      watches: () => engine.stopWatches().filter((each) => !this.isGone(each.instrumentId)),
      isCertain: (id) => this.#watch.isCertain(id),
      onAccount: (snapshot) => {
        this.margins?.take([snapshot]);
        this.#watch.note(snapshot);
      },
      onLast: (instrumentId, last) => {
        this.#push((at) => ({ kind: 'ticker', time: at, instrumentId, last }));
      },
      onState: (name, error) => {
        this.#state(name, error);
      },
    });
  }

  /** Signals for calls: one ends those on their way, one those that still wait for their turn. */
  get #ends(): Pick<CommandQueuesOptions, 'signal' | 'leaving'> {
    return { signal: this.#controller.signal, leaving: this.#leaving.signal };
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
    this.#funding.start();
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
    this.#report(update);
  }

  /** The market data has ended: working orders are still polled, nothing else is read. */
  expectEnd(): void {
    this.#core.expectEnd();
    this.#funding.stop();
    this.#samples.stop();
  }

  /** Takes a command of the operator. */
  tell(make: (time: EpochMs) => EngineEvent): void {
    this.#push(make);
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
    this.#funding.stop();
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

  #processed(event: EngineEvent, commands: readonly Command[]): void {
    this.#options.onProcessed(event, commands);
    this.#margin?.processed(event);
    if (event.kind === 'venue' && 'fill' in event.update) this.#funding.booked(event.update.fill);
    for (const command of commands) {
      this.#options.travel(command, event.time, () => {
        void this.commands.give(command, event.time);
      });
    }
  }

  #state(name: string, error: TradingError | undefined): void {
    this.#instruments?.failed(error);
    this.#options.onCondition(name, error && `${name}: ${error.message}`);
  }
}
