import { DAY_MS, MINUTE_MS, type EpochMs } from '../../domain/index.js';
import type { Engine } from '../../engine/index.js';
import type { SimulatedVenue } from '../../simulator/index.js';
import type { ReplayOptions } from './replay.js';
import type { StopSampler } from './stop-sampler.js';

/** How far ahead stops are checked first. The distance doubles after each check without a result. */
const FIRST_REACH_MS = 4 * MINUTE_MS;
const MOST_REACH_MS = DAY_MS;

/** Finds until when candles may pass without a look at their paths: nothing happens at the venue, and no sample of last matters to a stop. */
export class ReplayHorizon {
  readonly #engine: Engine;
  readonly #venue: SimulatedVenue;
  readonly #sampler: StopSampler;
  /** No stop can fire or move until then, unless the engine processes an event. */
  #stopsIdleUntil: EpochMs = Number.NEGATIVE_INFINITY;
  #reachMs = FIRST_REACH_MS;

  constructor({ engine, venue }: Pick<ReplayOptions, 'engine' | 'venue'>, sampler: StopSampler) {
    this.#engine = engine;
    this.#venue = venue;
    this.#sampler = sampler;
  }

  /** Must be called when stops may have changed. */
  forgetStops(): void {
    this.#stopsIdleUntil = Number.NEGATIVE_INFINITY;
  }

  /** Restarts with a short distance, because earlier results about stops no longer hold. */
  beginAnew(): void {
    this.#reachMs = FIRST_REACH_MS;
  }

  /** Whether nothing can happen up to and including `time`. True is always right. */
  isIdleUntil(time: EpochMs): boolean {
    return this.#venue.isIdleUntil(time) && this.#areStopsIdle(time);
  }

  /** The time up to which {@link isIdleUntil} is known to be true. */
  get idleUntil(): EpochMs {
    return Math.min(this.#venue.idleUntil, this.#stopsIdleUntil);
  }

  #areStopsIdle(time: EpochMs): boolean {
    if (time <= this.#stopsIdleUntil) return true;
    if (!this.#engine.watchesLast) {
      this.#stopsIdleUntil = Number.POSITIVE_INFINITY;
      return true;
    }
    this.#stopsIdleUntil = this.#sampler.provenUntil(
      this.#engine.stopWatches(),
      time + this.#reachMs,
      this.#engine.now(),
    );
    const isIdle = time <= this.#stopsIdleUntil;
    this.#reachMs = isIdle ? Math.min(2 * this.#reachMs, MOST_REACH_MS) : FIRST_REACH_MS;
    return isIdle;
  }
}
