import { UsageError } from '../domain/index.js';

/** Events that one reader pulls, while whoever makes them waits for it. Without a reader none is kept. */
export class PulledEvents<T> {
  /** How the making of events ends; what it rejects with is thrown to the reader. */
  end: Promise<unknown> = Promise.resolve();
  readonly #onLeft: () => void;
  #waiting: T[] = [];
  #hasReader = false;
  /** From the first pull on. */
  #isRead = false;
  /** Whether the reader is at some that it has taken. */
  #isTaking = false;
  #isOver = false;
  #wakeReader = (): void => undefined;
  #wakeWriter = (): void => undefined;

  /** @param onLeft - called when the reader leaves before the end. */
  constructor(onLeft: () => void) {
    this.#onLeft = onLeft;
  }

  push(event: T): void {
    if (!this.#isRead) return;
    this.#waiting.push(event);
    this.#wakeReader();
  }

  /** No more come. */
  close(): void {
    this.#isOver = true;
    this.#wakeReader();
  }

  /** Resolves when the reader has done with all there are, or has left. */
  async drained(): Promise<void> {
    while (this.#isRead && (this.#isTaking || this.#waiting.length > 0))
      await new Promise<void>((resolve) => {
        this.#wakeWriter = resolve;
      });
  }

  /** @throws {UsageError} `E_USAGE` where there is a reader already. */
  read(): AsyncGenerator<T, void, undefined> {
    if (this.#hasReader)
      throw new UsageError(
        'E_USAGE',
        'the events of a run are read by one loop; events$ is for several',
      );
    this.#hasReader = true;
    // It is the reader who hears of a failure.
    this.end.catch(() => undefined);
    return this.#read();
  }

  async *#read(): AsyncGenerator<T, void, undefined> {
    this.#isRead = true;
    try {
      while (!this.#isOver || this.#waiting.length > 0) {
        const taken = this.#waiting;
        this.#waiting = [];
        this.#isTaking = true;
        yield* taken;
        this.#isTaking = false;
        this.#wakeWriter();
        if (!this.#isOver && this.#waiting.length === 0)
          await new Promise<void>((resolve) => {
            this.#wakeReader = resolve;
          });
      }
      await this.end;
    } finally {
      this.#isRead = false;
      this.#wakeWriter();
      if (!this.#isOver) this.#onLeft();
    }
  }
}
