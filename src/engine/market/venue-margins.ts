import {
  showVenueMargin,
  type Direction,
  type EpochMs,
  type InstrumentId,
  type MarginReading,
  type VenueMargin,
} from '../../domain/index.js';

/** The venue's last margins of positions in contracts. Only strategies read them: no guard and no decision depends on them. */
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

  /** Undefined if the venue showed no such position. */
  of(instrumentId: InstrumentId, direction: Direction): VenueMargin | undefined {
    const reading = this.#readings.find(
      (each) => each.instrumentId === instrumentId && each.direction === direction,
    );
    return reading && showVenueMargin(reading, this.#time);
  }
}
