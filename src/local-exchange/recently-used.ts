/** Keeps the values of the last keys that were read, up to a maximum. The value that was not read for longest is dropped first. */
export class RecentlyUsed<Value> {
  readonly #most: number;
  /** In the order of their last reads. */
  readonly #values = new Map<string, Value>();

  constructor(most: number) {
    this.#most = most;
  }

  get(key: string, make: () => Value): Value {
    const known = this.#values.get(key);
    const value = known ?? make();
    if (known !== undefined) this.#values.delete(key);
    this.#values.set(key, value);
    if (this.#values.size > this.#most) {
      const [oldest] = this.#values.keys();
      if (oldest !== undefined) this.#values.delete(oldest);
    }
    return value;
  }
}
