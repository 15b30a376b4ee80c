import { checkPeriod } from './period.js';
import { sumWindow, sumWindows } from './window-sums.js';

/** Values that are foreseen at once, and places that a window moves before it goes back to the beginning. */
const AHEAD = 256;

const NONE = new Float64Array(0);

/**
 * The sum of the last `length` numbers, oldest first, as {@link Window} has it. Numbers that will probably come can be foreseen: their sums
 * are then computed together, and each is given out when its number has come. Whatever comes instead is summed afresh.
 */
export class ForeseenWindow {
  readonly length: number;
  /** Made with the first number: where other runs have left what an indicator gives, none comes. */
  #values = NONE;
  /** Of foreseen values: that of the window which ends with each. */
  #sums = NONE;
  /** Values that have come end here. */
  #end = 0;
  /** Foreseen values end here; at or before `#end` when there are none. */
  #foreseenEnd = 0;

  /** @throws {DomainError} `E_INDICATOR_PERIOD` unless the length is a whole number from 1 to 1,000,000. */
  constructor(length: number) {
    checkPeriod(length);
    this.length = length;
  }

  /** Takes the next number. Returns the sum of the window that it completes; NaN while there are too few. */
  push(value: number): number {
    const end = this.#end;
    if (end < this.#foreseenEnd && this.#values[end] === value) {
      this.#end = end + 1;
      return this.#sums[end] as number;
    }
    return this.#pushUnforeseen(value);
  }

  #pushUnforeseen(value: number): number {
    this.#foreseenEnd = 0;
    if (this.#end === this.#values.length) this.#goBack();
    const at = this.#end;
    this.#values[at] = value;
    this.#end = at + 1;
    const oldest = this.#end - this.length;
    return oldest < 0 ? Number.NaN : sumWindow(this.#values, oldest, at);
  }

  /** Makes room: moves what the next window needs to the beginning. */
  #goBack(): void {
    if (this.#values === NONE) {
      this.#values = new Float64Array(this.length - 1 + AHEAD);
      this.#sums = new Float64Array(this.length - 1 + AHEAD);
    }
    const kept = Math.min(this.#end, this.length - 1);
    this.#values.copyWithin(0, this.#end - kept, this.#end);
    this.#end = kept;
  }

  /** Whether nothing is foreseen any more. */
  get needsForesight(): boolean {
    return this.#end >= this.#foreseenEnd;
  }

  /** Takes numbers that will probably come, as many as there is room for. Those foreseen before are forgotten. */
  foresee(numbers: Float64Array): void {
    this.#goBack();
    const first = this.#end;
    const end = first + Math.min(AHEAD, numbers.length);
    this.#values.set(numbers.subarray(0, end - first), first);
    this.#foreseenEnd = end;
    const full = Math.max(first, Math.min(end, this.length - 1));
    this.#sums.fill(Number.NaN, first, full);
    const summed = { values: this.#values, sums: this.#sums };
    sumWindows(summed, this.length, { first: full, end });
  }
}
