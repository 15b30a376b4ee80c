import { UsageError } from '../domain/index.js';

/** Events that one reader pulls. The producer can wait until the reader has taken them (`drained`). Without a reader no event is kept. */
export class PulledEvents<T> {
  /** Settles when the producer ends. If it rejects, the reader's loop throws that error. */
  end: Promise<unknown> = Promise.resolve();
  readonly #onLeft: () => void;
  #waiting: T[] = [];
  #hasReader = false;
  /** True from the first pull until the reader leaves. */
  #isRead = false;
  /** Whether the reader works on a batch of events that it has taken. */
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

  /** Ends the events: no more will come. */
  close(): void {
    this.#isOver = true;
    this.#wakeReader();
  }

  /** Resolves when the reader has processed all waiting events, or has left. */
  async drained(): Promise<void> {
    while (this.#isRead && (this.#isTaking || this.#waiting.length > 0))
      await new Promise<void>((resolve) => {
        this.#wakeWriter = resolve;
      });
  }

  /** @throws {UsageError} `E_USAGE` if there is a reader already. */
  read(): AsyncGenerator<T, void, undefined> {
    if (this.#hasReader)
      throw new UsageError(
        'E_USAGE',
        'only one loop can read the events of a run; use events$ for several',
      );
    this.#hasReader = true;
    // The reader receives the rejection itself. This handler only prevents an unhandled rejection.
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
