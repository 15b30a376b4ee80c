import type { EpochMs, OrderIntent, Refusal } from '../domain/index.js';
import { isPlain } from './orders/intent-form.js';
import type { KnownForms } from './orders/known-forms.js';
import type { OrderManager } from './orders/order-manager.js';
import type { OrderReporter } from './order-reporter.js';
import type { EngineClock } from './engine-clock.js';
import type { EngineParts } from './engine-parts.js';
import { EventDispatch } from './event-dispatch.js';
import type { EngineEvent } from './events.js';
import type { FormPlaces } from './form-places.js';
import type { HaltActions } from './halt-actions.js';
import { MOST_INTENTS, type IntentQueue } from './intent-queue.js';
import type { MarketHub } from './market-hub.js';
import type { Portfolio } from './portfolio/portfolio.js';
import type { Protections } from './protections.js';
import type { RecordedDecisions } from './recovery/recorded-decisions.js';
import type { RunState } from './run-state.js';
import type { StrategyFailures } from './strategy-failures.js';
import type { StrategyFeedback } from './strategy-feedback.js';

/** Most intents, timer firings and immediates one event may cause; beyond it a strategy is in a loop. */
export const EVENT_LIMITS = { intents: MOST_INTENTS, timers: 100_000, immediates: 10_000 } as const;

/**
 * One event from its beginning to its end, on virtual time that has been entered: the order of timers, what is learned, immediates and
 * intents within an instant (DESIGN R1).
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
  readonly #reporter: OrderReporter;
  readonly #intents: IntentQueue;
  readonly #run: RunState;
  readonly #decisions: RecordedDecisions | undefined;
  readonly #forms: KnownForms;
  readonly #formPlaces: FormPlaces | undefined;
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
    this.#reporter = parts.reporter;
    this.#intents = parts.intents;
    this.#run = parts.run;
    this.#decisions = parts.options.decisions;
    this.#forms = parts.forms;
    this.#formPlaces = parts.formPlaces;
  }

  /** Marks come with every candle of a contract; where nobody listens and nothing is due they change a number and wake nobody. */
  isOnlyLearned({ kind, time }: EngineEvent): boolean {
    return (
      kind === 'marks' &&
      !this.#run.isIntroductionDue &&
      !this.#hub.observesMarks &&
      !this.#halts.isPending &&
      this.#clock.timers.nextDue() >= time
    );
  }

  /** Takes an event that {@link isOnlyLearned}. */
  learn(event: EngineEvent): void {
    this.#clock.advance(event.time);
    this.#dispatch.dispatch(event);
  }

  /** Takes an event that is no candles. */
  step(event: EngineEvent): void {
    this.begin(event.time);
    this.#clock.advance(event.time);
    this.#dispatch.dispatch(event);
    this.drain();
    if (event.kind === 'timer') this.#fireTimers(event.time, event.time);
    this.settle();
    this.#run.isWarm = this.#hub.isWarm;
  }

  /** Begins an event: what comes before it is done. */
  begin(time: EpochMs): void {
    this.#fired = 0;
    this.#clock.eventTime = time;
    if (this.#run.isIntroductionDue) this.#introduce();
    if (this.#clock.timers.nextDue() < time) this.#fireTimers(time - 1, time);
  }

  /** Does what follows the candles of an instant. */
  endSlice(time: EpochMs): void {
    if (!this.#clock.isCalm) {
      this.drain();
      this.#fireTimers(time, time);
    }
    if (this.#protections.isFlattening(time)) this.#halts.goOn();
    // What happens before anything can be traded is neither gain nor loss of the bot.
    if (this.#protections.readsEquity && this.#run.isWarm)
      this.#protections.take({ kind: 'equity', time, equity: this.#portfolio.equity() });
    this.settle();
    this.#run.isWarm = this.#hub.isWarm;
  }

  /** Runs what RxJS left for the end of what is being done. */
  drain(): void {
    if (this.#clock.isDrained) return;
    this.#clock.drain(EVENT_LIMITS.immediates, this.#contain, this.#failOnImmediates);
  }

  /** Tells a strategy that begins in the middle what it finds; within the first event, so that it may answer with intents. */
  #introduce(): void {
    this.#run.isIntroductionDue = false;
    const now = this.#clock.now();
    for (const halt of this.#protections.state().halts)
      if (halt.until === undefined || halt.until > now) this.#feedback.halted(halt);
    for (const order of this.#orderManager.ownOrders.list()) this.#feedback.orderChanged(order);
  }

  /** Fires what is due until a time, within an event at `eventTime`. */
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
      if (timer.isOfStrategy) this.#failures.contain(timer.handler);
      else timer.handler();
      this.#clock.timers.again(timer);
      this.drain();
      // A timer before the event is an instant of its own: what it wants is judged then.
      if (due < eventTime && this.#clock.timers.nextDue() > due) this.settle();
    }
  }

  /** Judges what was raised, one intent at a time, until nothing is left, and handles what RxJS left for the end of the event. */
  settle(): void {
    this.drain();
    if (this.#halts.isPending) {
      this.#halts.take();
      this.drain();
    }
    this.#reviewStatuses();
    // What an entry would meet is taken away before it is sent.
    this.#orderManager.venueStops?.review();
    this.#decisions?.replayInto(this.#intents, this.#clock.now());
    this.#intents.judge(EVENT_LIMITS.intents, this.#handle, this.#failOnLoop);
    this.#orderManager.venueStops?.review();
  }

  readonly #handle = (intentId: number, intent: OrderIntent): void => {
    this.#intents.record(intentId, this.#clock.now(), intent);
    const problem = this.#findFormProblem(intent) ?? this.#findReadOnly(intent);
    if (problem === undefined) this.#orderManager.handle(intentId, intent);
    else this.#refuse(intentId, intent, problem);
    this.#reviewStatuses(intentId);
    this.drain();
  };

  /** Tells those who follow single intents what has ended, with the one that has just been judged. */
  #reviewStatuses(judged?: number): void {
    const { statuses } = this.#feedback;
    if (statuses?.areHeard !== true) return;
    if (judged !== undefined) statuses.touch(judged);
    statuses.review();
    this.drain();
  }

  #findFormProblem(intent: OrderIntent): Refusal | undefined {
    const problem = this.#forms.findProblem(intent);
    if (problem === undefined) return undefined;
    if (isPlain(intent) && this.#orderManager.changesNothing(intent)) return undefined;
    return this.#formPlaces?.placed(problem) ?? problem;
  }

  /** Refuses what wants an order where the market is only read. */
  #findReadOnly(intent: OrderIntent): Refusal | undefined {
    if (intent.kind === 'cancel' || intent.kind === 'replace') return undefined;
    // A flatten that names nothing is of what may be traded.
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

  /** Refuses an intent that cannot be read or carried out, whatever it wants: it is said of the instrument that it names, or the first. */
  #refuse(intentId: number, intent: OrderIntent, refusal: Refusal): void {
    const name = 'instrument' in intent ? intent.instrument : undefined;
    const instrumentId = this.#hub.resolveInstrument(name);
    this.#reporter.verdict(intentId, instrumentId, intent, { kind: 'refused', refusal });
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

  /** Ends an event: what the strategy has made of its state is kept. */
  end(): void {
    const { kept } = this.#run;
    if (kept === undefined || this.#failures.isOut) return;
    try {
      kept.endEvent(this.#clock.now(), this.#run);
    } catch (error) {
      this.#failures.record(error);
    }
  }
}
