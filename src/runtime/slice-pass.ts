import { formatUtc, InvariantError, type Candle, type EpochMs } from '../domain/index.js';
import type { EngineClock } from './engine-clock.js';
import type { EngineParts } from './engine-parts.js';
import type { EventTurn } from './event-turn.js';
import { describeEvent, type Command } from './events.js';
import { NO_JOURNAL } from './journal.js';
import type { MarketHub, StreamLane } from './market-hub.js';

/**
 * Candles that are made as they are taken, slice by slice, without an event for each. Times are members, not arguments: a float that is
 * handed to a function costs an allocation. And the candles of an only stream are handed over, not put into a list: to keep what is
 * young in what is old costs as much as to make it.
 */
export interface SliceSupply {
  /** Where every candle is delivered, if there is one stream only. Its slices come by {@link nextCandle}, others by {@link nextSlice}. */
  readonly only: StreamLane | undefined;
  /** Candles of the slice taken last, in the order of delivery. The list serves again for the next slice. */
  readonly candles: readonly Candle[];
  /** Where each of them is delivered. */
  readonly lanes: readonly StreamLane[];
  /** When the slice taken last is known. */
  readonly now: EpochMs;
  /** Slices are made that are known before then. */
  until: EpochMs;

  /** Makes the next slice. Returns whether there was one. */
  nextSlice(): boolean;

  /** Makes the next candle of the only stream; undefined when there is none. */
  nextCandle(): Candle | undefined;
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
  readonly #onSlice: ((time: EpochMs) => void) | undefined;
  /** What holds for a whole run. */
  readonly #isAllowed: boolean;
  /** Whether what is being done is the strategy's, or follows from it. */
  #isInside = false;

  constructor(parts: EngineParts, turn: EventTurn) {
    this.#parts = parts;
    this.#turn = turn;
    this.#clock = parts.clock;
    this.#hub = parts.hub;
    const { journal, remainder, onSlice } = parts.options;
    this.#onSlice = onSlice;
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
    const { only } = supply;
    supply.until = this.#clock.timers.nextDue();
    if (only === undefined) this.#passSlices(supply);
    else this.#passCandles(supply, only);
  }

  #passCandles(supply: SliceSupply, lane: StreamLane): void {
    let candle = supply.nextCandle();
    // For errors, which name the stream.
    if (candle !== undefined) this.#slice.candles = [candle];
    for (; candle !== undefined; candle = supply.nextCandle()) {
      this.#enter(supply);
      this.#hub.deliverTo(lane, candle, this.#clock);
      if (!this.#goesOn(supply)) return;
    }
  }

  #passSlices(supply: SliceSupply): void {
    const { candles, lanes } = supply;
    this.#slice.candles = candles;
    while (supply.nextSlice()) {
      this.#enter(supply);
      this.#hub.deliverAlong(lanes, candles, this.#clock);
      if (!this.#goesOn(supply)) return;
    }
  }

  #enter(supply: SliceSupply): void {
    const { now } = supply;
    if (now < this.#clock.now()) this.#failBackwards(supply);
    this.#slice.time = now;
    this.#clock.advance(now);
    this.#isInside = true;
  }

  /** Does what follows the candles of a slice. Returns whether the next may pass as well. */
  #goesOn(supply: SliceSupply): boolean {
    const { failures, intents, reporter, desk, halts } = this.#parts;
    const { now } = supply;
    if (this.#clock.isCalm) this.#onSlice?.(now);
    else {
      this.#turn.endSlice(now);
      supply.until = this.#clock.timers.nextDue();
    }
    const isJudging = intents.isPending;
    if (isJudging) {
      this.#turn.settle();
      supply.until = this.#clock.timers.nextDue();
    }
    this.#isInside = false;
    if (failures.hasAny || reporter.commands.length > 0 || this.#hub.observesMarks) return false;
    // An intent may have led to a stop that is watched; nothing else that matters can come of a slice without a command.
    return !(isJudging && (desk.guards.hasAny || halts.isPending));
  }

  #failBackwards({ now }: SliceSupply): never {
    this.#slice.time = now;
    throw new InvariantError(
      'E_TIME_BACKWARDS',
      `expected no slice before ${formatUtc(this.#clock.now())}, received ${describeEvent(this.#slice)}`,
    );
  }
}
