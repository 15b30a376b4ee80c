import {
  fixedToNumber,
  present,
  type Direction,
  type EpochMs,
  type Fixed,
  type InstrumentId,
} from '../../domain/index.js';
import { inSampleOrder, type StopWatch } from '../../engine/index.js';
import { PriceCorridor, type PathSegment, type SimulatedVenue } from '../../simulator/index.js';
import type { TrailingStops } from './trailing-stops.js';

const NONE: readonly InstrumentId[] = [];

/**
 * Finds the next sample of last that matters to the engine's stops: the first at or beyond a level, or one that moves a trailing stop. All samples of an
 * instrument lie on multiples of its `stopPollMs` (DESIGN R9). Between corners the path is monotone. So the first such sample is found by bisection and
 * the others need not be taken: test/unit/assembly/replay/stop-sampler.property.test.ts compares with taking every sample.
 */
export class StopSampler {
  readonly #venue: SimulatedVenue;
  /** Time between two samples of an instrument, in ms; in the order of the configuration. */
  readonly #grids: ReadonlyMap<InstrumentId, number>;
  readonly #trailing: TrailingStops | undefined;
  /** For each side, the prices between which no sample matters. */
  readonly #corridors: Readonly<Record<Direction, Map<InstrumentId, PriceCorridor>>> = {
    long: new Map(),
    short: new Map(),
  };
  /** Samples up to here have been taken. */
  #takenUntil: EpochMs = Number.NEGATIVE_INFINITY;

  /** Trailing stops are followed only if `trailing` is given. */
  constructor(
    venue: SimulatedVenue,
    grids: ReadonlyMap<InstrumentId, number>,
    trailing?: TrailingStops,
  ) {
    this.#venue = venue;
    this.#grids = grids;
    this.#trailing = trailing;
  }

  /**
   * Time of the next instant, if nothing else happens before `next`: that of a sample that matters, or `next`. What happens at `next` finds trailing
   * stops where every earlier sample has moved them, also while the path leads away from them.
   */
  nextInstant(next: EpochMs, watches: readonly StopWatch[]): EpochMs {
    const time = Math.min(next, this.nextTime(watches));
    let first = time;
    for (const watch of watches) {
      if (watch.trail === undefined) continue;
      const gridMs = this.#gridOf(watch);
      const last = (Math.ceil(time / gridMs) - 1) * gridMs;
      if (last > this.#takenUntil && this.#isMovedAt(watch, last)) first = Math.min(first, last);
    }
    return first;
  }

  /** Whether a sample of the open candle moves a trailing stop. */
  #isMovedAt(watch: StopWatch, time: EpochMs): boolean {
    const { isOpen, openTime } = this.#venue.market(watch.instrumentId);
    if (watch.trail === undefined || time % this.#gridOf(watch) !== 0) return false;
    return isOpen && time > openTime && this.#isBetter(watch, time);
  }

  /** Time of the next sample that matters, before or at the next candle boundary; Infinity if there is none. */
  nextTime(watches: readonly StopWatch[]): EpochMs {
    let next = Number.POSITIVE_INFINITY;
    for (const watch of watches) {
      const { instrumentId, direction, level, quantity, trail, best } = watch;
      const trailsFrom = trail === undefined ? undefined : best;
      this.#venue.noteStop(instrumentId, { direction, level, quantity, trailsFrom });
      next = Math.min(next, this.#nextFor(watch) ?? next);
    }
    return next;
  }

  /**
   * The time up to which no sample can matter, whatever the paths, at most `limit`. It holds for every candle that opens before. Samples that only move a
   * followed trailing stop do not matter. `now`: samples before it do not matter to the present stops, wherever the venue stands.
   */
  provenUntil(watches: readonly StopWatch[], limit: EpochMs, now: EpochMs): EpochMs {
    // First the followed stops must move, as they were watched.
    if (this.#trailing?.areAmong(watches) === false) return Number.NEGATIVE_INFINITY;
    let until = limit;
    const from = Math.max(this.#takenUntil, now);
    for (const watch of watches) {
      const { tick, until: tickUntil } = this.#venue.tickFrom(watch.instrumentId);
      until = Math.min(until, tickUntil);
      const corridor =
        this.#trailing?.corridorOf(watch, tick, from) ?? this.#fixedCorridor(watch, tick);
      until = Math.min(until, corridor.provenUntil(until));
    }
    return until;
  }

  /** The prices between which the stop neither fires nor moves. */
  #fixedCorridor(watch: StopWatch, tick: Fixed): PriceCorridor {
    const { level, best, trail } = watch;
    const corridor = this.#corridorOf(watch);
    // Published prices are rounded to the tick: last may be up to half a tick beyond the path.
    if (watch.direction === 'long')
      corridor.setLevels(
        fixedToNumber(level + tick),
        trail === undefined ? Number.POSITIVE_INFINITY : fixedToNumber(best - tick),
      );
    else
      corridor.setLevels(
        trail === undefined ? Number.NEGATIVE_INFINITY : fixedToNumber(best + tick),
        fixedToNumber(level - tick),
      );
    return corridor;
  }

  #corridorOf({ instrumentId, direction }: StopWatch): PriceCorridor {
    const corridors = this.#corridors[direction];
    let corridor = corridors.get(instrumentId);
    if (corridor === undefined) {
      corridor = new PriceCorridor(this.#venue.market(instrumentId));
      corridors.set(instrumentId, corridor);
    }
    return corridor;
  }

  /** The venue stands at `time` again, after candles that passed without it. Returns whether this may have moved stops. */
  catchUp(time: EpochMs): boolean {
    this.#takenUntil = time;
    return this.#trailing?.catchUp(time) === true;
  }

  /**
   * Instruments whose last, sampled at `time`, matters to a stop, just armed stops included, in the order of the configuration. After that every sample up
   * to `time` counts as taken.
   */
  take(time: EpochMs, watches: readonly StopWatch[]): readonly InstrumentId[] {
    this.#trailing?.forget();
    if (watches.length === 0) {
      this.#takenUntil = time;
      return NONE;
    }
    // Earlier samples were taken when they were due. A stop that was armed just now does not look back.
    this.#takenUntil = Math.max(this.#takenUntil, time - 1);
    const due = watches.filter(
      (watch) => this.#nextFor(watch) === time || this.#isMovedAt(watch, time),
    );
    this.#takenUntil = time;
    return inSampleOrder(due, this.#grids.keys());
  }

  #nextFor(watch: StopWatch): EpochMs | undefined {
    const market = this.#venue.market(watch.instrumentId);
    const gridMs = this.#gridOf(watch);
    const first = (Math.floor(this.#takenUntil / gridMs) + 1) * gridMs;
    if (!market.isOpen) {
      // Coarse candles of an instrument may come before its first last price.
      if (!market.hasStarted || first > market.nextBoundary()) return undefined;
      return this.#matters(watch, first) ? first : undefined;
    }
    if (!this.#mayMatter(watch)) return undefined;
    for (const segment of this.#venue.path(watch.instrumentId).segments) {
      const time = this.#nextOnSegment(watch, segment, first);
      if (time !== undefined) return time;
    }
    return undefined;
  }

  /** Whether any sample of the open candle can matter. False is always right. Most candles end here. */
  #mayMatter({ instrumentId, direction, level, trail, best }: StopWatch): boolean {
    const isLong = direction === 'long';
    return (
      this.#venue.mayReach(instrumentId, level, isLong ? 'below' : 'above') ||
      (trail !== undefined && this.#venue.mayReach(instrumentId, best, isLong ? 'above' : 'below'))
    );
  }

  #nextOnSegment(watch: StopWatch, segment: PathSegment, first: EpochMs): EpochMs | undefined {
    const gridMs = this.#gridOf(watch);
    const from = Math.ceil(Math.max(first, segment.fromTime) / gridMs) * gridMs;
    const to = Math.floor(segment.toTime / gridMs) * gridMs;
    if (from > to) return undefined;
    if (this.#isBeyond(watch, from)) return from;
    if (leadsAway(watch, segment)) {
      // Nothing fires on a piece that leads away from the stop, and its last sample is the best.
      return watch.trail !== undefined && this.#isBetter(watch, to) ? to : undefined;
    }
    if (watch.trail !== undefined && this.#isBetter(watch, from)) return from;
    return this.#isBeyond(watch, to) ? this.#firstBeyond(watch, from, to) : undefined;
  }

  /** First sample in (from, to] beyond the level: not beyond at `from`, beyond at `to`, monotone between. */
  #firstBeyond(watch: StopWatch, from: EpochMs, to: EpochMs): EpochMs {
    const gridMs = this.#gridOf(watch);
    let before = from / gridMs;
    let beyond = to / gridMs;
    while (beyond - before > 1) {
      const middle = Math.floor((before + beyond) / 2);
      if (this.#isBeyond(watch, middle * gridMs)) beyond = middle;
      else before = middle;
    }
    return beyond * gridMs;
  }

  /** Whether a sample would fire the stop or move it. */
  #matters(watch: StopWatch, time: EpochMs): boolean {
    return (
      this.#isBeyond(watch, time) || (watch.trail !== undefined && this.#isBetter(watch, time))
    );
  }

  #isBeyond(watch: StopWatch, time: EpochMs): boolean {
    const last = this.#last(watch, time);
    return watch.direction === 'long' ? last <= watch.level : last >= watch.level;
  }

  #isBetter(watch: StopWatch, time: EpochMs): boolean {
    const last = this.#last(watch, time);
    return watch.direction === 'long' ? last > watch.best : last < watch.best;
  }

  #gridOf({ instrumentId }: StopWatch): number {
    return present(this.#grids.get(instrumentId), 'the grid of an instrument of the run');
  }

  #last({ instrumentId }: StopWatch, time: EpochMs): Fixed {
    return this.#venue.last(instrumentId, time);
  }
}

/** Whether last moves away from the stop along a piece of the path. */
function leadsAway({ direction }: StopWatch, { from, to }: PathSegment): boolean {
  return direction === 'long' ? to > from : to < from;
}
