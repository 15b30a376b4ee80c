import {
  formatUtc,
  InvariantError,
  type Candle,
  type EpochMs,
  type Fixed,
  type Halt,
  type InstrumentId,
  type ReadingStream,
  type RecordedRefusal,
  type RecordedWork,
  type RunCosts,
  type VenueOrderId,
} from '../domain/index.js';
import type { Degradation } from '../risk/index.js';
import { precomputeSeries, hasStrays, type IndicatorSeries } from '../strategy/index.js';
import { CandleRun } from './candle-run.js';
import type { EngineOptions } from './engine-options.js';
import {
  createEngineParts,
  routeOfCandle,
  takeCheckpoint,
  type EngineParts,
} from './engine-parts.js';
import { EventStep } from './event-step.js';
import { describeEvent, type Command, type EngineEvent } from './events.js';
import type { FillLog } from './history/fill-log.js';
import { NO_JOURNAL } from './journal.js';
import { firstSliceOf, SingleSlice, type CandleBatch } from './market/candle-batch.js';
import type { StreamId, StreamRoute, StreamWarmup } from './market/candle-stream.js';
import { listGuards, type ActiveGuard } from './orders/guards/active-guards.js';
import type { Dust } from './orders/dust.js';
import type { GuardedSides } from './orders/guards/guarded-sides.js';
import type { StopWatch } from './orders/guards/stop-watch.js';
import type { VenueStops } from './orders/venue-stops/venue-stops.js';
import type { WaitingIntent } from './orders/waiting-intents.js';
import type { WorkingOrder } from './orders/working/working-order.js';
import type { Portfolio } from './portfolio/portfolio.js';
import type { RecordedFinancing, RecordedOrder, RecordList } from './records.js';
import type { EngineCheckpoint } from './state/engine-checkpoint.js';
import type { RunState } from './state/run-state.js';
import type { StateCheckpoint } from './state/state-checkpoint.js';
import type { AmbientUse } from './strategy/ambient-uses.js';
import type { StrategyFailures } from './strategy/strategy-failures.js';
import { StrategyHost } from './strategy/strategy-host.js';
import type { EngineClock } from './time/engine-clock.js';
import { isOnTimeOf, runOnVirtualTime } from './time/rxjs-time-router.js';

/**
 * The deterministic core: one event in, commands out, without I/O or a clock. A live bot, a backtest and a replay differ only in the source of events
 * and the target of commands.
 */
export class Engine {
  readonly portfolio: Portfolio;
  /** Failures of the strategy. */
  readonly failures: Pick<StrategyFailures, 'inForce' | 'untold'>;
  /** Triggers at the venue; undefined if stops stay in the process. */
  readonly venueStops: Pick<VenueStops, 'terms' | 'book'> | undefined;
  /** For drivers that tell the best of several samples which only move a trailing stop, in place of an event for each. Not if {@link isRecorded}. */
  readonly trailingStops: Pick<GuardedSides, 'improve' | 'askBest'>;
  /** Whether a journal records the events. */
  readonly isRecorded: boolean;
  readonly #options: EngineOptions;
  readonly #parts: EngineParts;
  readonly #run: RunState;
  readonly #clock: EngineClock;
  readonly #eventStep: EventStep;
  readonly #candleRun: CandleRun;
  readonly #host: StrategyHost;
  #stateChange: string | undefined;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.isRecorded = options.journal !== NO_JOURNAL;
    this.#parts = createEngineParts(options);
    this.#run = this.#parts.run;
    this.#clock = this.#parts.clock;
    this.#eventStep = new EventStep(this.#parts);
    this.#candleRun = new CandleRun(this.#parts, this.#eventStep);
    this.#host = new StrategyHost(this.#parts, this.#eventStep, this.#candleRun);
    this.portfolio = this.#parts.portfolio;
    this.failures = this.#parts.failures;
    this.venueStops = this.#parts.orderManager.venueStops;
    this.trailingStops = this.#parts.orderManager.guards;
  }

  /**
   * Constructs the strategy on the engine's clock. Returns how many candles each stream delivers before intents count.
   *
   * @throws {StrategyError} `E_STRATEGY_START` when the plugin throws.
   */
  construct(): readonly StreamWarmup[] {
    return this.#host.construct();
  }

  /**
   * Subscribes to the strategy's intents at `time`, which must not be after the first event. Timers that the strategy's constructor
   * has set count from here.
   *
   * @throws {StrategyError} `E_STRATEGY_START` when the plugin throws.
   */
  start(time: EpochMs): void {
    this.#host.start(time);
  }

  /**
   * Processes one event to its end and returns the commands it leads to, in order. Timers due before the event fire first, each at
   * its own time. Timers due at its time fire after candles, or with a timer event. Tickers and updates of an instant come before its
   * candles, so they do not fire its timers (DESIGN R1).
   *
   * @throws {StrategyError} when the strategy throws or breaks a rule; the engine is dead afterwards.
   * @throws {JournalError} when the event and its commands cannot be recorded; the engine is dead afterwards.
   * @throws {InvariantError} `E_ENGINE_REENTERED` when called while an event is being processed; `E_TIME_BACKWARDS` when the event is
   * earlier than one before.
   */
  process(event: EngineEvent): readonly Command[] {
    if (event.kind === 'candles') return this.run(new SingleSlice(event, this.#routeOfCandle));
    const run = this.#run;
    const { failures, feedback, intents } = this.#parts;
    if (run.event !== undefined) this.#assertBetweenEvents(describeEvent(event));
    if (failures.hasAny) failures.throwIfAny();
    if (event.time < this.#clock.now) this.#failBackwards(event);
    feedback.begin();
    intents.begin();
    run.event = event;
    try {
      if (event.kind === 'marks' && this.#eventStep.isOnlyLearned(event))
        this.#eventStep.learn(event);
      else if (isOnTimeOf(this.#clock)) this.#eventStep.step(event);
      else runOnVirtualTime(this.#clock, this.#stepEvent);
      if (run.kept !== undefined) this.#eventStep.end(run.kept);
    } catch (error) {
      failures.escaped(error);
    } finally {
      run.event = undefined;
    }
    if (failures.hasAny) failures.throwIfAny();
    if (this.isRecorded) this.#record(event);
    return feedback.commands;
  }

  /** Runs `work` on the engine's time, which is entered once and not with each event. Only the strategy may use RxJS's time within `work`. */
  onOwnTime<T>(work: () => T): T {
    return runOnVirtualTime(this.#clock, work);
  }

  /**
   * Processes candles slice by slice, each to its end. Stops after a slice that leads to commands, which are returned, or to anything else that may
   * come before the next slice. `batch.passed` says how many were processed, at least one.
   *
   * @throws as {@link process}.
   */
  run(batch: CandleBatch): readonly Command[] {
    this.#assertBetweenEvents('candles');
    if (isOnTimeOf(this.#clock)) this.#candleRun.run(batch);
    else
      runOnVirtualTime(this.#clock, () => {
        this.#candleRun.run(batch);
      });
    if (this.isRecorded) this.#record(firstSliceOf(batch));
    return this.#parts.feedback.commands;
  }

  /** Whether marks have to come as events, for a subscriber or for a journal. */
  get hearsMarks(): boolean {
    return this.isRecorded || this.#parts.hub.observesMarks;
  }

  /** The route by which candles of a stream are delivered. */
  routeOf(stream: StreamId): StreamRoute {
    return {
      stream: this.#parts.hub.stream(stream),
      account: this.portfolio.instrument(stream.instrumentId),
    };
  }

  /** Announces all candles that will probably be delivered along a route, before the first of them. Only the speed depends on it. */
  precomputeSeries({ stream }: StreamRoute, series: IndicatorSeries): void {
    precomputeSeries(stream.indicators, series);
    stream.findFollowers();
  }

  /** Whether averages of a stream have met numbers that lie on no tick grid. */
  hasStrays(stream: StreamId): boolean {
    return hasStrays(this.#parts.hub.stream(stream).indicators);
  }

  readonly #routeOfCandle = (candle: Candle): StreamRoute => routeOfCandle(this.#parts, candle);

  #failBackwards(event: EngineEvent): never {
    throw new InvariantError(
      'E_TIME_BACKWARDS',
      `expected no event before ${formatUtc(this.#clock.now)}, received ${describeEvent(event)}`,
    );
  }

  #assertBetweenEvents(received: string): void {
    if (this.#run.event === undefined) return;
    throw new InvariantError(
      'E_ENGINE_REENTERED',
      `expected no event while ${describeEvent(this.#run.event)} is processed, received ${received}`,
    );
  }

  /** Records an event with its commands. If the journal fails, the engine is dead, and its commands are not handed out. */
  #record(event: EngineEvent): void {
    try {
      const { feedback, intents } = this.#parts;
      this.#stateChange = this.#run.kept?.takeChange();
      this.#options.journal.append(event, feedback.commands, intents.recorded, this.#stateChange);
    } catch (error) {
      this.#parts.failures.keep(error);
    }
    this.#parts.failures.throwIfAny();
  }

  /** Created once: a closure for each event would be a tenth of the event's allocation. */
  readonly #stepEvent = (): void => this.#run.event && this.#eventStep.step(this.#run.event);

  /** The engine's time. */
  now(): EpochMs {
    return this.#clock.now;
  }

  /** When the next timer of the strategy or the engine is due; now if it is overdue, Infinity if there is none. */
  nextTimer(): EpochMs {
    return Math.max(this.#clock.timers.nextDue(), this.#clock.now);
  }

  get strategyName(): string {
    return this.#options.strategyClass.name;
  }

  /** Streams besides candles and marks that the strategy is subscribed to, and that have to be polled. */
  wantedReadings(): readonly ReadingStream[] {
    return this.#parts.hub.wantedReadings();
  }

  /** Whether samples of last may matter, to a stop or to a chasing order. */
  get watchesLast(): boolean {
    return this.#parts.orderManager.watchesLast;
  }

  stopWatches(): readonly StopWatch[] {
    return this.watchesLast ? this.#parts.orderManager.watches() : [];
  }

  /** The stops among the {@link stopWatches}. The others are working orders that follow the last price. */
  stops(): readonly StopWatch[] {
    return this.#parts.orderManager.guards.watches();
  }

  /** Ends the run: unsubscribes from the strategy, completes its streams, drops its timers. @throws {StrategyError} when the strategy failed. */
  stop(): void {
    this.#host.stop();
  }

  /** Throws a failure of the strategy outside of events, for example an intent from a promise. */
  assertHealthy(): void {
    this.#parts.failures.throwIfAny();
  }

  /**
   * Everything that another engine needs to continue from here.
   *
   * @throws {InvariantError} `E_ENGINE_REENTERED` while an event is being processed. {StrategyError} when the strategy has failed.
   */
  checkpoint(): EngineCheckpoint {
    this.#assertBetweenEvents('a request for a checkpoint');
    this.#parts.failures.throwIfAny();
    return takeCheckpoint(this.#parts, this.#run.kept?.checkpoint());
  }

  /** The kept state of the strategy as JSON, if the last recorded event has changed it; otherwise undefined. */
  get stateChange(): string | undefined {
    return this.#stateChange;
  }

  /** The kept state of the strategy; undefined if it declares none. */
  get keptState(): StateCheckpoint | undefined {
    return this.#run.kept?.checkpoint();
  }

  /** Equity when the bot could first trade, in this epoch or in an earlier one; undefined before that. */
  get initialEquity(): Fixed | undefined {
    return this.#run.initialEquity;
  }

  /** Whether the operator allows no entries until resumed. */
  get isReduceOnly(): boolean {
    return this.#parts.protections.state.isReduceOnly;
  }

  /** Places where the strategy has used the clock, random values or promises while the engine ran it. */
  get ambientUses(): readonly AmbientUse[] {
    return this.#clock.ambient.list;
  }

  /** All recorded orders, in the order in which they were sent. */
  get orders(): RecordList<RecordedOrder> {
    return this.#parts.orderManager.ownOrders.orders;
  }

  /** Whether a recorded order has this id at the venue. */
  hasOrder(venueOrderId: VenueOrderId): boolean {
    return this.#parts.orderManager.ownOrders.orders.has(venueOrderId);
  }

  /** Holdings that are too small to be sold. */
  get dust(): Pick<Dust, 'held' | 'isUnguardable'> {
    return this.#parts.orderManager.dust;
  }

  /** Intents that wait to be sent, oldest first. */
  get waitingIntents(): readonly WaitingIntent[] {
    return this.#parts.orderManager.waitingIntents;
  }

  /** Guards of positions and of single entries. */
  get guards(): readonly ActiveGuard[] {
    return listGuards(this.#parts.orderManager.ownOrders.account.positionSides());
  }

  /** Orders that may still fill, oldest first. */
  get workingOrders(): readonly WorkingOrder[] {
    return this.#parts.orderManager.ownOrders.list();
  }

  /** Whether the result of a command is unknown: the command may be on its way, or its answer was lost. */
  get isUncertain(): boolean {
    const { ownOrders, venueStops } = this.#parts.orderManager;
    return ownOrders.isUncertain || venueStops?.book.isUncertain === true;
  }

  /** In the order in which the engine learned of them. */
  get fills(): FillLog {
    return this.#parts.feedback.fills;
  }

  get refusals(): readonly RecordedRefusal[] {
    return this.#parts.feedback.refusals.entries;
  }

  /** Results of worked intents, by intent id. An intent that is still worked has no end. */
  get worked(): readonly RecordedWork[] {
    return this.#parts.orderManager.ownOrders.worked;
  }

  /** Halts that have begun and are not over, as of the last event. */
  get haltsInForce(): readonly Halt[] {
    return this.#parts.protections.state.halts;
  }

  /** Instruments that are closed for entries, and why. */
  get closings(): ReadonlyMap<InstrumentId, Degradation> {
    return this.#parts.protections.state.closed;
  }

  /** In the order in which they began. */
  get halts(): readonly Halt[] {
    return this.#parts.feedback.halts;
  }

  /** Funding and interest, in the order in which the engine learned of them. */
  get financings(): readonly RecordedFinancing[] {
    return this.#parts.feedback.financings;
  }

  /** Amounts that were paid or received besides trades. */
  get costs(): RunCosts {
    return this.#parts.feedback.costs;
  }

  /** Intents that were judged, and those dropped because the strategy was not warm. */
  get intentCounts(): { readonly judged: number; readonly dropped: number } {
    return this.#parts.intents.counts;
  }

  /** Number of intents that were judged one by one: any of them may have changed something. */
  get judgedIntents(): number {
    return this.#parts.intents.kept;
  }

  get isWarm(): boolean {
    return this.#run.isWarm;
  }
}
