import type { Direction, Fixed } from '../domain/index.js';
import type { CandleShape } from './candle-path.js';

/** A level the engine watches: a position is left at any price when last comes to it. */
export interface WatchedStop {
  readonly direction: Direction;
  readonly level: Fixed;
  /** Best last price so far where the level follows it. */
  readonly trailsFrom?: Fixed | undefined;
}

/** What makes the hidden path of one candle matter (DESIGN R16). */
export class PathDoubt {
  readonly #levels = new Set<Fixed>();
  readonly #trailing: WatchedStop[] = [];
  #hasArrival = false;

  noteLevel(level: Fixed): void {
    this.#levels.add(level);
  }

  noteStop(stop: WatchedStop): void {
    if (this.#levels.has(stop.level)) return;
    this.#levels.add(stop.level);
    if (stop.trailsFrom !== undefined) this.#trailing.push(stop);
  }

  /** An order or a cancel came while the candle was under way. */
  noteArrival(): void {
    this.#hasArrival = true;
  }

  /** Whether another path could have led elsewhere: levels on both sides of the open, a stop that moves, or an arrival. */
  isUndecided(shape: () => CandleShape): boolean {
    if (this.#hasArrival) return true;
    if (this.#levels.size < 2 && this.#trailing.length === 0) return false;
    const candle = shape();
    const inside = [...this.#levels].filter((level) => level >= candle.low && level <= candle.high);
    const hasBothSides =
      inside.some((level) => level > candle.open) && inside.some((level) => level < candle.open);
    return hasBothSides || this.#trailing.some((stop) => movesInto(stop, candle));
  }
}

/** Whether a trailing stop is moved by the candle's one extreme so far that the other may lie beyond it. */
function movesInto(
  { direction, level, trailsFrom = level }: WatchedStop,
  { high, low }: CandleShape,
): boolean {
  return direction === 'long'
    ? high > trailsFrom && level + (high - trailsFrom) >= low
    : low < trailsFrom && level - (trailsFrom - low) <= high;
}
