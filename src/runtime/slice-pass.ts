import { formatUtc, InvariantError, type Candle, type EpochMs } from '../domain/index.js';
import type { EngineClock } from './engine-clock.js';
import type { EngineParts } from './engine-parts.js';
import type { EventTurn } from './event-turn.js';
import { describeEvent, type Command } from './events.js';
import { NO_JOURNAL } from './journal.js';
import type { MarketHub, StreamLane } from './market-hub.js';

/**
 * Candles that are made as they are taken, slice by slice, without an event for each. Times are members, not arguments: a float that is
 * handed to a function costs an allocation.
 */
export interface SliceSupply {
  /** Those of the slice taken last, in the order of delivery. The list serves again for the next slice. */
  readonly candles: readonly Candle[];
  /** Where each of them is delivered. */
  readonly lanes: readonly StreamLane[];
  /** When the slice taken last is known. */
  readonly now: EpochMs;
  /** Slices are made that are known before then. */
  until: EpochMs;

  /** Makes the next slice. Returns whether there was one. */
  next(): boolean;
}

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
    const clock = this.#clock;
    supply.until = clock.timers.nextDue();
    while (supply.next()) {
      const { now } = supply;
      if (now < clock.now()) this.#failBackwards(supply);
      this.#slice.time = now;
      clock.advance(now);
      this.#isInside = true;
      this.#hub.deliverAlong(supply.lanes, supply.candles, clock);
      if (clock.isCalm) onSlice?.(now);
      else {
        this.#turn.endSlice(now);
        supply.until = clock.timers.nextDue();
      }
      const isJudging = intents.isPending;
      if (isJudging) {
        this.#turn.settle();
        supply.until = clock.timers.nextDue();
      }
      this.#isInside = false;
      if (failures.hasAny || reporter.commands.length > 0) return;
      if (isJudging ? !this.isPossible : this.#hub.observesMarks) return;
    }
  }

  #failBackwards({ now }: SliceSupply): never {
    this.#slice.time = now;
    throw new InvariantError(
      'E_TIME_BACKWARDS',
      `expected no slice before ${formatUtc(this.#clock.now())}, received ${describeEvent(this.#slice)}`,
    );
  }
}
