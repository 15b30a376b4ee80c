import type { EpochMs, OrderIntent, Refusal } from '../domain/index.js';
import type { EngineParts } from './engine-parts.js';
import { EventDispatch } from './event-dispatch.js';
import type { EngineEvent } from './events.js';
import type { HaltActions } from './halt-actions.js';
import type { FormPlaces } from './intents/form-places.js';
import { MOST_INTENTS, type IntentQueue } from './intents/intent-queue.js';
import type { OrderStatuses } from './intents/order-statuses.js';
import type { MarketHub } from './market/market-hub.js';
import { isPlain } from './orders/forms/intent-form.js';
import type { OrderManager } from './orders/order-manager.js';
import type { Portfolio } from './portfolio/portfolio.js';
import type { Protections } from './protections.js';
import type { RecordedDecisions } from './recovery/recorded-decisions.js';
import type { RunState } from './state/run-state.js';
import type { StateKeeper } from './state/state-keeper.js';
import type { StrategyFailures } from './strategy/strategy-failures.js';
import type { StrategyFeedback } from './strategy/strategy-feedback.js';
import type { EngineClock } from './time/engine-clock.js';
import type { VirtualTimer } from './time/virtual-timer.js';

/** Most intents, timer firings and immediates one event may cause; beyond these limits a strategy is in a loop. */
export const EVENT_LIMITS = { intents: MOST_INTENTS, timers: 100_000, immediates: 10_000 } as const;

/**
 * Processes one event from beginning to end, on virtual time that has been entered. It sets the order of timers, news, immediates and intents within
 * an instant (DESIGN R1).
 */
export class EventStep {
  readonly #dispatch: EventDispatch;
  readonly #clock: EngineClock;
  readonly #hub: MarketHub;
  readonly #portfolio: Portfolio;
  readonly #protections: Protections;
  readonly #feedback: StrategyFeedback;
  readonly #failures: StrategyFailures;
  readonly #orderManager: OrderManager;
  readonly #halts: HaltActions;
  readonly #intents: IntentQueue;
  readonly #run: RunState;
  readonly #decisions: RecordedDecisions | undefined;
  readonly #formPlaces: FormPlaces;
  readonly #startTime: EpochMs;
  /** Timers fired in this event. */
  #fired = 0;

  constructor(parts: EngineParts) {
    this.#dispatch = new EventDispatch(parts);
    this.#clock = parts.clock;
    this.#hub = parts.hub;
    this.#portfolio = parts.portfolio;
    this.#protections = parts.protections;
    this.#feedback = parts.feedback;
    this.#failures = parts.failures;
    this.#orderManager = parts.orderManager;
    this.#halts = parts.halts;
    this.#intents = parts.intents;
    this.#run = parts.run;
    this.#decisions = parts.options.decisions;
    this.#formPlaces = parts.formPlaces;
    this.#startTime = parts.options.startTime;
  }

  /** Whether marks change only a number: they come with every candle of a contract, and without a subscriber and due work nothing follows from them. */
  isOnlyLearned({ time }: Extract<EngineEvent, { readonly kind: 'marks' }>): boolean {
    return (
      !this.#run.isIntroductionDue &&
      !this.#hub.observesMarks &&
      this.#halts.untaken.length === 0 &&
      this.#clock.timers.nextDue() >= time
    );
  }

  /** Processes an event that {@link isOnlyLearned}. */
  learn(event: EngineEvent): void {
    this.#clock.advance(event.time);
    this.#dispatch.dispatch(event);
  }

  /** Processes an event other than candles. */
  step(event: EngineEvent): void {
    this.begin(event.time);
    this.#clock.advance(event.time);
    this.#dispatch.dispatch(event);
    if (event.kind === 'timer') {
      this.drain();
      this.#fireTimers(event.time, event.time);
    }
    this.settle();
    this.#run.isWarm = this.#hub.isWarm;
  }

  /** Begins an event: introduces the strategy if that is due, and fires timers due before the event. */
  begin(time: EpochMs): void {
    this.#fired = 0;
    this.#clock.eventTime = time;
    if (this.#run.isIntroductionDue) this.#introduce();
    if (this.#clock.timers.nextDue() < time) this.#fireTimers(time - 1, time);
  }

  /** Does the work after the candles of an instant. */
  endSlice(time: EpochMs): void {
    if (!this.#clock.isDrained || this.#clock.timers.size > 0) {
      this.drain();
      this.#fireTimers(time, time);
    }
    if (this.#protections.isFlattening(time)) this.#halts.goOn();
    // Changes of equity before the strategy is warm are neither gain nor loss of the bot.
    if (this.#protections.readsEquity && this.#run.isWarm)
      this.#protections.take({ kind: 'equity', time, equity: this.#portfolio.equity() });
    this.settle();
    this.#run.isWarm = this.#hub.isWarm;
  }

  /** Runs the immediates and error reports that RxJS has scheduled. */
  drain(): void {
    if (this.#clock.isDrained) return;
    this.#clock.drain(EVENT_LIMITS.immediates, this.#contain, this.#failOnImmediates);
  }

  /** Reports halts in force and working orders to a strategy that starts from a checkpoint, within the first event, so that it may answer with intents. */
  #introduce(): void {
    this.#run.isIntroductionDue = false;
    const now = this.#clock.now;
    for (const halt of this.#protections.state.halts)
      if (halt.until === undefined || halt.until > now) this.#feedback.halted(halt);
    for (const order of this.#orderManager.ownOrders.list()) this.#feedback.orderChanged(order);
  }

  /** Fires timers that are due up to `until`, within an event at `eventTime`. */
  #fireTimers(until: EpochMs, eventTime: EpochMs): void {
    for (
      let timer = this.#clock.timers.take(until);
      timer !== undefined;
      timer = this.#clock.timers.take(until)
    ) {
      this.#fired += 1;
      if (this.#fired > EVENT_LIMITS.timers && !this.#failures.isOut) {
        this.#failures.record(
          this.#failures.create(
            'E_TIMER_FLOOD',
            `expected at most ${String(EVENT_LIMITS.timers)} timer firings per event`,
          ),
        );
      }
      const { due } = timer;
      this.#clock.advance(due);
      if (timer.isOfStrategy) this.#fireOfStrategy(timer);
      else timer.handler();
      this.#clock.timers.again(timer);
      this.drain();
      // A timer before the event is an instant of its own, so its intents are judged then.
      if (due < eventTime && this.#clock.timers.nextDue() > due) this.settle();
    }
  }

  /** The last candle of a warm-up may close before the run begins. A timer of the strategy that is due until then belongs to its warm-up. */
  #fireOfStrategy({ due, handler }: VirtualTimer): void {
    const run = this.#run;
    const { isWarm } = run;
    run.isWarm &&= due >= this.#startTime;
    this.#failures.contain(handler);
    this.drain();
    run.isWarm = isWarm;
  }

  /** Judges raised intents one by one until none is left, and runs what RxJS has scheduled for the end of the event. */
  settle(): void {
    if (!this.#clock.isDrained) this.drain();
    if (this.#halts.untaken.length > 0) {
      this.#halts.take();
      this.drain();
    }
    if (this.#feedback.statuses?.areHeard === true) this.#reviewStatuses(this.#feedback.statuses);
    // A trigger that an entry would meet is canceled before the entry is sent.
    this.#orderManager.venueStops?.review();
    this.#decisions?.replayInto(this.#intents, this.#clock.now, (intent) =>
      this.#formPlaces.problemOfRecorded(intent),
    );
    this.#intents.judge(EVENT_LIMITS.intents, this.#handle, this.#failOnLoop);
    this.#orderManager.venueStops?.review();
  }

  readonly #handle = (
    intentId: number,
    intent: OrderIntent,
    formProblem: Refusal | undefined,
  ): void => {
    this.#intents.record(intentId, this.#clock.now, intent);
    const isMalformed = formProblem !== undefined && this.#matters(intent);
    let problem = isMalformed ? formProblem : undefined;
    if (problem === undefined && this.#hub.hasReadOnly) problem = this.#findReadOnly(intent);
    if (problem === undefined) this.#orderManager.handle(intentId, intent);
    else this.#refuse(intentId, intent, problem);
    const { statuses } = this.#feedback;
    if (statuses?.areHeard === true) {
      statuses.touch(intentId);
      this.#reviewStatuses(statuses);
    }
    if (!this.#clock.isDrained) this.drain();
  };

  /** Completes the streams of intents that have ended, including the intent that has just been judged. */
  #reviewStatuses(statuses: OrderStatuses): void {
    statuses.review();
    this.drain();
  }

  /** Whether a problem of its form matters: not of a plain intent that changes nothing, because its size is never read. */
  #matters(intent: OrderIntent): boolean {
    return !isPlain(intent) || !this.#orderManager.changesNothing(intent);
  }

  /** Refuses an intent that would send an order to a read-only instrument. */
  #findReadOnly(intent: OrderIntent): Refusal | undefined {
    if (intent.kind === 'cancel' || intent.kind === 'replace') return undefined;
    // A flatten without an instrument concerns only instruments that may be traded.
    if (intent.kind === 'flatten' && intent.instrument === undefined) return undefined;
    if (intent.kind !== 'target') return this.#refuseReadOnly(intent.instrument);
    for (const { instrument } of intent.targets) {
      const refusal = this.#refuseReadOnly(instrument);
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  }

  #refuseReadOnly(instrument: string | undefined): Refusal | undefined {
    const id = this.#hub.findReadOnly(instrument);
    return id === undefined
      ? undefined
      : {
          check: 'read-only',
          limit: 'instruments that are traded',
          actual: id,
          unit: '',
          text: `${id} is readOnly in the config: its market is read, and no order goes to it`,
        };
  }

  /** Refuses an intent that cannot be read or carried out. The refusal is for the instrument that the intent names, or for the first. */
  #refuse(intentId: number, intent: OrderIntent, refusal: Refusal): void {
    const name = 'instrument' in intent ? intent.instrument : undefined;
    const instrumentId = this.#hub.resolveInstrument(name);
    this.#feedback.verdict(intentId, instrumentId, intent, { kind: 'refused', refusal });
  }

  readonly #contain = (handler: () => void): void => {
    this.#failures.contain(handler);
  };

  readonly #failOnImmediates = (): void => {
    this.#failures.record(
      this.#failures.create(
        'E_IMMEDIATE_FLOOD',
        `expected at most ${String(EVENT_LIMITS.immediates)} immediates per event`,
      ),
    );
  };

  readonly #failOnLoop = (): void => {
    this.#failures.record(
      this.#failures.create(
        'E_INTENT_LOOP',
        `expected at most ${String(EVENT_LIMITS.intents)} intents per event`,
      ),
    );
  };

  /** Ends an event of a strategy that keeps a state: keeps its changes. */
  end(kept: StateKeeper): void {
    if (this.#failures.isOut) return;
    try {
      kept.endEvent(this.#clock.now, this.#run);
    } catch (error) {
      this.#failures.record(error);
    }
  }
}
