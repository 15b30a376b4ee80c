import { SECOND_MS, TransportError } from '../../domain/index.js';
import { AGAIN_MS, type FeedTime, type LeftAt } from '../../feed/index.js';

/** A sample of stops that left and has no answer for so long, in ms, says that they are not guarded: long before the call itself is given up. */
const LATE_MS = AGAIN_MS;
/** One that waits for its turn at the limits of the venue says so after as long: other calls go before it, and it leaves. */
const WAITING_MS = 10 * SECOND_MS;

/** What is wrong with a sample that is not over. */
export type Lateness = 'unanswered' | 'waiting';

/** One sample on its way. */
export class SampleTurn {
  readonly #time: Pick<FeedTime, 'now' | 'after'>;
  readonly #begun: number;
  #leftAt: LeftAt;

  constructor(time: Pick<FeedTime, 'now' | 'after'>) {
    this.#time = time;
    this.#begun = time.now();
    this.#leftAt = this.#begun;
  }

  /** For who reads: told when the reading left. */
  readonly onTurn = (leftAt: LeftAt): void => {
    this.#leftAt = leftAt;
  };

  /** Resolves when its reading is over (undefined), or as soon as it is late; it goes on. It must not fail. */
  async lateness(reading: Promise<unknown>): Promise<Lateness | undefined> {
    let cancel = (): void => undefined;
    const late = new Promise<Lateness>((resolve) => {
      const look = (): void => {
        const now = this.#time.now();
        const leftMs = LATE_MS - (now - (this.#leftAt ?? now));
        if (leftMs <= 0) resolve('unanswered');
        else if (this.#leftAt === undefined && now - this.#begun >= WAITING_MS) resolve('waiting');
        else cancel = this.#time.after(leftMs, look);
      };
      look();
    });
    const isOver = reading.then(() => undefined);
    return Promise.race([isOver, late]).finally(() => {
      cancel();
    });
  }
}

/** `what`: the reading that is late. */
export function lateSample(what: string, lateness: Lateness): TransportError {
  const seconds = (ms: number): string => `${(ms / SECOND_MS).toFixed(1)} s`;
  return new TransportError(
    'E_TIMEOUT',
    lateness === 'unanswered'
      ? `${what} has had no answer for ${seconds(LATE_MS)}`
      : `${what} has waited for its turn at the limits of the venue for ${seconds(WAITING_MS)}`,
  );
}
