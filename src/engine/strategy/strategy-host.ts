import type { Subscription } from 'rxjs';
import {
  present,
  type EpochMs,
  type OrderIntent,
  type StrategyError,
  type TargetIntent,
} from '../../domain/index.js';
import type { Market } from '../../strategy/index.js';
import type { CandleRun } from '../candle-run.js';
import type { EngineOptions } from '../engine-options.js';
import type { EngineParts } from '../engine-parts.js';
import type { EventStep } from '../event-step.js';
import type { IntentQueue } from '../intents/intent-queue.js';
import type { StreamWarmup } from '../market/candle-stream.js';
import { requireKind } from '../orders/forms/intent-form.js';
import type { RunState } from '../state/run-state.js';
import { createStateKeeper } from '../state/state-keeper.js';
import { runOnVirtualTime } from '../time/rxjs-time-router.js';
import { Schedules } from '../time/schedules.js';
import { refusePromise } from './refuse-promise.js';
import { EngineContext } from './strategy-context.js';
import { PHASES, type Phase } from './strategy-failures.js';

/** Plugins may be JavaScript, or may forget to return a stream. */
function requireStream(returned: unknown): void {
  if (typeof returned === 'object' && returned !== null && 'subscribe' in returned) return;
  const said = returned === undefined ? 'nothing' : JSON.stringify(returned);
  throw new TypeError(
    `intents returned ${said}: it returns one Observable of intents, such as market.candles$().pipe(…)`,
  );
}

/** Runs a strategy in its engine, from its construction to its end, and takes its intents. */
export class StrategyHost {
  readonly #parts: EngineParts;
  readonly #eventStep: EventStep;
  readonly #slices: CandleRun;
  readonly #run: RunState;
  readonly #intents: IntentQueue;
  readonly #schedules: Schedules;
  #market: Market | undefined;
  #subscription: Subscription | undefined;

  constructor(parts: EngineParts, eventStep: EventStep, slices: CandleRun) {
    this.#parts = parts;
    this.#eventStep = eventStep;
    this.#slices = slices;
    this.#run = parts.run;
    this.#intents = parts.intents;
    this.#schedules = new Schedules(parts.clock, parts.run);
  }

  /** See {@link Engine.construct}. */
  construct(): readonly StreamWarmup[] {
    const { options, run, hub, orderManager, feedback, failures } = this.#parts;
    if (failures.isOut) {
      const warmup = hub.beginWarmup({ minimum: 0 });
      run.isWarm = hub.isWarm;
      return warmup;
    }
    return this.#inside(PHASES.construction, () => {
      run.kept = createStateKeeper(options, failures);
      const context = new EngineContext({
        ...this.#parts,
        ownOrders: orderManager.ownOrders,
        raise: this.#raise,
        unchanging: this.#slices.unchangingIntent,
        schedules: this.#schedules,
      });
      this.#market = context.market;
      const strategy = new options.strategyClass(context);
      feedback.strategy = strategy;
      options.onConstructed?.(strategy, context);
      const fields = new Map(Object.entries(strategy).map(([name, value]) => [value, name]));
      const warmup = hub.beginWarmup({
        minimum: strategy.warmup,
        start: options.warmUpLength === 'converged' ? options.startTime : undefined,
        nameOf: (indicator) => fields.get(indicator),
      });
      run.isWarm = hub.isWarm;
      return warmup;
    });
  }

  /** See {@link Engine.start}. */
  start(time: EpochMs): void {
    const { run, clock, feedback, failures } = this.#parts;
    clock.restart(time);
    if (failures.isOut) return;
    this.#inside(PHASES.start, () => {
      this.#schedules.start();
      const strategy = present(feedback.strategy, 'constructed strategy');
      const market = present(this.#market, 'market of the strategy');
      const intents$ = strategy.intents(market);
      refusePromise('intents', intents$);
      requireStream(intents$);
      this.#subscription = intents$.subscribe({
        next: (intent) => {
          // A throw here would end the process instead of the run, because no caller catches errors of a subscriber.
          if (typeof (intent as unknown) !== 'object') this.#failUnknown(intent);
          else if (run.event === undefined) this.#failOutside(intent);
          else this.#raise(intent);
        },
        error: (error: unknown) => {
          failures.record(error);
        },
      });
      run.kept?.start(run);
    });
  }

  /** See {@link Engine.stop}. */
  stop(): void {
    const { clock, hub, feedback } = this.#parts;
    try {
      this.#inside(PHASES.stop, () => {
        try {
          this.#subscription?.unsubscribe();
        } finally {
          hub.complete();
          feedback.complete();
        }
      });
    } finally {
      clock.timers.clear();
    }
  }

  readonly #raise = (intent: OrderIntent): number => {
    const run = this.#run;
    const intents = this.#intents;
    if (run.event === undefined) throw this.#failOutside(intent);
    if (this.#parts.failures.isOut) return intents.lastId;
    const { inputs, reviseIntent } = this.#parts.options;
    if (reviseIntent !== undefined) return this.#raiseRevised(intent, reviseIntent);
    if (inputs !== undefined && 'target' in intent && 'intentId' in intent.target)
      inputs.answered('number', intent.target.intentId, 'orders');
    // Intents do not count before the strategy is warm, nor after the run is over.
    const isHeard = run.isWarm && !run.isOver;
    if (isHeard && this.#slices.passes(intent)) return intents.pass();
    if (this.#failUnknown(intent) || !isHeard) return this.#drop();
    return intents.add(intent, this.#parts.formPlaces.problemOfRaised(intent));
  };

  /** Judges each intent: a repeated intent may be revised in another way, so nothing is known about it. */
  #raiseRevised(intent: OrderIntent, revise: NonNullable<EngineOptions['reviseIntent']>): number {
    const { isWarm, isOver } = this.#run;
    if (this.#failUnknown(intent) || !isWarm || isOver) return this.#drop();
    const revised = revise(intent);
    if (revised === undefined) return this.#drop();
    return this.#intents.add(revised, this.#parts.formPlaces.problemOfRaised(revised));
  }

  #drop(): number {
    const intents = this.#intents;
    const intentId = intents.drop();
    intents.record(intentId, this.#parts.clock.now, undefined);
    return intentId;
  }

  /** Fails if it is not an intent, or names an unknown instrument. Called when it is raised, because its place in the plugin is known only then. */
  #failUnknown(intent: OrderIntent): boolean {
    const { hub, failures } = this.#parts;
    try {
      requireKind(intent);
      if ('instrument' in intent) hub.resolveInstrument(intent.instrument);
      const targets: unknown = intent.kind === 'target' ? intent.targets : undefined;
      if (Array.isArray(targets))
        for (const one of targets as (TargetIntent['targets'][number] | null)[])
          hub.resolveInstrument(one?.instrument);
      return false;
    } catch (error) {
      failures.record(error);
      return true;
    }
  }

  #failOutside({ kind }: OrderIntent): StrategyError {
    const { failures } = this.#parts;
    const error = failures.create(
      'E_INTENT_OUTSIDE_EVENT',
      `intent "${kind}" was raised while no event was processed; promises and native timers do not follow the engine's clock`,
    );
    failures.record(error);
    return error;
  }

  #inside<T>(phase: Phase, work: () => T): T {
    const { clock, failures } = this.#parts;
    let result: T | undefined;
    failures.phase = phase;
    try {
      result = runOnVirtualTime(clock, () => {
        const value = work();
        this.#eventStep.drain();
        return value;
      });
    } catch (error) {
      failures.record(error);
    }
    if (phase === PHASES.stop && failures.isOut) failures.throwIfAny();
    else failures.throwFirst();
    failures.phase = undefined;
    return result as T;
  }
}
