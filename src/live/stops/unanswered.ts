import { SECOND_MS, secondsText, TransportError } from '../../domain/index.js';
import { AGAIN_MS, type FeedTime, type LeftAt } from '../../feed/index.js';

/** A sample of stops without an answer for so long, in ms, means that the stops are not guarded. The call itself is given up much later. */
const LATE_MS = AGAIN_MS;
/** A sample that waits for its turn at the venue's limits is reported after so long: other calls go first, but it will be sent. */
const WAITING_MS = 10 * SECOND_MS;

/** Why an unfinished sample is late. */
type Lateness = 'unanswered' | 'waiting';

/** Follows one sample until it is answered or late. */
export class SampleTurn {
  readonly #time: Pick<FeedTime, 'now' | 'after'>;
  readonly #begun: number;
  #leftAt: LeftAt;

  constructor(time: Pick<FeedTime, 'now' | 'after'>) {
    this.#time = time;
    this.#begun = time.now();
    this.#leftAt = this.#begun;
  }

  /** Pass it to the reading. Called when the reading is sent. */
  readonly onTurn = (leftAt: LeftAt): void => {
    this.#leftAt = leftAt;
  };

  /** Resolves when the reading is over (undefined), or as soon as it is late; the reading then goes on. The reading must not reject. */
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

/** The error for a late sample. `what`: name of the reading. */
export function lateSample(what: string, lateness: Lateness): TransportError {
  return new TransportError(
    'E_TIMEOUT',
    lateness === 'unanswered'
      ? `${what} has had no answer for ${secondsText(LATE_MS)}`
      : `${what} has waited for its turn at the limits of the venue for ${secondsText(WAITING_MS)}`,
  );
}
