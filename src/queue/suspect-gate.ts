/** Lets work run side by side, but suspect work alone. Work that broke its worker once must not break other work beside it again. */
export class SuspectGate {
  #running = 0;
  #suspects = 0;
  #isAlone = false;
  #waiting: (() => void)[] = [];

  /** Waits until the work may start, and runs it. */
  async pass<T>(isSuspect: boolean, work: () => Promise<T>): Promise<T> {
    if (isSuspect) this.#suspects += 1;
    while (isSuspect ? this.#running > 0 : this.#suspects > 0 || this.#isAlone)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (isSuspect) this.#suspects -= 1;
    this.#isAlone = isSuspect;
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#isAlone = false;
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const resolve of waiting) resolve();
    }
  }
}
