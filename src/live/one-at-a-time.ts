/** Does pieces of work one after the other, in the order in which they were given. A piece that fails does not stop the next one. */
export class OneAtATime {
  #last: Promise<unknown> = Promise.resolve();

  /** @throws errors of the work. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}
