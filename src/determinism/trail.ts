/** Limits how far names are followed: nobody hides a value so deep by accident, and names can refer to each other without end. */
export class Trail {
  readonly #depth: number;
  readonly #budget: { left: number };

  constructor(depth = 30, budget = { left: 300 }) {
    this.#depth = depth;
    this.#budget = budget;
  }

  /** The trail after one more step. */
  get next(): Trail {
    this.#budget.left -= 1;
    return new Trail(this.#depth - 1, this.#budget);
  }

  get isOver(): boolean {
    return this.#depth <= 0 || this.#budget.left <= 0;
  }
}
