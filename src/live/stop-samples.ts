import {
  present,
  TradingError,
  type EpochMs,
  type Fixed,
  type InstrumentId,
} from '../domain/index.js';
import type { MarketFeed } from '../feed/index.js';
import type { Ticker } from '../venue/index.js';
import { inSampleOrder, type StopWatch } from '../engine/index.js';
import type { Activity } from './activity.js';
import type { ContractSampling } from './sampling/contract-samples.js';
import type { SessionTime } from './session-time.js';

export interface StopSamplesOptions {
  readonly feed: Pick<MarketFeed, 'readTicker'>;
  readonly time: SessionTime;
  readonly activity: Activity;
  readonly signal: AbortSignal;
  /** Stops that are watched now. */
  readonly watches: () => readonly StopWatch[];
  /** Grid on which the stops of each instrument sample last, in ms (DESIGN R9), in the order of the configuration. */
  readonly stopGrids: ReadonlyMap<InstrumentId, number>;
  readonly onLast: (instrumentId: InstrumentId, last: Fixed) => void;
  /** A sample has failed, or all work again (undefined): what is watched is not guarded meanwhile. */
  readonly onState: (error: TradingError | undefined) => void;
  readonly onFailure: (error: unknown) => void;
}

/** Samples last for the engine's stops, while there are any. */
export class StopSamples {
  readonly #options: StopSamplesOptions;
  /** Grids that are due at this instant: what they sample is told in one order, whatever their grids. */
  #due: number[] = [];
  /** Grids whose samples are due or being read. */
  readonly #busy = new Set<number>();
  /** Instruments that are watched and were not answered for last. */
  readonly #failed = new Map<InstrumentId, TradingError>();
  /** When each instrument was sampled last, and how long after the time before. */
  readonly #sampled = new Map<
    InstrumentId,
    { readonly at: EpochMs; readonly latelyMs: number | undefined }
  >();
  #cancels: (() => void)[] = [];

  constructor(options: StopSamplesOptions) {
    this.#options = options;
  }

  /** A second call changes nothing. */
  start(): void {
    const { time, stopGrids } = this.#options;
    if (this.#cancels.length > 0) return;
    this.#cancels = [...new Set(stopGrids.values())].map((gridMs) =>
      time.every('samples', gridMs, () => {
        this.#tick(gridMs);
      }),
    );
  }

  stop(): void {
    for (const cancel of this.#cancels) cancel();
  }

  /** How each instrument with a stop is sampled now. */
  get sampling(): readonly ContractSampling[] {
    return this.#watched([...this.#options.stopGrids.values()]).map((instrumentId) => ({
      instrumentId,
      by: 'last',
      at: this.#sampled.get(instrumentId)?.at,
      everyMs: this.#gridOf(instrumentId),
      latelyMs: this.#sampled.get(instrumentId)?.latelyMs,
    }));
  }

  #noteSample(instrumentId: InstrumentId, at: EpochMs): void {
    const before = this.#sampled.get(instrumentId);
    this.#sampled.set(instrumentId, { at, latelyMs: before && at - before.at });
  }

  #tick(gridMs: number): void {
    if (this.#busy.has(gridMs)) return;
    if (this.#watched([gridMs]).length === 0) {
      this.#forget([gridMs], []);
      return;
    }
    this.#busy.add(gridMs);
    if (this.#due.push(gridMs) > 1) return;
    void this.#options.activity.during(async () => {
      // Other grids are due at the same instant.
      await Promise.resolve();
      const grids = this.#due;
      this.#due = [];
      await this.#sample(grids);
      for (const each of grids) this.#busy.delete(each);
    });
  }

  async #sample(grids: readonly number[]): Promise<void> {
    const { feed, signal, time } = this.#options;
    const now = time.now();
    const watched = this.#watched(grids);
    this.#forget(grids, watched);
    // One that cannot be read keeps no other from being sampled.
    const read = await Promise.allSettled(
      watched.map((id) => {
        // Stops of other bots are sampled at the same instants.
        const since = Math.floor(now / this.#gridOf(id)) * this.#gridOf(id);
        return feed.readTicker(id, { since, signal });
      }),
    );
    if (signal.aborted) return;
    for (const [index, instrumentId] of watched.entries())
      this.#take(instrumentId, now, present(read[index], 'the sample of an instrument'));
    const [first] = this.#failed.values();
    this.#options.onState(first);
  }

  #take(instrumentId: InstrumentId, at: EpochMs, sample: PromiseSettledResult<Ticker>): void {
    const { onLast, onFailure } = this.#options;
    if (sample.status === 'fulfilled') {
      this.#failed.delete(instrumentId);
      this.#noteSample(instrumentId, at);
      onLast(instrumentId, sample.value.last);
    } else if (sample.reason instanceof TradingError) this.#failed.set(instrumentId, sample.reason);
    else onFailure(sample.reason);
  }

  /** What is not watched any more is not missed: a failure would else keep out the entries that alone could end it. */
  #forget(grids: readonly number[], watched: readonly InstrumentId[]): void {
    const over = [...this.#failed.keys()].filter(
      (id) => grids.includes(this.#gridOf(id)) && !watched.includes(id),
    );
    for (const id of over) this.#failed.delete(id);
    if (over.length > 0) this.#options.onState([...this.#failed.values()][0]);
  }

  #watched(grids: readonly number[]): readonly InstrumentId[] {
    const { watches, stopGrids } = this.#options;
    const due = watches().filter(({ instrumentId }) => grids.includes(this.#gridOf(instrumentId)));
    return inSampleOrder(due, stopGrids.keys());
  }

  #gridOf(instrumentId: InstrumentId): number {
    return present(
      this.#options.stopGrids.get(instrumentId),
      'the grid of an instrument of the bot',
    );
  }
}
