import { AuthError, TradingError, type Fixed, type InstrumentId } from '../../domain/index.js';
import type { MarketFeed } from '../../feed/index.js';
import type { StopWatch } from '../desk/stop-watch.js';
import type { Activity } from './activity.js';
import type { SessionTime } from './session-time.js';

export interface StopSamplesOptions {
  readonly feed: Pick<MarketFeed, 'readTicker'>;
  readonly time: SessionTime;
  readonly activity: Activity;
  readonly signal: AbortSignal;
  /** Stops that are watched now. */
  readonly watches: () => readonly StopWatch[];
  /** Grid on which stops sample last (DESIGN R9). */
  readonly stopPollMs: number;
  readonly onLast: (instrumentId: InstrumentId, last: Fixed) => void;
  /** A sample has failed, or works again (undefined): what is watched is not guarded meanwhile. */
  readonly onState: (error: TradingError | undefined) => void;
  readonly onFailure: (error: unknown) => void;
}

/** Samples last for the engine's stops, while there are any. */
export class StopSamples {
  readonly #options: StopSamplesOptions;
  #isSampling = false;
  #cancel = (): void => undefined;

  constructor(options: StopSamplesOptions) {
    this.#options = options;
  }

  start(): void {
    const { time, stopPollMs } = this.#options;
    this.#cancel = time.every('samples', stopPollMs, () => {
      this.#tick();
    });
  }

  stop(): void {
    this.#cancel();
  }

  #tick(): void {
    const { activity, watches } = this.#options;
    if (this.#isSampling) return;
    const watched = [...new Set(watches().map(({ instrumentId }) => instrumentId))];
    if (watched.length === 0) return;
    this.#isSampling = true;
    void activity.during(async () => {
      try {
        await this.#sample(watched);
        this.#options.onState(undefined);
      } catch (error: unknown) {
        this.#fail(error);
      } finally {
        this.#isSampling = false;
      }
    });
  }

  async #sample(watched: readonly InstrumentId[]): Promise<void> {
    const { feed, signal, onLast, time, stopPollMs } = this.#options;
    // Stops of other bots are sampled at the same instants.
    const since = Math.floor(time.now() / stopPollMs) * stopPollMs;
    const tickers = await Promise.all(watched.map((id) => feed.readTicker(id, { since, signal })));
    for (const { instrumentId, last } of tickers) onLast(instrumentId, last);
  }

  #fail(error: unknown): void {
    const { onState, onFailure, signal } = this.#options;
    if (signal.aborted) return;
    if (!(error instanceof TradingError) || error instanceof AuthError) onFailure(error);
    else onState(error);
  }
}
