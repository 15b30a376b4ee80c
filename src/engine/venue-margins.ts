import {
  showVenueMargin,
  type Direction,
  type EpochMs,
  type InstrumentId,
  type MarginReading,
  type VenueMargin,
} from '../domain/index.js';

/** What the venue said last of the margins of positions in contracts. It guards and decides nothing: a strategy may look at it. */
export class VenueMargins {
  #time: EpochMs = Number.NEGATIVE_INFINITY;
  #readings: readonly MarginReading[] = [];

  take({
    time,
    readings,
  }: {
    readonly time: EpochMs;
    readonly readings: readonly MarginReading[];
  }): void {
    this.#time = time;
    this.#readings = readings;
  }

  /** Undefined where the venue showed no such position. */
  of(instrumentId: InstrumentId, direction: Direction): VenueMargin | undefined {
    const reading = this.#readings.find(
      (each) => each.instrumentId === instrumentId && each.direction === direction,
    );
    return reading && showVenueMargin(reading, this.#time);
  }
}
