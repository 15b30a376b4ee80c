import {
  fixedToNumber,
  type Direction,
  type EpochMs,
  type Fixed,
  type InstrumentId,
} from '../../domain/index.js';
import type { StopWatch } from '../../engine/index.js';
import { TrailingCorridor, type SimulatedVenue } from '../../simulator/index.js';

/** A trailing stop during candles that pass in batches: only its best price changes. */
interface FollowedStop {
  readonly watch: StopWatch;
  readonly corridor: TrailingCorridor;
}

/** The venue and grids of trailing stops, and a function that gives the engine their best prices. */
interface TrailingStopsOptions {
  readonly venue: SimulatedVenue;
  readonly grids: ReadonlyMap<InstrumentId, number>;
  readonly improve: (watch: StopWatch, best: Fixed) => void;
}

/**
 * Follows trailing stops over candles that pass in batches. The engine receives no samples that only move a stop. It learns the best price when the venue
 * catches up, or asks for it.
 */
export class TrailingStops {
  readonly #options: TrailingStopsOptions;
  readonly #corridors: Readonly<Record<Direction, Map<InstrumentId, TrailingCorridor | undefined>>>;
  #followed: FollowedStop[] = [];

  constructor(options: TrailingStopsOptions) {
    this.#options = options;
    const { venue, grids } = options;
    const create = (): Map<InstrumentId, TrailingCorridor | undefined> =>
      new Map(
        Array.from(grids, ([id, gridMs]) => [id, TrailingCorridor.of(venue.market(id), gridMs)]),
      );
    this.#corridors = { long: create(), short: create() };
  }

  /** Whether every followed stop is still watched, unchanged. */
  areAmong(watches: readonly StopWatch[]): boolean {
    for (const { watch } of this.#followed)
      if (!watches.some((one) => isAs(one, watch))) return false;
    return true;
  }

  /** The corridor of a stop whose samples up to `from` have been taken; undefined if it cannot be followed. */
  corridorOf(watch: StopWatch, tick: Fixed, from: EpochMs): TrailingCorridor | undefined {
    const { instrumentId, direction, trail, best, level } = watch;
    const corridor = this.#corridors[direction].get(instrumentId);
    if (corridor === undefined || trail === undefined) return undefined;
    if (this.#followed.some((one) => one.corridor === corridor)) return corridor;
    corridor.follow(
      {
        direction,
        best: fixedToNumber(best),
        level: fixedToNumber(level),
        trail: { kind: trail.kind, amount: fixedToNumber(trail.amount) },
        tick: fixedToNumber(tick),
      },
      from,
    );
    this.#followed.push({ watch, corridor });
    return corridor;
  }

  /** The venue stands at `time` again: gives the engine the best prices by then, and stops following. Returns whether any stop was followed. */
  catchUp(time: EpochMs): boolean {
    if (this.#followed.length === 0) return false;
    for (const one of this.#followed) this.#tellBest(one, time);
    this.#followed = [];
    return true;
  }

  /** Gives the engine the best prices by `time`, while the venue may stand at an earlier time, and goes on following. */
  tellBest(time: EpochMs): void {
    if (this.#followed.some(({ corridor }) => corridor.isNearAt(time)))
      this.#options.venue.resumeAt(time);
    for (const one of this.#followed) this.#tellBest(one, time);
  }

  /** Stops following, because no sample has come yet. */
  forget(): void {
    if (this.#followed.length > 0) this.#followed = [];
  }

  #tellBest({ watch, corridor }: FollowedStop, time: EpochMs): void {
    const { venue, improve } = this.#options;
    const { instrumentId } = watch;
    const market = venue.market(instrumentId);
    const best = corridor.bestBy(time);
    if (best !== undefined) {
      market.isPathAsked = true;
      improve(watch, venue.publish(instrumentId, market.exact(best), time));
    }
    if (corridor.isNearAt(time))
      for (const sample of this.#samplesUnderWay(instrumentId, time))
        improve(watch, venue.last(instrumentId, sample));
  }

  /** Samples of the open candle up to `time` that bound straight pieces of the path: the first, the last and the corners. */
  #samplesUnderWay(instrumentId: InstrumentId, time: EpochMs): readonly EpochMs[] {
    const { openTime, closeTime } = this.#options.venue.market(instrumentId);
    const gridMs = this.#options.grids.get(instrumentId) ?? Number.NaN;
    const third = (closeTime - openTime) / 3;
    const last = Math.floor(time / gridMs) * gridMs;
    return [openTime + gridMs, openTime + third, openTime + 2 * third, last].filter(
      (sample) => sample > openTime && sample <= time,
    );
  }
}

function isAs(one: StopWatch, other: StopWatch): boolean {
  return (
    one.instrumentId === other.instrumentId &&
    one.direction === other.direction &&
    one.guardNumber === other.guardNumber &&
    one.trail === other.trail &&
    one.level === other.level &&
    one.best === other.best
  );
}
