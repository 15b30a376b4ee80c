import { TradingError } from '../../domain/index.js';
import type { LiveBotOptions } from '../bot/live-bot-options.js';

interface RepeatedComparisonOptions {
  readonly time: Pick<LiveBotOptions['machine'], 'after'>;
  /** Compares bot and venue once. */
  readonly compare: () => Promise<void>;
  /** Whether the bot goes on. Otherwise nothing is compared any more. */
  readonly isWanted: () => boolean;
  /** Takes an unexpected error. Nothing is compared any more. */
  readonly onFailure: (error: unknown) => void;
}

/** Time between two comparisons of positions and balances with the venue. */
const COMPARE_MS = 60_000;

/** Compares positions and balances with the venue every minute while the bot runs. */
export class RepeatedComparison {
  readonly #options: RepeatedComparisonOptions;
  #cancel = (): void => undefined;

  constructor(options: RepeatedComparisonOptions) {
    this.#options = options;
  }

  /** Compares a minute from now, and every minute after that. */
  begin(): void {
    const { time, isWanted } = this.#options;
    if (!isWanted()) return;
    this.#cancel = time.after(COMPARE_MS, () => {
      void this.#compare();
    });
  }

  stop(): void {
    this.#cancel();
  }

  async #compare(): Promise<void> {
    const { compare, onFailure } = this.#options;
    try {
      await compare();
      this.begin();
    } catch (error: unknown) {
      // A failed reading proves nothing. The account polls report that the account cannot be read.
      if (error instanceof TradingError) this.begin();
      else onFailure(error);
    }
  }
}
