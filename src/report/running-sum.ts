/**
 * Floats added one after the other, each sum rounded: float64 addition is not associative, so that the order is part of what it gives.
 */
export class RunningSum {
  /** May be set to what it is after others have been added to it. */
  value = 0;
  /** A power of two. From its half up to it all floats are whole multiples of one unit. */
  #edge = 1;

  /**
   * Adds the same so many times, at least once, and gives the bits of so many additions. While a sum stays between two powers of two, each
   * addition rounds to the unit there and adds as much as the one before: only where just half a unit is left does it matter whether the sum is
   * even, and the first of them has made it so. Such a difference times a count is exact, being less than 2^53 units.
   */
  addTimes(term: number, times: number): void {
    const before = this.value;
    const first = before + term;
    const sum = first + (times - 1) * (first + term - first);
    const edge = this.#edge;
    if (term >= 0 && before >= edge / 2 && sum < edge) this.value = sum;
    else this.#addEach(term, times);
  }

  #addEach(term: number, times: number): void {
    let { value } = this;
    for (let left = times; left > 0; left -= 1) value += term;
    this.value = value;
    while (value >= this.#edge && value < Number.POSITIVE_INFINITY) this.#edge *= 2;
  }
}
