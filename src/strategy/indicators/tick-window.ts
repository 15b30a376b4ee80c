/** Decimals of the finest grid that is tried. */
const MOST_DECIMALS = 10;

const SCALES = Float64Array.from({ length: MOST_DECIMALS + 1 }, (_, decimals) => 10 ** decimals);

/**
 * The last `length` numbers. As long as all of them lie on one decimal grid, they are kept in whole ticks, and their sum is an exact integer.
 * A mean is that sum divided once, so equal means are equal numbers. Otherwise the numbers are kept as they came, and each mean sums them
 * anew, oldest first.
 *
 * Sums and means depend only on the numbers in the window. The scale also depends on earlier numbers: the grid stays as fine as they needed.
 * Results computed from ticks must not depend on the scale, so that an indicator that starts later gives the same bits.
 */
export class TickWindow {
  readonly length: number;
  /** Most ticks that a number may have, so that every sum is an exact integer. */
  #mostTicks: number;
  /** Ticks while the window is exact, otherwise numbers as they came. */
  readonly #ring: Float64Array;
  /** The same, oldest first; made with the first call of {@link values}. */
  #ordered: Float64Array | undefined;
  #next = 0;
  #count = 0;
  #isExact = true;
  /** Most ticks that a number may have now; -1 admits no number. */
  #limit: number;
  /** Decimals of the grid; 0 while the window is not exact. */
  #decimals = 0;
  /** Ticks per 1: 10 to the power of the decimals. */
  #scale = 1;
  /** The mean is the sum divided by this. */
  #divisor: number;
  /** Sum of the ticks. */
  #sum = 0;
  /** Numbers since the last stray, at most `length`. */
  #sinceStray: number;
  /** Numbers so far that lay on no grid of ten decimals or fewer. */
  strays = 0;

  /** `weight`: total weight of all numbers in the sums that are made of their ticks. */
  constructor(length: number, weight = length) {
    this.length = length;
    this.#mostTicks = Math.floor(Number.MAX_SAFE_INTEGER / weight);
    this.#limit = this.#mostTicks;
    this.#ring = new Float64Array(length);
    this.#divisor = length;
    this.#sinceStray = length;
  }

  get isFull(): boolean {
    return this.#count === this.length;
  }

  /** Whether {@link values} are whole ticks. */
  get isExact(): boolean {
    return this.#isExact;
  }

  /** Divisor that turns {@link values} into the numbers as they came. */
  get scale(): number {
    return this.#scale;
  }

  /** Decimals of the grid. */
  get decimals(): number {
    return this.#decimals;
  }

  push(number: number): void {
    const at = this.#next;
    const ticks = Math.round(number * this.#scale);
    if (ticks / this.#scale === number && ticks <= this.#limit && ticks >= -this.#limit) {
      this.#sum += ticks - (this.#ring[at] as number);
      this.#ring[at] = ticks;
      this.#next = at + 1 === this.length ? 0 : at + 1;
      if (this.#count < this.length) this.#count += 1;
    } else this.#pushMisfit(number);
  }

  /** Does the same as {@link push}, and returns the {@link mean}. Both in one step, because most strategies need it with every candle. */
  meanWith(number: number): number {
    const at = this.#next;
    const scale = this.#scale;
    const ticks = Math.round(number * scale);
    const limit = this.#limit;
    if (
      ticks / scale === number &&
      ticks <= limit &&
      ticks >= -limit &&
      this.#count === this.length
    ) {
      const ring = this.#ring;
      const sum = this.#sum + ticks - (ring[at] as number);
      this.#sum = sum;
      ring[at] = ticks;
      this.#next = at + 1 === this.length ? 0 : at + 1;
      return sum / this.#divisor;
    }
    this.push(number);
    return this.mean();
  }

  /** Does the same as {@link meanWith} for each number from `first` to `end` (exclusive). Writes the means to `means`, from index `at` on. */
  meansWith(
    numbers: Float64Array,
    first: number,
    end: number,
    means: Float64Array,
    at: number,
  ): void {
    for (let index = first; index < end; index += 1) {
      index = this.#exactMeans(numbers, index, end, means, at - first);
      if (index < end) means[at + index - first] = this.meanWith(numbers[index] as number);
    }
  }

  /** Computes the means of {@link meansWith} as long as the window is full and on one grid. Returns the index of the first number not taken. */
  #exactMeans(
    numbers: Float64Array,
    first: number,
    end: number,
    means: Float64Array,
    shift: number,
  ): number {
    const { length } = this;
    if (!this.#isExact || this.#count < length) return first;
    const ring = this.#ring;
    const scale = this.#scale;
    const limit = this.#limit;
    const divisor = this.#divisor;
    let sum = this.#sum;
    let next = this.#next;
    let index = first;
    for (; index < end; index += 1) {
      const number = numbers[index] as number;
      const ticks = Math.round(number * scale);
      if (ticks / scale !== number || ticks > limit || ticks < -limit) break;
      sum = sum + ticks - (ring[next] as number);
      ring[next] = ticks;
      next = next + 1 === length ? 0 : next + 1;
      means[index + shift] = sum / divisor;
    }
    this.#sum = sum;
    this.#next = next;
    return index;
  }

  /** Returns an independent window in the same state. */
  copy(): TickWindow {
    const copy = new TickWindow(this.length);
    copy.#mostTicks = this.#mostTicks;
    copy.#ring.set(this.#ring);
    copy.#next = this.#next;
    copy.#count = this.#count;
    copy.#isExact = this.#isExact;
    copy.#limit = this.#limit;
    copy.#decimals = this.#decimals;
    copy.#scale = this.#scale;
    copy.#divisor = this.#divisor;
    copy.#sum = this.#sum;
    copy.#sinceStray = this.#sinceStray;
    copy.strays = this.strays;
    return copy;
  }

  /** Mean of a full window; NaN before. */
  mean(): number {
    if (this.#count < this.length) return Number.NaN;
    return this.#isExact ? this.#sum / this.#divisor : this.#sumAfresh() / this.length;
  }

  /** Numbers of a full window, oldest first, in units of 1 / {@link scale}. Read them at once: the next call overwrites them. */
  values(): Float64Array {
    const ordered = (this.#ordered ??= new Float64Array(this.length));
    const ring = this.#ring;
    ordered.set(ring.subarray(this.#next), 0);
    ordered.set(ring.subarray(0, this.#next), this.length - this.#next);
    return ordered;
  }

  /** Makes the grid as coarse as the window allows. Returns whether the grid has changed. */
  coarsen(): boolean {
    const before = this.#scale;
    if (before === 1 || this.#ring.some((ticks) => ticks % 10 !== 0)) return false;
    this.#release();
    this.#assess();
    return this.#scale !== before;
  }

  #sumAfresh(): number {
    const ring = this.#ring;
    let sum = 0;
    for (let at = this.#next; at < this.length; at += 1) sum += ring[at] as number;
    for (let at = 0; at < this.#next; at += 1) sum += ring[at] as number;
    return sum;
  }

  /** Takes a number that is not on the grid, or too large for it, or comes while there is no grid. */
  #pushMisfit(number: number): void {
    this.#release();
    this.#ring[this.#next] = number;
    this.#next = this.#next + 1 === this.length ? 0 : this.#next + 1;
    this.#count = Math.min(this.#count + 1, this.length);
    if (decimalsOf(number, 0) > MOST_DECIMALS) {
      this.strays += 1;
      this.#sinceStray = 0;
    } else this.#sinceStray = Math.min(this.#sinceStray + 1, this.length);
    if (this.#sinceStray === this.length) this.#assess();
  }

  /** Leaves the grid: turns the ticks back into numbers. */
  #release(): void {
    if (!this.#isExact) return;
    const scale = this.#scale;
    for (const [at, ticks] of this.#ring.entries()) this.#ring[at] = ticks / scale;
    this.#isExact = false;
    this.#limit = -1;
    this.#decimals = 0;
    this.#scale = 1;
  }

  /** Puts the numbers, no stray among them, on the coarsest grid that holds them, unless their sums would be too large for it. */
  #assess(): void {
    const ring = this.#ring;
    let decimals = 0;
    for (const number of ring) decimals = decimalsOf(number, decimals);
    const scale = SCALES[decimals];
    if (scale === undefined) return;
    if (ring.some((number) => Math.abs(Math.round(number * scale)) > this.#mostTicks)) return;
    this.#isExact = true;
    this.#limit = this.#mostTicks;
    this.#decimals = decimals;
    this.#scale = scale;
    this.#divisor = this.length * scale;
    this.#sum = 0;
    for (const [at, number] of ring.entries()) {
      const ticks = Math.round(number * scale);
      ring[at] = ticks;
      this.#sum += ticks;
    }
  }
}

/** Decimals of a number, at least `least`; {@link MOST_DECIMALS} + 1 if it lies on no grid that is tried. */
function decimalsOf(number: number, least: number): number {
  for (let decimals = least; decimals <= MOST_DECIMALS; decimals += 1) {
    const scale = SCALES[decimals] as number;
    const ticks = Math.round(number * scale);
    if (ticks / scale === number && Math.abs(ticks) <= Number.MAX_SAFE_INTEGER) return decimals;
  }
  return MOST_DECIMALS + 1;
}
