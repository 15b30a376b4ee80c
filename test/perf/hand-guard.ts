/**
 * The exits of one position by hand, on one-minute candles: a fixed or trailing stop that is sampled at an interval, and a resting target.
 * All prices are whole ticks of 0.01, so that no comparison depends on rounding.
 *
 * A candle goes from its open to the nearer extreme, to the other extreme, to its close, with a third of its time for each. A third is a multiple
 * of the sample interval, so each corner is a sample.
 */
import type { CandleColumns } from '../../src/domain/index.js';

const THIRD_MS = 20_000;

/** Distances of the exits, in percent of the entry price. A trailing stop follows the best sample at its distance. */
export interface HandExits {
  readonly stop?: number;
  readonly target?: number;
  readonly trailing?: number;
  /** Time between two samples. */
  readonly sampleMs: number;
}

/** Result of a candle: nothing happens, the position is sold at `price`, or the stop fires at the very end and sells at the next open. */
export const STAYS = 0;
export const SOLD = 1;
export const FIRES_AT_END = 2;

export class HandGuard {
  readonly #exits: HandExits;
  readonly #steps: number;
  #stop = 0;
  #target = Number.POSITIVE_INFINITY;
  #best = 0;
  /** A candle that stays above `below` and under `above`, in quote, does nothing. */
  below = Number.NEGATIVE_INFINITY;
  above = Number.POSITIVE_INFINITY;
  /** Price at which the position was sold, in quote. */
  price = 0;

  constructor(exits: HandExits) {
    this.#exits = exits;
    this.#steps = THIRD_MS / exits.sampleMs;
  }

  enter(paid: number): void {
    const { stop, target, trailing } = this.#exits;
    const ticks = ticksOf(paid);
    this.#best = ticks;
    this.#stop = levelBelow(ticks, trailing ?? stop ?? 100);
    if (target !== undefined) this.#target = Math.ceil((ticks * (100 + target)) / 100);
    this.#setBorders();
  }

  #setBorders(): void {
    const follows = this.#exits.trailing !== undefined;
    const above = follows ? Math.min(this.#best, this.#target) : this.#target;
    this.below = (this.#stop + 0.5) / 100;
    this.above = (above + 0.5) / 100;
  }

  /** Follows the candle's path. Returns its result. */
  walk({ open, high, low, close }: CandleColumns, row: number): number {
    const first = open[row] as number;
    const isHighFirst = isHighNearer(open, high, low, close, row);
    let from = ticksOf(first);
    for (let third = 0; third < 3; third += 1) {
      const column = third === 2 ? close : (third === 0) === isHighFirst ? high : low;
      const to = ticksOf(column[row] as number);
      // A maker's order fills at its limit, once the path is a tick beyond.
      if (to > this.#target) return this.#sell(this.#target);
      if (to > this.#best && this.#exits.trailing !== undefined) this.#follow(to);
      if (to <= this.#stop) {
        const step = this.#firstBeyond(from, to);
        if (third === 2 && step === this.#steps) return FIRES_AT_END;
        return this.#sell(Math.floor((from * this.#steps + (to - from) * step) / this.#steps));
      }
      from = to;
    }
    return STAYS;
  }

  #follow(best: number): void {
    this.#best = best;
    this.#stop = levelBelow(best, this.#exits.trailing ?? 100);
    this.#setBorders();
  }

  /** Number of the first sample at or below the stop. The last sample of this falling piece always is. */
  #firstBeyond(from: number, to: number): number {
    let step = 1;
    while (nearestTick((from * this.#steps + (to - from) * step) / this.#steps) > this.#stop)
      step += 1;
    return step;
  }

  #sell(ticks: number): number {
    this.price = ticks / 100;
    return SOLD;
  }
}

/** A tie goes to the low if the candle closes at or above its open. */
function isHighNearer(
  open: Float64Array,
  high: Float64Array,
  low: Float64Array,
  close: Float64Array,
  row: number,
): boolean {
  const from = ticksOf(open[row] as number);
  const up = ticksOf(high[row] as number) - from;
  const down = from - ticksOf(low[row] as number);
  return up === down ? ticksOf(close[row] as number) < from : up < down;
}

/** Ties go to even. */
function nearestTick(ticks: number): number {
  const whole = Math.floor(ticks);
  const part = ticks - whole;
  return part > 0.5 || (part === 0.5 && whole % 2 === 1) ? whole + 1 : whole;
}

function ticksOf(price: number): number {
  return Math.round(price * 100);
}

/** The last whole tick that is at or below the level. */
function levelBelow(ticks: number, hundredths: number): number {
  return Math.floor((ticks * (100 - hundredths)) / 100);
}
