import type { EpochMs } from '../../domain/index.js';
import type { Command, Engine, EngineEvent, EventSupply } from '../../engine/index.js';
import type { ReplayHorizon } from './replay-horizon.js';
import type { CandleFeed } from './candle-feed.js';

/** What is learned at the close of candles: marks come first. */
export interface Slice {
  readonly marks: EngineEvent | undefined;
  readonly candles: EngineEvent;
}

export interface UneventfulReplayOptions {
  readonly engine: Engine;
  readonly horizon: ReplayHorizon;
  /** When the next slice is known; Infinity at the end. */
  readonly nextSlice: () => EpochMs;
  readonly takeSlice: (time: EpochMs) => Slice;
  /** The same slices, without events. */
  readonly feed: CandleFeed;
}

/**
 * The fast way through a replay: hands the engine instant after instant while nothing is on its way, and no path comes to an order, a stop
 * or a liquidation, so that what holds for the whole stretch is asked once. It ends before the first instant of which that is not sure,
 * and after the first that leads to a command. The plain way, one instant at a time, gives the same bytes:
 * test/integration/fast-replay.property.test.ts compares them.
 */
export class UneventfulReplay {
  readonly #options: UneventfulReplayOptions;
  readonly #engine: Engine;
  readonly #horizon: ReplayHorizon;
  readonly #events: EventSupply = { next: () => this.#nextEvent() };
  readonly #feed: CandleFeed;
  #instantsLeft = 0;
  #now: EpochMs = Number.NEGATIVE_INFINITY;
  /** Candles of an instant whose marks have just been handed out. */
  #candles: EngineEvent | undefined;

  constructor(options: UneventfulReplayOptions) {
    this.#options = options;
    this.#engine = options.engine;
    this.#horizon = options.horizon;
    this.#feed = options.feed;
  }

  /**
   * Goes on over at most so many instants, without an event for each where the engine allows it. Returns what the last led to.
   */
  pass(most: number): readonly Command[] {
    this.#instantsLeft = most;
    if (this.#engine.canRunCandles) {
      const feed = this.#feed;
      feed.slicesLeft = most;
      const commands = this.#engine.runCandles(feed);
      if (feed.slicesLeft < most) {
        this.#instantsLeft = feed.slicesLeft;
        this.#now = feed.now;
        return commands;
      }
    }
    return this.#engine.processAll(this.#events);
  }

  /** Instants of the most that {@link pass} allowed that have not been handed out. */
  get instantsLeft(): number {
    return this.#instantsLeft;
  }

  /** Time of the last instant that was handed out. */
  get now(): EpochMs {
    return this.#now;
  }

  /** The candles of an instant whose marks have led to something before. */
  takePendingCandles(): EngineEvent | undefined {
    const candles = this.#candles;
    this.#candles = undefined;
    return candles;
  }

  #nextEvent(): EngineEvent | undefined {
    const rest = this.takePendingCandles();
    if (rest !== undefined) return rest;
    if (this.#instantsLeft === 0) return undefined;
    const slice = this.#options.nextSlice();
    const time = Math.min(slice, this.#engine.nextTimer());
    this.#horizon.forgetStops();
    if (slice === Number.POSITIVE_INFINITY || !this.#horizon.isIdleUntil(time)) return undefined;
    this.#instantsLeft -= 1;
    this.#now = time;
    if (time < slice) return { kind: 'timer', time };
    const taken = this.#options.takeSlice(time);
    if (taken.marks === undefined) return taken.candles;
    this.#candles = taken.candles;
    return taken.marks;
  }
}
