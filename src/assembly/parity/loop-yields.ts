export interface LoopYieldsOptions {
  /** Lets promises, sockets and signals take their turn. */
  readonly breathe: () => Promise<void>;
  readonly signal?: AbortSignal | undefined;
}

/** Turns of the process, one after another. Every wait takes its turns here, so an interruption ends each of them. */
export class LoopYields {
  readonly #options: LoopYieldsOptions;
  readonly #interrupted: Promise<never>;

  constructor(options: LoopYieldsOptions) {
    this.#options = options;
    this.#interrupted = failureOf(options.signal);
  }

  /** Lets other work take its turn. @throws the reason of an interruption. */
  async next(): Promise<void> {
    await this.#options.breathe();
    this.#options.signal?.throwIfAborted();
  }

  /** Waits for a promise, however long it takes. @throws the promise's failure, or the reason of an interruption. */
  until<T>(promise: Promise<T>): Promise<T> {
    return Promise.race([promise, this.#interrupted]);
  }
}

/** Rejects with the signal's reason once it is aborted; never without a signal. */
function failureOf(signal: AbortSignal | undefined): Promise<never> {
  const failure = new Promise<never>((_resolve, reject) => {
    const fail = (): void => {
      reject(signal?.reason as Error);
    };
    if (signal?.aborted === true) fail();
    else signal?.addEventListener('abort', fail, { once: true });
  });
  // Prevents an unhandled rejection.
  failure.catch(() => undefined);
  return failure;
}
