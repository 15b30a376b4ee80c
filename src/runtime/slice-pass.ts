import { formatUtc, InvariantError, type Candle, type EpochMs } from '../domain/index.js';
import type { EngineClock } from './engine-clock.js';
import type { EngineParts } from './engine-parts.js';
import type { EventTurn } from './event-turn.js';
import { describeEvent, type Command, type SliceSupply } from './events.js';
import { NO_JOURNAL } from './journal.js';
import type { MarketHub } from './market-hub.js';
import type { Portfolio } from './portfolio/portfolio.js';

/** The slice being processed, as the event it would be. Used again for each. */
class PassingSlice {
  readonly kind = 'candles';
  time: EpochMs = Number.NEGATIVE_INFINITY;
  candles: readonly Candle[] = [];
}

/**
 * Candles, slice after slice, each as its event would be processed, but without one: as long as nobody wants the events themselves, and
 * nothing but the strategy and the sample of equity looks at each of them.
 */
export class SlicePass {
  readonly #parts: EngineParts;
  readonly #turn: EventTurn;
  readonly #clock: EngineClock;
  readonly #hub: MarketHub;
  readonly #portfolio: Portfolio;
  readonly #slice = new PassingSlice();
  /** What holds for a whole run. */
  readonly #isAllowed: boolean;
  /** Whether what is being done is the strategy's, or follows from it. */
  #isInside = false;

  constructor(parts: EngineParts, turn: EventTurn) {
    this.#parts = parts;
    this.#turn = turn;
    this.#clock = parts.clock;
    this.#hub = parts.hub;
    this.#portfolio = parts.portfolio;
    const { journal, remainder } = parts.options;
    this.#isAllowed =
      journal === NO_JOURNAL && remainder !== 'resend' && !parts.protections.readsEquity;
  }

  /** Whether the next slice may pass. */
  get isPossible(): boolean {
    const { run, hub, desk, halts, protections } = this.#parts;
    return (
      this.#isAllowed &&
      run.isWarm &&
      !run.isIntroductionDue &&
      !hub.observesMarks &&
      !desk.guards.hasAny &&
      !halts.isPending &&
      protections.state().halts.length === 0
    );
  }

  /** Processes slices until one leads to commands, which are returned, or to something else than the next; or there are no more. */
  run(supply: SliceSupply): readonly Command[] {
    const { reporter, failures, run } = this.#parts;
    failures.throwIfAny();
    reporter.begin();
    this.#slice.candles = supply.candles;
    run.event = this.#slice;
    try {
      this.#pass(supply);
    } catch (error) {
      // What the supply throws is no fault of the strategy.
      if (!this.#isInside) throw error;
      failures.record(error);
    } finally {
      this.#isInside = false;
      run.event = undefined;
    }
    failures.throwIfAny();
    return reporter.commands;
  }

  #pass(supply: SliceSupply): void {
    const { failures, intents, reporter } = this.#parts;
    const { onSlice } = this.#parts.options;
    const { candles } = supply;
    const clock = this.#clock;
    const { timers } = clock;
    for (let until = timers.nextDue(); ; until = timers.nextDue()) {
      const time = supply.next(until);
      if (time === Number.POSITIVE_INFINITY) return;
      this.#enter(time);
      this.#learn(candles, time);
      this.#hub.deliver(candles);
      if (clock.isCalmUntil(time)) onSlice?.(time);
      else this.#turn.endSlice(time);
      const isJudging = intents.isPending;
      if (isJudging) this.#turn.settle();
      this.#isInside = false;
      if (failures.hasAny || reporter.commands.length > 0) return;
      if (isJudging ? !this.isPossible : this.#hub.observesMarks) return;
    }
  }

  #enter(time: EpochMs): void {
    this.#slice.time = time;
    const now = this.#clock.now();
    if (time < now) {
      throw new InvariantError(
        'E_TIME_BACKWARDS',
        `expected no slice before ${formatUtc(now)}, received ${describeEvent(this.#slice)}`,
      );
    }
    this.#clock.advance(time);
    this.#isInside = true;
  }

  #learn(candles: readonly Candle[], time: EpochMs): void {
    for (const { instrumentId, close } of candles) {
      const account = this.#portfolio.instrument(instrumentId);
      account.lastNumber = close;
      account.lastTime = time;
    }
  }
}
