import { SECOND_MS, TransportError } from '../../domain/index.js';
import { AGAIN_MS, type FeedTime } from '../../feed/index.js';

/** A sample of stops without an answer for so long, in ms, says that they are not guarded: long before the call itself is given up. */
const LATE_MS = AGAIN_MS;

/** Resolves when a reading is over, or as soon as it is late; it goes on. It must not fail. */
export async function isLate(
  reading: Promise<unknown>,
  time: Pick<FeedTime, 'after'>,
): Promise<boolean> {
  let cancel = (): void => undefined;
  const late = new Promise<true>((resolve) => {
    cancel = time.after(LATE_MS, () => {
      resolve(true);
    });
  });
  const isOver = reading.then(() => false);
  return Promise.race([isOver, late]).finally(cancel);
}

/** `what`: the reading that is late. */
export function unanswered(what: string): TransportError {
  const forSeconds = (LATE_MS / SECOND_MS).toFixed(1);
  return new TransportError('E_TIMEOUT', `${what} has had no answer for ${forSeconds} s`);
}
