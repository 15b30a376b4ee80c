import {
  formatUtc,
  InvariantError,
  type Candle,
  type EpochMs,
  type OrderIntent,
} from '../domain/index.js';
import type { PlainIntent } from '../strategy/index.js';
import type { FollowUp } from './follow-up.js';
import type { OrderManager } from './orders/order-manager.js';
import type { OrderReporter } from './order-reporter.js';
import type { EngineClock } from './engine-clock.js';
import type { EngineParts } from './engine-parts.js';
import { EVENT_LIMITS, type EventStep } from './event-step.js';
import { describeEvent, type Command } from './events.js';
import { UnchangingIntent } from './unchanging-intent.js';
import type { IntentQueue } from './intent-queue.js';
import { NO_JOURNAL } from './journal.js';
import type { MarketHub, StreamRoute } from './market-hub.js';
import type { StrategyFailures } from './strategy-failures.js';

/** Candles of an only stream that pass one after the other, as long as nothing is booked. */
export interface CandleBatch {
  /** Where the first is stored, counted as in {@link Engine.precomputeSeries}. */
  readonly first: number;
  readonly count: number;
  /** When the first is known. Each of the others is `stepMs` later than the one before. */
  readonly time: EpochMs;
  readonly stepMs: number;
  /** Their closes, from this place on: the candles themselves are not looked at. */
  readonly closes: Float64Array;
  readonly firstClose: number;
  /** Marks that are known with them, from 0 on; undefined where their instrument has none. */
  readonly marks: Float64Array | undefined;
  readonly source: {
    /** The candle of a row. */
    candleOf(row: number): Candle;
  };
}

/**
 * Candles that are made as they are taken, without an event for each. Those of an only stream come in batches, of which everything is asked
 * once that holds for all their candles, and are handed over one by one, not put into a list: to keep what is young in what is old costs as
 * much as to make it.
 */
export interface CandleSupply {
  /** Where every candle is delivered, if there is one stream only. Its candles come by {@link nextBatch}, others by {@link nextSlice}. */
  readonly only: StreamRoute | undefined;
  /** Slices are made that are known before then. */
  until: EpochMs;

  /** Makes the next slice of several streams. Returns whether there was one. */
  nextSlice(): boolean;
  /** Candles of the slice taken last, in the order of delivery. The list serves again for the next slice. */
  readonly candles: readonly Candle[];
  /** Where each of them is delivered. */
  readonly routes: readonly StreamRoute[];
  /** When the slice or candle taken last is known. A member and no argument: a float that is handed to a function costs an allocation. */
  readonly now: EpochMs;

  /** Begins with candles of the only stream that may pass one after the other; undefined where there are none. */
  nextBatch(): CandleBatch | undefined;
  /** So many of the batch have passed, and no more of it will. Equity is sampled now, at each close: no member of the engine tells of them. */
  endBatch(passed: number): void;
}

/** The slice being processed, as the event it would be. Used again for each. */
class CurrentSlice {
  readonly kind = 'candles';
  readonly #clock: EngineClock;
  candles: readonly Candle[] = [];

  constructor(clock: EngineClock) {
    this.#clock = clock;
  }

  get time(): EpochMs {
    return this.#clock.now();
  }
}

/**
 * Candles, slice after slice, each as its event would be processed, but without one: as long as nobody wants the events themselves, and
 * nothing but the strategy and the sample of equity looks at each of them.
 */
export class CandleRun {
  readonly #parts: EngineParts;
  readonly #eventStep: EventStep;
  readonly #clock: EngineClock;
  readonly #hub: MarketHub;
  readonly #intents: IntentQueue;
  readonly #failures: StrategyFailures;
  readonly #reporter: OrderReporter;
  readonly #orderManager: OrderManager;
  readonly #followUp: FollowUp;
  readonly #slice: CurrentSlice;
  readonly #unchangingIntent: UnchangingIntent;
  readonly #onSlice: ((time: EpochMs) => void) | undefined;
  /** What holds for a whole run. */
  readonly #isAllowed: boolean;
  /** Whether what is being done is the strategy's, or follows from it. */
  #isInside = false;
  /** Whether a slice is being delivered. */
  #isDelivering = false;

  constructor(parts: EngineParts, eventStep: EventStep) {
    this.#parts = parts;
    this.#eventStep = eventStep;
    this.#clock = parts.clock;
    this.#hub = parts.hub;
    this.#intents = parts.intents;
    this.#failures = parts.failures;
    this.#reporter = parts.reporter;
    this.#orderManager = parts.orderManager;
    this.#followUp = parts.followUp;
    this.#slice = new CurrentSlice(parts.clock);
    const { journal, remainder, rules, onSlice } = parts.options;
    this.#unchangingIntent = new UnchangingIntent(rules, parts.clock);
    this.#onSlice = onSlice;
    this.#isAllowed =
      journal === NO_JOURNAL && remainder !== 'resend' && !parts.protections.readsEquity;
  }

  /** Whether the next slice may pass. */
  get isPossible(): boolean {
    const { run, hub, orderManager, halts, protections } = this.#parts;
    return (
      this.#isAllowed &&
      run.isWarm &&
      !run.isIntroductionDue &&
      !hub.observesMarks &&
      !orderManager.guards.awaitsCandle &&
      !halts.isPending &&
      protections.state().halts.length === 0
    );
  }

  /**
   * Whether an intent that has just been raised need not be kept to be judged: what is delivered is not recorded, nothing will be judged before
   * it, and judging changes nothing.
   */
  passes(intent: OrderIntent): boolean {
    const idle = this.#unchangingIntent;
    if (this.#mayPass()) {
      if (idle.covers(intent)) return true;
      if (this.#orderManager.changesNothing(intent)) {
        idle.learn(intent);
        return true;
      }
    }
    // What is wanted after it is judged after it.
    idle.forget();
    return false;
  }

  /** See {@link StrategyContext.repeat}: whether {@link passes} would say so of the intent is known. */
  repeat(intent: PlainIntent): number | undefined {
    const intents = this.#intents;
    return this.#unchangingIntent.isAgain(intent) && intents.passed < EVENT_LIMITS.intents
      ? intents.pass()
      : undefined;
  }

  #mayPass(): boolean {
    const intents = this.#intents;
    return this.#isDelivering && !intents.isPending && intents.passed < EVENT_LIMITS.intents;
  }

  /** Processes slices until one leads to commands, which are returned, or to something else than the next; or there are no more. */
  run(supply: CandleSupply): readonly Command[] {
    const { run } = this.#parts;
    const failures = this.#failures;
    failures.throwIfAny();
    this.#reporter.begin();
    run.event = this.#slice;
    try {
      this.#pass(supply);
    } catch (error) {
      // What the supply throws is no fault of the strategy.
      if (!this.#isInside) throw error;
      failures.record(error);
    } finally {
      this.#isInside = false;
      this.#isDelivering = false;
      this.#unchangingIntent.forget();
      run.event = undefined;
    }
    failures.throwIfAny();
    return this.#reporter.commands;
  }

  #pass(supply: CandleSupply): void {
    const { only } = supply;
    supply.until = this.#clock.timers.nextDue();
    if (only === undefined) this.#runCandles(supply);
    else this.#runBatches(supply, only);
  }

  #runBatches(supply: CandleSupply, route: StreamRoute): void {
    for (let batch = supply.nextBatch(); batch !== undefined; batch = supply.nextBatch()) {
      const goesOn = this.#runBatch(supply, batch, route);
      if (!goesOn) return;
      supply.until = this.#clock.timers.nextDue();
    }
  }

  /** Returns whether the next batch may pass as well. */
  #runBatch(supply: CandleSupply, batch: CandleBatch, route: StreamRoute): boolean {
    const { first, count, time, stepMs, closes, firstClose, marks, source } = batch;
    const { account, stream } = route;
    const followUp = this.#followUp;
    const clock = this.#clock;
    const intents = this.#intents;
    const last = time + (count - 1) * stepMs;
    let candle = source.candleOf(first);
    // For errors, which name the stream.
    this.#slice.candles = [candle];
    this.#begin(time, last);
    stream.beginRows(first, count);
    let goesOn = true;
    let passed = 0;
    for (;;) {
      const now = time + passed * stepMs;
      clock.advance(now);
      account.lastTime = now;
      account.lastNumber = closes[firstClose + passed] as number;
      if (marks !== undefined) account.markNumber = marks[passed] as number;
      intents.begin();
      this.#hub.deliverRow(stream, first + passed, candle);
      passed += 1;
      if (followUp.isNeeded) {
        goesOn = this.#doFollowUp();
        if (!goesOn || clock.timers.nextDue() <= last) break;
      }
      if (passed === count) break;
      candle = source.candleOf(first + passed);
    }
    this.#isInside = false;
    supply.endBatch(passed);
    return goesOn;
  }

  #runCandles(supply: CandleSupply): void {
    const { candles, routes } = supply;
    this.#slice.candles = candles;
    while (supply.nextSlice()) {
      this.#begin(supply.now, supply.now);
      this.#clock.advance(supply.now);
      this.#intents.begin();
      this.#hub.deliverAlong(routes, candles, this.#clock);
      this.#onSlice?.(supply.now);
      const goesOn = !this.#followUp.isNeeded || this.#doFollowUp();
      this.#isInside = false;
      if (!goesOn) return;
      supply.until = this.#clock.timers.nextDue();
    }
  }

  /** Begins with slices from `time` to `last`, one after the other as long as nothing but the strategy looks at them. */
  #begin(time: EpochMs, last: EpochMs): void {
    if (time < this.#clock.now()) this.#failBackwards(time);
    this.#followUp.isNeeded = this.#needsFollowUp();
    this.#isInside = true;
    this.#isDelivering = true;
    this.#unchangingIntent.begin(last);
  }

  /** Whether each slice has to be seen to when it has been delivered. */
  #needsFollowUp(): boolean {
    return !this.#clock.isCalm || this.#hub.hasMarkStreams;
  }

  /** Does what follows the candles of a slice where something has happened. Returns whether the next may pass as well. */
  #doFollowUp(): boolean {
    this.#isDelivering = false;
    this.#unchangingIntent.forget();
    if (!this.#clock.isCalm) this.#eventStep.endSlice(this.#clock.now());
    const isJudging = this.#intents.isPending;
    if (isJudging) this.#eventStep.settle();
    if (this.#failures.hasAny || this.#reporter.commands.length > 0 || this.#hub.observesMarks)
      return false;
    this.#followUp.isNeeded = this.#needsFollowUp();
    this.#isDelivering = true;
    // An intent may have led to another stop that is watched; nothing else that matters can come of a slice without a command.
    return !(isJudging && (this.#orderManager.guards.hasAny || this.#parts.halts.isPending));
  }

  #failBackwards(time: EpochMs): never {
    const { candles } = this.#slice;
    throw new InvariantError(
      'E_TIME_BACKWARDS',
      `expected no slice before ${formatUtc(this.#clock.now())}, received ${describeEvent({ kind: 'candles', time, candles })}`,
    );
  }
}
