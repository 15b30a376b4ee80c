import { maxFixed, type Direction, type Fixed, type Instrument } from '../domain/index.js';
import type { CandleShape } from './candle-path.js';
import { moneyOf } from './money.js';

/** A level the engine watches: a position is left at any price when last comes to it. */
export interface WatchedStop {
  readonly direction: Direction;
  readonly level: Fixed;
  /** What is left there: base, or contracts. */
  readonly quantity: Fixed;
  /** Best last price so far where the level follows it. */
  readonly trailsFrom?: Fixed | undefined;
}

/** A level at which something happens, with what it carries. */
export interface DoubtfulLevel {
  readonly level: Fixed;
  /** Value of what would be traded there, in quote. */
  money(): Fixed;
}

/** What makes the hidden path of one candle matter (DESIGN R16). */
export class PathDoubt {
  readonly #levels = new Set<DoubtfulLevel>();
  /** Made with the first: most candles at which something rests have none. */
  #stops: Map<Fixed, WatchedStop> | undefined;
  #arrivedMoney: Fixed | undefined;

  noteLevel(level: DoubtfulLevel): void {
    this.#levels.add(level);
  }

  noteStop(stop: WatchedStop): void {
    this.#stops ??= new Map<Fixed, WatchedStop>();
    if (!this.#stops.has(stop.level)) this.#stops.set(stop.level, stop);
  }

  /** An order or a cancel came while the candle was under way. */
  noteArrival(money: Fixed): void {
    this.#arrivedMoney = (this.#arrivedMoney ?? 0n) + money;
  }

  /**
   * Whether another path could have led elsewhere: levels on both sides of an open, a stop that may fire, or an arrival. `shapes` are the
   * candle itself, or the finer ones it is walked by.
   */
  isUndecided(shapes: () => readonly CandleShape[]): boolean {
    if (this.#arrivedMoney !== undefined) return true;
    if (this.#levels.size < 2 && this.#stops === undefined) return false;
    for (const candle of shapes())
      if (this.#mayFire(candle) || this.#hasBothSides(candle)) return true;
    return false;
  }

  /** When a stop fires, and at which price, follows from how steep the path is there: one alone is enough. */
  #mayFire(candle: CandleShape): boolean {
    if (this.#stops === undefined) return false;
    for (const stop of this.#stops.values())
      if (isInside(stop.level, candle) || movesInto(stop, candle)) return true;
    return false;
  }

  #hasBothSides(candle: CandleShape): boolean {
    const { open } = candle;
    let [isAbove, isBelow] = [false, false];
    for (const { level } of this.#levels) {
      if (!isInside(level, candle)) continue;
      if (level > open) isAbove = true;
      else if (level < open) isBelow = true;
    }
    return isAbove && isBelow;
  }

  /** Value of the orders, stops and positions whose levels lie in the candle, and of what arrived inside it, in quote. */
  money(candle: CandleShape, instrument: Instrument): Fixed {
    let sum = this.#arrivedMoney ?? 0n;
    for (const level of this.#levels) if (isInside(level.level, candle)) sum += level.money();
    if (this.#stops === undefined) return sum;
    // The levels of a side are those of one stop that moves: its position counts once.
    const stops = { long: 0n, short: 0n };
    for (const stop of this.#stops.values()) {
      const { direction, level, quantity } = stop;
      if (isInside(level, candle) || movesInto(stop, candle))
        stops[direction] = maxFixed(stops[direction], moneyOf(instrument, quantity, level));
    }
    return sum + stops.long + stops.short;
  }
}

function isInside(level: Fixed, { high, low }: CandleShape): boolean {
  return level >= low && level <= high;
}

/** Whether a trailing stop is moved by the candle's one extreme so far that the other may lie beyond it. */
function movesInto(
  { direction, level, trailsFrom }: WatchedStop,
  { high, low }: CandleShape,
): boolean {
  if (trailsFrom === undefined) return false;
  return direction === 'long'
    ? high > trailsFrom && level + (high - trailsFrom) >= low
    : low < trailsFrom && level - (trailsFrom - low) <= high;
}
