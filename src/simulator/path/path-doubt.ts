import { maxFixed, type Direction, type Fixed, type Instrument } from '../../domain/index.js';
import { moneyOf } from '../accounts/money.js';
import type { PathCandle } from './candle-path.js';

/** A level that the engine watches. When the last price reaches it, the engine closes the position at any price. */
export interface WatchedLevel {
  readonly direction: Direction;
  readonly level: Fixed;
  /** Quantity that is closed there: base, or contracts. */
  readonly quantity: Fixed;
  /** Best last price so far, if the level follows it. */
  readonly trailsFrom?: Fixed | undefined;
}

/** A level at which something happens, with the value of the trade there. */
export interface DoubtfulLevel {
  readonly level: Fixed;
  /** Value of the trade at the level, in quote. */
  money(): Fixed;
}

/** A position whose money may run out at a level. */
interface PositionAtStake {
  /** Names the position among those of the account. */
  readonly name: string;
  readonly level: Fixed;
  /** Value of the position at the level, in quote. */
  readonly money: Fixed;
}

/** The events that make the hidden path of one candle matter (DESIGN R16). */
export class PathDoubt {
  readonly #levels = new Set<DoubtfulLevel>();
  /** Created with the first stop: most candles with resting orders have no stop. */
  #stops: Map<Fixed, WatchedLevel> | undefined;
  /** Created with the first position at stake. */
  #positions: Map<string, DoubtfulLevel> | undefined;
  #arrivedMoney: Fixed | undefined;

  noteLevel(level: DoubtfulLevel): void {
    this.#levels.add(level);
  }

  /** Records a position whose money may run out at a level. A position that is found again counts once, with its largest value. */
  notePosition({ name, level, money }: PositionAtStake): void {
    const key = `${name} ${String(level)}`;
    this.#positions ??= new Map<string, DoubtfulLevel>();
    const before = this.#positions.get(key);
    if (before !== undefined && before.money() >= money) return;
    if (before !== undefined) this.#levels.delete(before);
    const noted = { level, money: () => money };
    this.#positions.set(key, noted);
    this.#levels.add(noted);
  }

  noteStop(stop: WatchedLevel): void {
    this.#stops ??= new Map<Fixed, WatchedLevel>();
    if (!this.#stops.has(stop.level)) this.#stops.set(stop.level, stop);
  }

  /** Records an order or a cancel that came while the candle was under way. */
  noteArrival(money: Fixed): void {
    this.#arrivedMoney = (this.#arrivedMoney ?? 0n) + money;
  }

  /**
   * Whether another path could have led to another result: levels on both sides of an open, a stop that may fire, or an arrival. `shapes` returns the
   * candle itself, or the finer candles of its path.
   */
  isUndecided(shapes: () => readonly PathCandle[]): boolean {
    if (this.#arrivedMoney !== undefined) return true;
    if (this.#levels.size < 2 && this.#stops === undefined) return false;
    for (const candle of shapes())
      if (this.#mayFire(candle) || this.#hasBothSides(candle)) return true;
    return false;
  }

  /** Whether a stop may fire. One stop is enough, because the time and the price at which it fires depend on how steep the path is. */
  #mayFire(candle: PathCandle): boolean {
    if (this.#stops === undefined) return false;
    for (const stop of this.#stops.values())
      if (isInside(stop.level, candle) || movesInto(stop, candle)) return true;
    return false;
  }

  #hasBothSides(candle: PathCandle): boolean {
    const { open } = candle;
    let [isAbove, isBelow] = [false, false];
    for (const { level } of this.#levels) {
      if (!isInside(level, candle)) continue;
      if (level > open) isAbove = true;
      else if (level < open) isBelow = true;
    }
    return isAbove && isBelow;
  }

  /** Value of the orders, stops and positions whose levels lie in the candle, and of the arrivals inside it, in quote. */
  money(candle: PathCandle, instrument: Instrument): Fixed {
    let sum = this.#arrivedMoney ?? 0n;
    for (const level of this.#levels) if (isInside(level.level, candle)) sum += level.money();
    if (this.#stops === undefined) return sum;
    // All levels of one direction come from one stop that moves, so its position counts once.
    const stops = { long: 0n, short: 0n };
    for (const stop of this.#stops.values()) {
      const { direction, level, quantity } = stop;
      if (isInside(level, candle) || movesInto(stop, candle))
        stops[direction] = maxFixed(stops[direction], moneyOf(instrument, quantity, level));
    }
    return sum + stops.long + stops.short;
  }
}

function isInside(level: Fixed, { high, low }: PathCandle): boolean {
  return level >= low && level <= high;
}

/** Whether one extreme of the candle moves a trailing stop so far that the other extreme may lie beyond it. */
function movesInto(
  { direction, level, trailsFrom }: WatchedLevel,
  { high, low }: PathCandle,
): boolean {
  if (trailsFrom === undefined) return false;
  return direction === 'long'
    ? high > trailsFrom && level + (high - trailsFrom) >= low
    : low < trailsFrom && level - (trailsFrom - low) <= high;
}
