/** Sum of floats that are added one after the other, with rounding at each step: float64 addition is not associative, so the order changes the sum. */
export class RunningSum {
  /** Writable: a caller that adds floats by itself stores the new sum here. */
  value = 0;
  /** A power of two. All floats from half of it up to it are multiples of one unit. */
  #edge = 1;

  /**
   * Adds `term` as often as `times` says, at least once, with the same bits as that many single additions. While the sum stays between two powers of two,
   * each addition rounds to the same unit and adds the same amount as the addition before. Only a remainder of exactly half a unit depends on whether the sum
   * is even, and the first addition makes the sum even. The product of that amount and the count is exact: it is less than 2^53 units.
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
