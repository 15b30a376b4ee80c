import {
  directionOf,
  type Direction,
  type EpochMs,
  type FillRecord,
  type InstrumentId,
} from '../../domain/index.js';
import type { VenueUpdate } from '../../venue/index.js';

/** When a position was opened, and when its last execution or funding happened. */
export interface PositionDates {
  readonly createdTime: EpochMs;
  readonly updatedTime: EpochMs;
}

/** The times of the held positions of one account, by contract and direction. Each contract has at most one position per direction. */
export class PositionTimes {
  readonly #lives = new Map<string, PositionDates>();

  /** Takes an update of the simulator, after it was booked. */
  note(update: VenueUpdate): void {
    if (update.kind === 'fill' || update.kind === 'forced-fill') this.#noteFill(update.fill);
    else if (update.kind === 'funding')
      this.#touch(keyOf(update.instrumentId, update.direction), update.eventTime);
  }

  #noteFill(fill: FillRecord): void {
    const { instrumentId, action, eventTime } = fill;
    if (!instrumentId.startsWith('futures:')) return;
    const key = keyOf(instrumentId, directionOf(fill));
    if (action === 'open' && !this.#lives.has(key))
      this.#lives.set(key, { createdTime: eventTime, updatedTime: eventTime });
    else this.#touch(key, eventTime);
  }

  #touch(key: string, updatedTime: EpochMs): void {
    const life = this.#lives.get(key);
    if (life !== undefined) this.#lives.set(key, { ...life, updatedTime });
  }

  of(instrumentId: InstrumentId, direction: Direction): PositionDates | undefined {
    return this.#lives.get(keyOf(instrumentId, direction));
  }

  /** Removes an ended position and returns its final times. */
  end(instrumentId: InstrumentId, direction: Direction, time: EpochMs): PositionDates {
    const key = keyOf(instrumentId, direction);
    const createdTime = this.#lives.get(key)?.createdTime ?? time;
    this.#lives.delete(key);
    return { createdTime, updatedTime: time };
  }
}

function keyOf(instrumentId: InstrumentId, direction: Direction): string {
  return `${instrumentId} ${direction}`;
}
