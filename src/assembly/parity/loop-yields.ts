export interface LoopYieldsOptions {
  /** Lets promises, sockets and signals have their turn. */
  readonly breathe: () => Promise<void>;
  readonly signal?: AbortSignal | undefined;
}

/** Turns of the process, one after another: whoever waits takes them here, and hears of an interruption in each of them. */
export class LoopYields {
  readonly #options: LoopYieldsOptions;
  readonly #interrupted: Promise<never>;

  constructor(options: LoopYieldsOptions) {
    this.#options = options;
    this.#interrupted = failureOf(options.signal);
  }

  /** Lets others have their turn. @throws what the run was interrupted with. */
  async next(): Promise<void> {
    await this.#options.breathe();
    this.#options.signal?.throwIfAborted();
  }

  /** Waits for a promise, however long it takes. @throws what it fails with, or what the run was interrupted with. */
  until<T>(promise: Promise<T>): Promise<T> {
    return Promise.race([promise, this.#interrupted]);
  }
}

/** Fails with the reason of a signal once it is given; never without one. */
function failureOf(signal: AbortSignal | undefined): Promise<never> {
  const failure = new Promise<never>((_resolve, reject) => {
    const fail = (): void => {
      reject(signal?.reason as Error);
    };
    if (signal?.aborted === true) fail();
    else signal?.addEventListener('abort', fail, { once: true });
  });
  // Nobody may be waiting for it.
  failure.catch(() => undefined);
  return failure;
}
