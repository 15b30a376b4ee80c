import { filter, map, merge, type Subscription } from 'rxjs';
import {
  fixedToNumber,
  type Candle,
  type EpochMs,
  type InstrumentId,
  type VenueInterval,
} from '../../domain/index.js';
import {
  alignSlices,
  type CandleNotice,
  type CandleSlice,
  type MarketFeed,
  type StreamStatus,
} from '../../feed/index.js';
import type { MarketDataSource } from '../../venue/index.js';
import type { PriceSample } from '../events.js';
import type { Activity } from './activity.js';
import { timeOfPhase, type SessionTime } from './session-time.js';

/** One configured stream. */
export interface RunningStream {
  readonly instrumentId: InstrumentId;
  readonly interval: VenueInterval;
  /** Open time of the last candle that the engine has already. @defaultValue the last that has closed */
  readonly after: EpochMs | undefined;
}

export interface MarketRunnerOptions {
  readonly feed: MarketFeed;
  readonly source: Pick<MarketDataSource, 'markPrice'>;
  readonly time: SessionTime;
  readonly activity: Activity;
  /** In the order of the config. */
  readonly streams: readonly RunningStream[];
  /** Contracts whose marks are read, and at multiples of how many milliseconds they close. */
  readonly marks: ReadonlyMap<InstrumentId, number>;
  readonly alignMs: number;
  readonly signal: AbortSignal;
  readonly onSlice: (slice: CandleSlice, marks: readonly PriceSample[]) => void;
  readonly onNotice: (stream: RunningStream, notice: CandleNotice) => void;
  readonly onStatus: (stream: RunningStream, status: StreamStatus) => void;
  /** A stream has ended for good. */
  readonly onFailure: (error: unknown) => void;
}

/** Hands on the closed candles of all streams, slice by slice, each with the marks of its instant. */
export class MarketRunner {
  readonly #options: MarketRunnerOptions;
  #subscription: Subscription | undefined;
  /** Slices wait for the marks of those before them. */
  #before: Promise<void> = Promise.resolve();

  constructor(options: MarketRunnerOptions) {
    this.#options = options;
  }

  start(): void {
    const { feed, streams, time, alignMs, onNotice, onStatus, onFailure } = this.#options;
    const watched = streams.map((stream) => {
      const { instrumentId, interval, after } = stream;
      return { stream, ...feed.candles(instrumentId, interval, after) };
    });
    const candles$ = merge(
      ...watched.map(({ stream, values$ }) =>
        values$.pipe(
          filter((notice): notice is Extract<CandleNotice, { kind: 'candle' }> => {
            if (notice.kind !== 'candle') onNotice(stream, notice);
            return notice.kind === 'candle';
          }),
          map(({ candle }) => candle),
        ),
      ),
    );
    const aligned$ = candles$.pipe(
      alignSlices(streams, { time: timeOfPhase(time, 'market'), alignMs }),
    );
    this.#subscription = aligned$.subscribe({
      next: (slice) => {
        this.#take(slice);
      },
      error: onFailure,
    });
    for (const { stream, status$ } of watched) {
      this.#subscription.add(
        status$.subscribe({
          next: (status) => {
            onStatus(stream, status);
          },
          error: onFailure,
        }),
      );
    }
  }

  stop(): void {
    this.#subscription?.unsubscribe();
  }

  #take(slice: CandleSlice): void {
    const { activity, onSlice, onFailure } = this.#options;
    const due = this.#marksDue(slice.candles);
    const end = activity.begin();
    this.#before = this.#before
      .then(async () => {
        onSlice(slice, due.length === 0 ? [] : await this.#readMarks(due));
      })
      .catch(onFailure)
      .finally(end);
  }

  #marksDue(candles: readonly Candle[]): readonly InstrumentId[] {
    const closeTime = candles[0]?.closeTime ?? 0;
    return [...this.#options.marks]
      .filter(([, intervalMs]) => closeTime % intervalMs === 0)
      .map(([instrumentId]) => instrumentId);
  }

  async #readMarks(instrumentIds: readonly InstrumentId[]): Promise<readonly PriceSample[]> {
    const { source, signal } = this.#options;
    return Promise.all(
      instrumentIds.map(async (instrumentId) => {
        const { markPrice } = await source.markPrice(instrumentId, { signal });
        return { instrumentId, price: fixedToNumber(markPrice) };
      }),
    );
  }
}
