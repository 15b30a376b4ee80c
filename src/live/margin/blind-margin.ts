import type { EpochMs, InstrumentId } from '../../domain/index.js';
import type { Engine, EngineEvent } from '../../engine/index.js';
import type { NotedFill } from './forced-trades.js';
import { InterestWatch, type InterestWatchOptions } from '../account/interest-watch.js';
import { MarginCalls, type MarginCallsOptions } from './margin-calls.js';
import { MarginLevelWatch, type MarginLevelWatchOptions } from './margin-level-watch.js';

interface BlindMarginOptions extends Pick<MarginCallsOptions, 'source' | 'signal' | 'onExternal'> {
  readonly engine: InterestWatchOptions['engine'];
  readonly now: () => EpochMs;
  readonly events: MarginLevelWatchOptions['events'] & InterestWatchOptions['events'];
  readonly onLow: MarginLevelWatchOptions['onLow'];
}

/** Handles a margin account. The venue shows only its orders and executions, no balances (DESIGN R13). */
export class BlindMargin {
  readonly calls: MarginCalls;
  readonly #portfolio: Engine['portfolio'];
  readonly #interest: InterestWatch;
  readonly #level: MarginLevelWatch;

  constructor(options: BlindMarginOptions) {
    const { portfolio } = options.engine;
    this.#portfolio = portfolio;
    this.calls = new MarginCalls({ ...options, portfolio });
    this.#interest = new InterestWatch(options);
    this.#level = new MarginLevelWatch({ ...options, portfolio });
  }

  /** Whether the venue may close the position in an instrument, because the margin account owes something. */
  owes(instrumentId: InstrumentId): boolean {
    const { debts } = this.#portfolio;
    return instrumentId.startsWith('margin:') && debts.owed.length > 0;
  }

  /** To be called before a fill that a poll has found is reported. */
  beforeFill(told: NotedFill): void {
    this.#interest.beforeFill(told);
  }

  /** To be called after a poll, when its news was reported. */
  polled(): void {
    this.#interest.tick();
    this.#level.look();
  }

  /** To be called after the engine has taken an event. */
  processed(event: EngineEvent): void {
    this.#interest.processed(event);
  }
}
