import type { Subscription } from 'rxjs';
import {
  formatUtc,
  InvariantError,
  present,
  type Candle,
  type EpochMs,
  type Halt,
  type OrderIntent,
  type StrategyError,
} from '../domain/index.js';
import { isOrderUpdate } from '../venue/index.js';
import { OrderDesk } from './desk/order-desk.js';
import { heldQuantity } from './desk/slot.js';
import type { StopWatch } from './desk/stop-watch.js';
import type { WorkingOrder } from './desk/working-order.js';
import { DeskReporter } from './desk-reporter.js';
import { EngineClock } from './engine-clock.js';
import type { EngineCheckpoint } from './engine-checkpoint.js';
import type { EngineOptions } from './engine-options.js';
import { describeEvent, type Command, type EngineEvent, type EventSupply } from './events.js';
import { HaltActions } from './halt-actions.js';
import { IntentQueue } from './intent-queue.js';
import { MarketHub, type StreamWarmup } from './market-hub.js';
import { Portfolio } from './portfolio/portfolio.js';
import { Protections } from './protections.js';
import type { CarryCosts, RecordedCarry, RecordedFill, RecordedRefusal } from './records.js';
import { runOnVirtualTime } from './rxjs-time-router.js';
import { createStrategyContext } from './strategy-context.js';
import { PHASES, StrategyFailures, type Phase } from './strategy-failures.js';
import { StrategyFeedback } from './strategy-feedback.js';

/** Most intents, timer firings and immediates one event may cause; beyond it a strategy is in a loop. */
export const EVENT_LIMITS = { intents: 1_000, timers: 100_000, immediates: 10_000 } as const;

const NO_COMMANDS: readonly Command[] = [];

/** Why orders end that the data's end has left under way. */
const NEVER_ARRIVED = { code: '0', text: 'the candles ended before the order arrived' };

/**
 * The deterministic core: takes one event at a time and returns the commands it leads to. It does no I/O and reads no clock; a live
 * bot, a backtest and a replay differ only in where events come from and where commands go.
 */
export class Engine {
  readonly portfolio: Portfolio;
  readonly #options: EngineOptions;
  readonly #hub: MarketHub;
  readonly #desk: OrderDesk;
  readonly #protections: Protections;
  readonly #clock: EngineClock;
  readonly #feedback = new StrategyFeedback();
  readonly #failures: StrategyFailures;
  #subscription: Subscription | undefined;
  #event: EngineEvent | undefined;
  readonly #reporter: DeskReporter;
  readonly #halts: HaltActions;
  readonly #intents: IntentQueue;
  /** Timers fired in this event. */
  #fired = 0;
  #isWarm = false;
  /** Whether the strategy is still to be told what it begins with. */
  #isIntroductionDue: boolean;
  /** Whether the data is over: nothing is wanted any more. */
  #isOver = false;

  constructor(options: EngineOptions) {
    const { checkpoint } = options;
    this.#options = options;
    this.#intents = new IntentQueue(checkpoint?.lastIntentId ?? 0);
    this.#isIntroductionDue = checkpoint !== undefined;
    this.#clock = new EngineClock(options.startTime);
    this.#failures = new StrategyFailures(options.strategyClass.name, () =>
      this.#event === undefined ? undefined : describeEvent(this.#event),
    );
    this.#hub = new MarketHub(
      options.instruments.map(({ instrument, intervals }) => ({
        instrumentId: instrument.id,
        intervals,
      })),
    );
    this.portfolio = new Portfolio({
      instruments: options.instruments.map(({ instrument }) => ({
        instrument,
        pricePrecision: options.rules.at(instrument.id, options.startTime)?.pricePrecision ?? 8,
      })),
      balances: options.balances,
      equityCurrency: options.equityCurrency,
      checkpoint,
    });
    this.#protections = this.#createProtections();
    this.#reporter = new DeskReporter({
      options,
      clock: this.#clock,
      portfolio: this.portfolio,
      protections: this.#protections,
      feedback: this.#feedback,
    });
    this.#desk = this.#createDesk();
    this.#halts = new HaltActions({
      desk: this.#desk,
      protections: this.#protections,
      portfolio: this.portfolio,
      nextIntentId: () => this.#intents.nextId(),
    });
    if (checkpoint !== undefined) this.#restore(checkpoint);
  }

  #restore(checkpoint: EngineCheckpoint): void {
    this.#desk.restore(checkpoint);
    this.#protections.restore(checkpoint.protections);
    this.#halts.restore(checkpoint.hasOrderedSinceFlatten);
  }

  #createProtections(): Protections {
    const { protections, rules, fundingTimes } = this.#options;
    return new Protections({
      config: protections ?? {},
      portfolio: this.portfolio,
      held: (id, direction) =>
        heldQuantity(this.#desk.book.slot(id, direction), rules.at(id, this.#clock.now())),
      workingOrders: () => this.#desk.book.list(),
      fundingTimes,
      now: () => this.#clock.now(),
      onHalt: (halt) => {
        this.#halts.add(halt);
        this.#feedback.halted(halt);
      },
    });
  }

  #createDesk(): OrderDesk {
    const { botId, rules, policy, positionMode, remainder } = this.#options;
    return new OrderDesk({
      botId,
      portfolio: this.portfolio,
      hub: this.#hub,
      rules,
      policy: { ...policy, guards: this.#protections.guards },
      positionMode: positionMode ?? 'hedge',
      timers: this.#clock.timers,
      remainder: remainder ?? 'cancel',
      listener: this.#reporter,
      now: () => this.#clock.now(),
      isWarm: () => this.#isWarm,
      nextIntentId: () => this.#intents.nextId(),
    });
  }

  /**
   * Constructs the strategy on the engine's clock. Returns how many candles each stream delivers before intents count.
   *
   * @throws {StrategyError} `E_STRATEGY_START` when the plugin throws.
   */
  construct(): readonly StreamWarmup[] {
    return this.#inside(PHASES.construction, () => {
      const strategy = new this.#options.strategyClass(
        createStrategyContext({
          options: this.#options,
          clock: this.#clock,
          hub: this.#hub,
          book: this.#desk.book,
          portfolio: this.portfolio,
          feedback: this.#feedback,
          raise: (intent) => this.#raise(intent),
        }),
      );
      this.#feedback.strategy = strategy;
      const warmup = this.#hub.beginWarmup(strategy.warmup);
      this.#isWarm = this.#hub.isWarm;
      return warmup;
    });
  }

  /**
   * Subscribes to the strategy's intents at `time`, which must not be after the first event. Timers that the strategy's constructor
   * has set count from here.
   *
   * @throws {StrategyError} `E_STRATEGY_START` when the plugin throws.
   */
  start(time: EpochMs): void {
    this.#clock.restart(time);
    this.#inside(PHASES.start, () => {
      const strategy = present(this.#feedback.strategy, 'constructed strategy');
      this.#subscription = strategy.intents(this.#hub).subscribe({
        next: (intent) => {
          // A throw here would end the process instead of the run: nobody stands above a subscriber.
          if (this.#event === undefined) this.#failOutside(intent);
          else this.#raise(intent);
        },
        error: (error: unknown) => {
          this.#failures.record(error);
        },
      });
    });
  }

  /**
   * Processes one event to its end and returns the commands it leads to, in order. Timers due before the event fire first, each at
   * its own time; timers due at it fire after candles, or with a timer event: tickers and updates of an instant precede its candles,
   * so they leave its timers to what comes after them (DESIGN R1).
   *
   * @throws {StrategyError} when the strategy throws or breaks a rule; the engine is dead afterwards.
   * @throws {JournalError} when the event and its commands cannot be recorded; the engine is dead afterwards.
   * @throws {InvariantError} `E_ENGINE_REENTERED` when called while an event is being processed; `E_TIME_BACKWARDS` when the event is
   * earlier than one before.
   */
  process(event: EngineEvent): readonly Command[] {
    this.#begin(event);
    try {
      if (this.#isOnlyLearned(event)) this.#learn(event);
      else runOnVirtualTime(this.#clock, this.#stepEvent);
    } catch (error) {
      this.#failures.record(error);
    } finally {
      this.#event = undefined;
    }
    return this.#conclude(event);
  }

  /**
   * Processes the events of a supply, each as {@link process} would, until one leads to commands, which are returned, or there are no more.
   * The supply is asked for an event when the one before has been processed to its end; nothing else may happen in between.
   *
   * @throws as {@link process}.
   */
  processAll(supply: EventSupply): readonly Command[] {
    this.#assertBetweenEvents('a supply of events');
    return runOnVirtualTime(this.#clock, () => {
      for (;;) {
        const event = supply.next();
        if (event === undefined) return NO_COMMANDS;
        const commands = this.#processInside(event);
        if (commands.length > 0) return commands;
      }
    });
  }

  /** Processes an event on virtual time that has been entered already. */
  #processInside(event: EngineEvent): readonly Command[] {
    this.#begin(event);
    try {
      if (this.#isOnlyLearned(event)) this.#learn(event);
      else this.#step(event);
    } catch (error) {
      this.#failures.record(error);
    } finally {
      this.#event = undefined;
    }
    return this.#conclude(event);
  }

  #begin(event: EngineEvent): void {
    if (this.#event !== undefined) this.#assertBetweenEvents(describeEvent(event));
    this.#failures.throwIfAny();
    if (event.time < this.#clock.now()) {
      throw new InvariantError(
        'E_TIME_BACKWARDS',
        `expected no event before ${formatUtc(this.#clock.now())}, received ${describeEvent(event)}`,
      );
    }
    this.#reporter.begin();
    this.#fired = 0;
    this.#event = event;
  }

  #conclude(event: EngineEvent): readonly Command[] {
    this.#failures.throwIfAny();
    this.#record(event);
    return this.#reporter.commands;
  }

  #assertBetweenEvents(received: string): void {
    if (this.#event === undefined) return;
    throw new InvariantError(
      'E_ENGINE_REENTERED',
      `expected no event while ${describeEvent(this.#event)} is processed, received ${received}`,
    );
  }

  /** Nothing leaves that is not recorded: an engine whose journal fails is dead, and its commands are not handed out. */
  #record(event: EngineEvent): void {
    try {
      this.#options.journal.append(event, this.#reporter.commands);
    } catch (error) {
      this.#failures.keep(error);
    }
    this.#failures.throwIfAny();
  }

  /** Marks come with every candle of a contract; where nobody listens and nothing is due they change a number and wake nobody. */
  #isOnlyLearned({ kind, time }: EngineEvent): boolean {
    return (
      kind === 'marks' &&
      !this.#isIntroductionDue &&
      !this.#hub.observesMarks &&
      !this.#halts.isPending &&
      this.#clock.timers.nextDue() >= time
    );
  }

  #learn(event: EngineEvent): void {
    this.#clock.advance(event.time);
    this.#dispatch(event);
  }

  /** Made once: a closure for each event would be a tenth of what it allocates. */
  readonly #stepEvent = (): void => {
    if (this.#event !== undefined) this.#step(this.#event);
  };

  #step(event: EngineEvent): void {
    if (this.#isIntroductionDue) this.#introduce();
    if (this.#clock.timers.nextDue() < event.time) this.#fireTimers(event.time - 1);
    this.#clock.advance(event.time);
    this.#dispatch(event);
    this.#drain();
    if (event.kind === 'candles') {
      this.#fireTimers(event.time);
      this.#afterSlice(event.time);
    } else if (event.kind === 'timer') this.#fireTimers(event.time);
    this.#settle();
    this.#isWarm = this.#hub.isWarm;
  }

  #afterSlice(time: EpochMs): void {
    this.#options.onSlice?.(time);
    this.#halts.goOn(time);
    // What happens before anything can be traded is neither gain nor loss of the bot.
    if (this.#protections.readsEquity && this.#isWarm)
      this.#protections.take({ kind: 'equity', time, equity: this.portfolio.equity() });
  }

  /** Tells a strategy that begins in the middle what it finds; within the first event, so that it may answer with intents. */
  #introduce(): void {
    this.#isIntroductionDue = false;
    const now = this.#clock.now();
    for (const halt of this.#protections.state().halts)
      if (halt.until === undefined || halt.until > now) this.#feedback.halted(halt);
    for (const order of this.#desk.book.list()) this.#feedback.orderChanged(order);
  }

  #dispatch(event: EngineEvent): void {
    switch (event.kind) {
      case 'candles':
        for (const candle of event.candles) this.#learnCandle(candle);
        this.#hub.deliver(event.candles);
        break;
      case 'ticker':
        this.#desk.onLast(event.instrumentId, event.last);
        break;
      case 'venue':
        if (isOrderUpdate(event.update)) this.#desk.onUpdate(event.update);
        else this.#desk.onAccountUpdate(event.update);
        break;
      case 'marks':
        for (const { instrumentId, price } of event.marks) {
          this.portfolio.instrument(instrumentId).markNumber = price;
          this.#hub.deliverMark(instrumentId, event.time, price);
        }
        break;
      case 'opening':
        for (const { instrumentId, price } of event.prices)
          this.portfolio.instrument(instrumentId).lastNumber = price;
        this.portfolio.openInitialHoldings();
        break;
      case 'operator':
        this.#halts.obey(event);
        break;
      case 'health':
        this.#protections.take(event);
        break;
      case 'end':
        this.#isOver = true;
        this.#desk.expireUnsent(NEVER_ARRIVED);
        break;
      case 'timer':
        break;
    }
  }

  #learnCandle(candle: Candle): void {
    const account = this.portfolio.instrument(candle.instrumentId);
    account.lastNumber = candle.close;
    account.lastTime = this.#clock.now();
    if (this.#options.remainder === 'resend' || this.#desk.guards.hasAny)
      this.#desk.beginCandle(candle.instrumentId);
  }

  #fireTimers(until: EpochMs): void {
    for (
      let timer = this.#clock.timers.take(until);
      timer !== undefined;
      timer = this.#clock.timers.take(until)
    ) {
      this.#fired += 1;
      if (this.#fired > EVENT_LIMITS.timers) {
        throw this.#failures.create(
          'E_TIMER_FLOOD',
          `expected at most ${String(EVENT_LIMITS.timers)} timer firings per event`,
        );
      }
      const { due } = timer;
      this.#clock.advance(due);
      timer.handler();
      this.#clock.timers.again(timer);
      this.#drain();
      // A timer before the event is an instant of its own: what it wants is judged then.
      if (due < (this.#event?.time ?? due) && this.#clock.timers.nextDue() > due) this.#settle();
    }
  }

  /** Judges what was raised, one intent at a time, until nothing is left, and handles what RxJS left for the end of the event. */
  #settle(): void {
    this.#drain();
    if (this.#halts.isPending) {
      this.#halts.take();
      this.#drain();
    }
    this.#intents.judge(EVENT_LIMITS.intents, this.#handle, this.#failOnLoop);
  }

  readonly #handle = (intentId: number, intent: OrderIntent): void => {
    this.#desk.handle(intentId, intent);
    this.#drain();
  };

  readonly #failOnLoop = (): never => {
    throw this.#failures.create(
      'E_INTENT_LOOP',
      `expected at most ${String(EVENT_LIMITS.intents)} intents per event`,
    );
  };

  #drain(): void {
    if (this.#clock.isDrained) return;
    this.#clock.drain(EVENT_LIMITS.immediates, () => {
      throw this.#failures.create(
        'E_IMMEDIATE_FLOOD',
        `expected at most ${String(EVENT_LIMITS.immediates)} immediates per event`,
      );
    });
  }

  /** The engine's time. */
  now(): EpochMs {
    return this.#clock.now();
  }

  /** When the next timer of the strategy or the engine is due, now where it is overdue; Infinity when there is none. */
  nextTimer(): EpochMs {
    return Math.max(this.#clock.timers.nextDue(), this.#clock.now());
  }

  get strategyName(): string {
    return this.#options.strategyClass.name;
  }

  /** Whether any stop is watched. */
  get hasGuards(): boolean {
    return this.#desk.guards.hasAny;
  }

  stopWatches(): readonly StopWatch[] {
    return this.#desk.guards.hasAny ? this.#desk.guards.watches() : [];
  }

  /**
   * Ends the run: unsubscribes from the strategy, completes its streams, and drops its timers.
   *
   * @throws {StrategyError} when the strategy failed, also outside an event.
   */
  stop(): void {
    try {
      this.#inside(PHASES.stop, () => {
        try {
          this.#subscription?.unsubscribe();
        } finally {
          this.#hub.complete();
          this.#feedback.complete();
        }
      });
    } finally {
      this.#clock.timers.clear();
    }
  }

  /** Throws what the strategy did wrong outside an event, for example an intent from a promise. */
  assertHealthy(): void {
    this.#failures.throwIfAny();
  }

  /**
   * Everything that another engine needs to go on from here.
   *
   * @throws {InvariantError} `E_ENGINE_REENTERED` while an event is being processed. {StrategyError} when the strategy has failed.
   */
  checkpoint(): EngineCheckpoint {
    if (this.#event !== undefined) {
      throw new InvariantError(
        'E_ENGINE_REENTERED',
        `expected no checkpoint to be taken while ${describeEvent(this.#event)} is processed`,
      );
    }
    this.#failures.throwIfAny();
    return {
      lastIntentId: this.#intents.lastId,
      ...this.portfolio.checkpoint(),
      ...this.#desk.checkpoint(),
      protections: this.#protections.checkpoint(),
      hasOrderedSinceFlatten: this.#halts.hasOrderedSinceFlatten,
    };
  }

  // What a run leaves behind.

  get orders(): readonly WorkingOrder[] {
    return this.#desk.book.orders;
  }

  /** Those that may still fill, oldest first. */
  get workingOrders(): readonly WorkingOrder[] {
    return this.#desk.book.list();
  }

  get fills(): readonly RecordedFill[] {
    return this.#feedback.fills;
  }

  get refusals(): readonly RecordedRefusal[] {
    return this.#feedback.refusals;
  }

  /** In the order in which they began. */
  get halts(): readonly Halt[] {
    return this.#feedback.halts;
  }

  /** Funding and interest, in the order in which the engine learned of them. */
  get carries(): readonly RecordedCarry[] {
    return this.#feedback.carries;
  }

  /** What was paid or received besides trades and fees. */
  get costs(): CarryCosts {
    return this.#feedback.costs;
  }

  /** Intents that were judged, and those dropped because the strategy was not warm. */
  get intentCounts(): { readonly judged: number; readonly dropped: number } {
    return this.#intents.counts;
  }

  get isWarm(): boolean {
    return this.#isWarm;
  }

  // The strategy's side.

  #raise(intent: OrderIntent): number {
    if (this.#event === undefined) throw this.#failOutside(intent);
    // Nothing is wanted before the strategy is warm, nor after the data.
    return this.#isWarm && !this.#isOver ? this.#intents.add(intent) : this.#intents.drop();
  }

  #failOutside({ kind }: OrderIntent): StrategyError {
    const error = this.#failures.create(
      'E_INTENT_OUTSIDE_EVENT',
      `intent "${kind}" was raised while no event was processed; promises and native timers do not follow the engine's clock`,
    );
    this.#failures.record(error);
    return error;
  }

  #inside<T>(phase: Phase, work: () => T): T {
    let result: T | undefined;
    this.#failures.phase = phase;
    try {
      result = runOnVirtualTime(this.#clock, () => {
        const value = work();
        this.#drain();
        return value;
      });
    } catch (error) {
      this.#failures.record(error);
    }
    this.#failures.throwIfAny();
    this.#failures.phase = undefined;
    return result as T;
  }
}
