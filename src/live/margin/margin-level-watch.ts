import { formatFixed, MARGIN_WARN_LEVEL, type EpochMs, type Fixed } from '../../domain/index.js';
import { marginLevel, type EngineEvent, type Portfolio } from '../../engine/index.js';

export interface MarginLevelWatchOptions {
  readonly portfolio: Pick<Portfolio, 'balances' | 'valueOf'>;
  readonly now: () => EpochMs;
  readonly events: { push(make: (time: EpochMs) => EngineEvent): void };
  /** Called when the level has reached the venue's warning level; with undefined when it is above again. */
  readonly onLow: (text: string | undefined) => void;
}

const DIGITS = 4;

/**
 * Watches the level of a margin account by the bot's own books, because the venue shows none (DESIGN R13). At the venue's warning level the strategy
 * is told, once for each fall, and no entries are made until the level is above it again.
 */
export class MarginLevelWatch {
  readonly #options: MarginLevelWatchOptions;
  #isLow = false;

  constructor(options: MarginLevelWatchOptions) {
    this.#options = options;
  }

  look(): void {
    const { portfolio, events, now, onLow } = this.#options;
    const level = marginLevel(portfolio);
    const isLow = level !== undefined && level <= MARGIN_WARN_LEVEL;
    if (isLow === this.#isLow) return;
    this.#isLow = isLow;
    if (!isLow) {
      onLow(undefined);
      return;
    }
    const eventTime = now();
    events.push((time) => ({
      kind: 'venue',
      time,
      update: { kind: 'margin-warning', level, eventTime },
    }));
    onLow(describe(level));
  }
}

function describe(level: Fixed): string {
  const shown = formatFixed(level).slice(0, DIGITS + 2);
  return `the margin account's assets are ${shown} times its debt, by the bot's own books: at ${formatFixed(MARGIN_WARN_LEVEL)} the venue warns, at 1.1 it sells all`;
}
