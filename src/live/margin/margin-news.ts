import { MINUTE_MS, type EpochMs, type MarginReading } from '../../domain/index.js';
import type { EngineEvent } from '../../engine/index.js';
import type { SessionTime } from '../session/session-time.js';

interface MarginNewsOptions {
  readonly time: Pick<SessionTime, 'now'>;
  /** Takes an event for the engine. */
  readonly tell: (make: (time: EpochMs) => EngineEvent) => void;
}

/** Marks and values derived from them change with every reading. They alone are reported only this often. */
const MOVED_MS = MINUTE_MS;

/** Reports the venue's margins to the engine, for the journal and for the strategy. */
export class MarginNews {
  readonly #options: MarginNewsOptions;
  /** Undefined before the first report: the engine's margins may be from before a restart. */
  #told: readonly MarginReading[] | undefined;
  #toldAt: EpochMs = Number.NEGATIVE_INFINITY;

  constructor(options: MarginNewsOptions) {
    this.#options = options;
  }

  take(readings: readonly MarginReading[]): void {
    const { time, tell } = this.#options;
    const now = time.now();
    if (this.#told !== undefined) {
      const hasMovedOnly = isSame(readings, this.#told, keyOf);
      if (hasMovedOnly && now - this.#toldAt < MOVED_MS) return;
      if (isSame(readings, this.#told, describe)) return;
    }
    this.#told = readings;
    this.#toldAt = now;
    tell((at) => ({ kind: 'margins', time: at, readings }));
  }
}

function isSame(
  some: readonly MarginReading[],
  others: readonly MarginReading[],
  describeOne: (reading: MarginReading) => string,
): boolean {
  return some.map(describeOne).join('\n') === others.map(describeOne).join('\n');
}

/** Fields whose change is reported at once: the positions, pending closes, and whether the venue refuses exits. */
function keyOf({ instrumentId, direction, pendingClose, frozen }: MarginReading): string {
  return `${instrumentId} ${direction} ${String(pendingClose)} ${frozen}`;
}

function describe(reading: MarginReading): string {
  const { markPrice, liquidationPrice, marginRate, maintenanceRate } = reading;
  const amounts = [markPrice, liquidationPrice, marginRate, maintenanceRate].map(String);
  return `${keyOf(reading)} ${amounts.join(' ')}`;
}
