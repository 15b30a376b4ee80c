import type { EpochMs } from '../../domain/index.js';
import type { Engine } from '../../engine/index.js';
import { ProofReach, type SimulatedVenue } from '../../simulator/index.js';
import type { ReplayOptions } from './replay.js';
import type { StopSampler } from './stop-sampler.js';

/** Finds until when candles may pass without a look at their paths: nothing happens at the venue, and no sample of last matters to a stop. */
export class ReplayHorizon {
  readonly #engine: Engine;
  readonly #venue: SimulatedVenue;
  readonly #sampler: StopSampler;
  /** No stop can fire or move until then, unless the engine processes an event. */
  #stopsIdleUntil: EpochMs = Number.NEGATIVE_INFINITY;
  readonly #reach: ProofReach;

  constructor({ engine, venue }: Pick<ReplayOptions, 'engine' | 'venue'>, sampler: StopSampler) {
    this.#engine = engine;
    this.#venue = venue;
    this.#sampler = sampler;
    this.#reach = new ProofReach(venue.options.markets);
  }

  /** Must be called when stops may have changed. */
  forgetStops(): void {
    this.#stopsIdleUntil = Number.NEGATIVE_INFINITY;
  }

  /** Restarts the distance of proofs, because earlier results about stops no longer hold. */
  beginAnew(now: EpochMs): void {
    this.#reach.restart(now);
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
      time + this.#reach.length,
      this.#engine.now(),
    );
    const isIdle = time <= this.#stopsIdleUntil;
    if (isIdle) this.#reach.grow();
    else this.#reach.restart(time);
    return isIdle;
  }
}
