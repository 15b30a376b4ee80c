import type { TradingError } from '../domain/index.js';
import type { PatienceOptions } from '../live/index.js';
import type { Making } from './starting-bot.js';

/** Checks a venue's clock once for all waiting bots. */
export class VerifiedClock {
  readonly #waiting = new Set<Making>();
  #verifying: Promise<void> | undefined;

  /**
   * Resolves when the clock was checked.
   *
   * @throws as `verify`; the signal's reason if aborted meanwhile.
   */
  async wait(
    verify: (patience: Pick<PatienceOptions, 'onFailure'>) => Promise<void>,
    bot: Making,
  ): Promise<void> {
    this.#waiting.add(bot);
    this.#verifying ??= verify({
      onFailure: (error) => {
        this.#tell(error);
      },
    });
    const verifying = this.#verifying;
    let stop = (): void => undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        stop = () => {
          reject(bot.signal.reason as Error);
        };
        if (bot.signal.aborted) stop();
        bot.signal.addEventListener('abort', stop);
        verifying.then(resolve, reject);
      });
    } finally {
      bot.signal.removeEventListener('abort', stop);
      this.#waiting.delete(bot);
    }
  }

  #tell(error: TradingError): void {
    for (const { onWaiting } of this.#waiting) onWaiting(error);
  }
}
